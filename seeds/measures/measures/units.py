"""Units, their prefixes, and units made of others."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

PREFIXES = {
    "n": Fraction(1, 10**9),
    "µ": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "c": Fraction(1, 100),
    "k": Fraction(1000),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
}
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_TERM = re.compile(r"(?P<name>[^\W\d_]+|[°%'\"][CF]?)(?:\^?(?P<power>-?\d))?")

Dimension = tuple[tuple[str, int], ...]
"""Base units with their powers, by name; those with power 0 are left out."""


class UnitError(ValueError):
    """There is no such unit, or two units do not go together."""


@dataclass(frozen=True)
class Unit:
    """`value * factor + offset` is the value in base units."""

    symbol: str
    factor: Fraction
    dimension: Dimension
    offset: Fraction = Fraction(0)

    def fits(self, other: Unit | None) -> bool:
        """Whether quantities in the two can be compared."""
        return other is not None and self.dimension == other.dimension

    def power(self, exponent: int, symbol: str | None = None) -> Unit:
        """The unit times itself; a unit with an offset has no other power than 1."""
        if exponent != 1 and self.offset != 0:
            raise UnitError(f"{self.symbol} has no powers")
        scaled = _tidy({name: power * exponent for name, power in self.dimension})
        name = symbol if symbol is not None else f"{self.symbol}^{exponent}"
        return Unit(name, self.factor**exponent, scaled, self.offset)

    def times(self, other: Unit, symbol: str) -> Unit:
        """The product of two units."""
        if self.offset != 0 or other.offset != 0:
            raise UnitError(f"{symbol}: a unit that does not begin at zero stands alone")
        powers = dict(self.dimension)
        for name, power in other.dimension:
            powers[name] = powers.get(name, 0) + power
        return Unit(symbol, self.factor * other.factor, _tidy(powers))


def _tidy(powers: dict[str, int]) -> Dimension:
    return tuple(sorted((name, power) for name, power in powers.items() if power != 0))


NOTHING = Unit("", Fraction(1), ())


def _table(text: str) -> dict[str, Unit]:
    """Units by each of their names, from lines `symbol alias ... = factor base [offset]`."""
    found: dict[str, Unit] = {}
    for line in text.strip().splitlines():
        names, _, meaning = line.partition("=")
        factor, base, *offset = meaning.split()
        symbol, *aliases = names.split()
        dimension: Dimension = () if base == "-" else _dimension(base)
        unit = Unit(symbol, Fraction(factor), dimension, Fraction(offset[0] if offset else 0))
        for name in (symbol, *aliases):
            found[name] = unit
    return found


def _dimension(text: str) -> Dimension:
    parts = (part.partition("^") for part in text.split("."))
    return _tidy({name: int(power or 1) for name, _, power in parts})


UNITS = _table(
    """
    m metre meter metres meters = 1 m
    in inch inches " = 0.0254 m
    ft foot feet ' = 0.3048 m
    yd yard yards = 0.9144 m
    mi mile miles = 1609.344 m
    g gram grams = 1 g
    oz ounce ounces = 28.349523125 g
    lb pound pounds = 453.59237 g
    t tonne tonnes = 1000000 g
    s sec second seconds = 1 s
    min minute minutes = 60 s
    h hr hour hours = 3600 s
    d day days = 86400 s
    L l litre liter litres liters = 1/1000 m^3
    cup cups = 0.0002365882365 m^3
    N = 1000 g.m.s^-2
    W = 1000 g.m^2.s^-3
    Hz = 1 s^-1
    K = 1 K
    °C = 1 K 273.15
    °F = 5/9 K 45967/180
    Ω ohm = 1 ohm
    % = 1/100 -
    """
)
PREFIXED = frozenset(("m", "g", "s", "L", "l", "N", "W", "Hz", "K", "Ω"))
"""Names that may have a prefix before them."""


def find_unit(text: str | None) -> Unit | None:
    """The unit of that name, prefixed or made of others; None when some part of it is unknown."""
    if text is None:
        return None
    wanted = text.strip().replace("μ", "µ").translate(SUPERSCRIPTS)
    if not wanted:
        return NOTHING
    unit = NOTHING
    for name, exponent in _terms(wanted):
        term = _simple(name)
        if term is None:
            return None
        if unit is NOTHING and wanted == name:
            return term
        unit = unit.times(term.power(exponent), text.strip())
    return None if unit is NOTHING else unit


def _terms(text: str) -> Iterator[tuple[str, int]]:
    """The names in a product such as `kg*m/s^2` with their powers; an unknown name for nonsense."""
    sign = 1
    for piece in re.split(r"([*·/])", text):
        if piece in ("*", "·", "/"):
            sign = -1 if piece == "/" else 1
            continue
        match = _TERM.fullmatch(piece.strip())
        if match is None:
            yield "?", 1
            return
        yield match["name"], sign * int(match["power"] or 1)


def _simple(name: str) -> Unit | None:
    unit = UNITS.get(name)
    if unit is not None:
        return unit
    prefix, rest = name[:1].replace("u", "µ"), name[1:]
    factor = PREFIXES.get(prefix)
    if factor is None or rest not in PREFIXED:
        return None
    base = UNITS[rest]
    return Unit(prefix + base.symbol, factor * base.factor, base.dimension)


def require_unit(text: str) -> Unit:
    """Find a unit; the UnitError says which are near."""
    unit = find_unit(text)
    if unit is None:
        near = suggest(text)
        hint = f"; did you mean {' or '.join(near)}?" if len(near) > 0 else ""
        raise UnitError(f"there is no unit {text.strip()!r}{hint}")
    return unit


def suggest(text: str, limit: int = 2) -> list[str]:
    """Names of units that look like the text, the nearest first."""
    if limit < 1:
        return []
    names = [name for name in UNITS if len(name) > 1]
    return difflib.get_close_matches(text.strip().lower(), names, n=limit, cutoff=0.6)[:limit]
