"""A number with a unit, and arithmetic on them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import total_ordering

from measures.units import NOTHING, Unit, UnitError, require_unit


@total_ordering
class Quantity:
    """An exact number of a unit; equal to another of the same size in other units."""

    __slots__ = ("unit", "value")

    def __init__(self, value: Fraction | int | str, unit: Unit | str | None = None) -> None:
        self.value = Fraction(value)
        if unit is None:
            unit = NOTHING
        self.unit = require_unit(unit) if isinstance(unit, str) else unit

    @property
    def base(self) -> Fraction:
        """The value in base units."""
        return self.value * self.unit.factor + self.unit.offset

    def to(self, unit: Unit | str | None) -> Quantity:
        """The same in another unit; None leaves it as it is."""
        if unit is None:
            return self
        target = require_unit(unit) if isinstance(unit, str) else unit
        self._check(target)
        return Quantity((self.base - target.offset) / target.factor, target)

    def _check(self, unit: Unit) -> None:
        if not self.unit.fits(unit):
            raise UnitError(f"{self.unit.symbol or 'a number'} is not {unit.symbol or 'a number'}")

    def __add__(self, other: Quantity) -> Quantity:
        self._check(other.unit)
        if other.unit.offset != 0:
            raise UnitError(f"{other.unit.symbol} cannot be added")
        return Quantity(self.value + other.value * other.unit.factor / self.unit.factor, self.unit)

    def __sub__(self, other: Quantity) -> Quantity:
        return self + -other

    def __neg__(self) -> Quantity:
        return Quantity(-self.value, self.unit)

    def __mul__(self, number: Fraction | int) -> Quantity:
        return Quantity(self.value * number, self.unit)

    def __abs__(self) -> Quantity:
        return Quantity(abs(self.value), self.unit)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        return self.unit.fits(other.unit) and self.base == other.base

    def __lt__(self, other: Quantity) -> bool:
        self._check(other.unit)
        return self.base < other.base

    def __hash__(self) -> int:
        return hash((self.base, self.unit.dimension))

    def __bool__(self) -> bool:
        return self.value != 0

    def __repr__(self) -> str:
        return f"Quantity({str(self.value)!r}, {self.unit.symbol!r})"


def total(quantities: Iterable[Quantity | None], unit: str | None = None) -> Quantity | None:
    """The sum of those that are there, in the unit asked for or that of the first."""
    result: Quantity | None = None
    for quantity in quantities:
        if quantity is None:
            continue
        result = quantity if result is None else result + quantity
    return None if result is None else result.to(unit)


def median(quantities: Iterable[Quantity | None]) -> Quantity | None:
    """The middle one of those that are there, or half way between the two in the middle."""
    known = sorted(quantity for quantity in quantities if quantity is not None)
    if not known:
        return None
    middle = len(known) // 2
    if len(known) % 2 == 1:
        return known[middle]
    low, high = known[middle - 1], known[middle]
    return Quantity((low.value + high.to(low.unit).value) / 2, low.unit)
