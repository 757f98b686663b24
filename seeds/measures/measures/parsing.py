"""Quantities and spans from text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from measures.numbers import scan_number
from measures.quantities import Quantity
from measures.spans import Span
from measures.units import Unit, UnitError, require_unit

_UNIT = re.compile(r"\s*(?P<unit>(?:[^\W\d_½]|[°%'\"])+(?:\^-?\d)?(?:[*·/][^\W\d_]+(?:\^-?\d)?)*)")
_RELATION = re.compile(r"\s*(?P<sign>>=|<=|[<>≥≤])\s*")
_BETWEEN = re.compile(r"\s*(?P<mark>\.\.<|\.\.|[-–—±]|to\b|\+/-)\s*")


class ParseError(ValueError):
    """The text is not a quantity; `column` counts from 1."""

    def __init__(self, message: str, text: str, column: int) -> None:
        super().__init__(f"{message} at column {column}: {text!r}")
        self.text = text
        self.column = column

    @property
    def pointer(self) -> str:
        """The text with a caret below the place that is wrong."""
        return f"{self.text}\n{' ' * (self.column - 1)}^"


@dataclass(frozen=True)
class _Item:
    """A number with the unit after it, if there is one, and where it ends."""

    value: Fraction
    unit: Unit | None
    end: int

    def quantity(self, default: Unit | str | None) -> Quantity:
        return Quantity(self.value, self.unit if self.unit is not None else default)


def parse(text: str, default_unit: Unit | str | None = None) -> Quantity:
    """Read one quantity: `5 kg`, `-2½ °C`, `3 ft 2 in`; a bare number has the default unit."""
    quantity, end = _scan(text, 0, default_unit)
    if end < len(text.rstrip()):
        raise ParseError("something is left over", text, _skip(text, end) + 1)
    return quantity


def _scan(text: str, start: int, default_unit: Unit | str | None) -> tuple[Quantity, int]:
    """The quantity that begins at `start`, which may be a compound, and where it ends."""
    item = _scan_item(text, start)
    if item is None:
        raise ParseError("a number is missing", text, _skip(text, start) + 1)
    quantity, last = item.quantity(default_unit), item.unit
    negative = text[_skip(text, start)] in "-−"
    while last is not None:
        following = _scan_item(text, item.end)
        if following is None or following.unit is None or following.value < 0:
            break
        if not _is_smaller(following.unit, last) or text[_skip(text, item.end)] in "+":
            break
        part = following.quantity(None)
        quantity = quantity - part if negative else quantity + part
        item, last = following, following.unit
    return quantity, item.end


def _is_smaller(unit: Unit, other: Unit) -> bool:
    return unit.fits(other) and unit.factor < other.factor


def _scan_item(text: str, start: int) -> _Item | None:
    begin = _skip(text, start)
    number = scan_number(text, begin)
    if number is None:
        return None
    value, end = number
    match = _UNIT.match(text, end)
    if match is None or match["unit"] == "to":
        return _Item(value, None, end)
    try:
        return _Item(value, require_unit(match["unit"]), match.end())
    except UnitError as error:
        raise ParseError(str(error), text, match.start("unit") + 1) from None


def _skip(text: str, start: int) -> int:
    """Where the next character that is no blank is, or the end."""
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def parse_span(text: str, default_unit: Unit | str | None = None) -> Span:
    """Read `3-5 kg`, `3..<5 kg`, `3 kg to 5 kg`, `5 ± 0.1 kg`, `≥ 3 kg`, or one quantity alone."""
    relation = _RELATION.match(text)
    if relation is not None:
        bound = parse(text[relation.end() :], default_unit)
        return _one_sided(relation["sign"], bound)
    item = _scan_item(text, 0)
    if item is None:
        raise ParseError("a number is missing", text, _skip(text, 0) + 1)
    between = _BETWEEN.match(text, item.end)
    if between is None:
        sole = parse(text, default_unit)
        return Span(sole, sole)
    right = parse(text[between.end() :], default_unit)
    low = item.quantity(right.unit)
    if between["mark"] in ("±", "+/-"):
        return Span(low - abs(right), low + abs(right))
    if low > right:
        raise ParseError("a span begins before it ends", text, between.start("mark") + 1)
    return Span(low, right, open_high=between["mark"] == "..<")


def _one_sided(sign: str, bound: Quantity) -> Span:
    is_open = sign in ("<", ">")
    if sign in ("<", "<=", "≤"):
        return Span(high=bound, open_high=is_open)
    return Span(low=bound, open_low=is_open)
