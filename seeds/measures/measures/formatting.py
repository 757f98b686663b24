"""Numbers and quantities as text, and templates with places for them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from measures.quantities import Quantity
from measures.units import Unit, require_unit

MOST_PLACES = 6
_FIELD = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}:]*)(?::(?P<spec>[^{}]*))?\}|[{}]")
_SPEC = re.compile(r"(?:\.(?P<places>\d))?\s*(?P<units>.*)")


class TemplateError(ValueError):
    """A template is not well formed, or a name in it has no value."""


def format_number(value: Fraction | int, places: int | None = None, grouping: str = "") -> str:
    """Round half away from zero; without `places`, as many as are needed, six at most."""
    size = abs(Fraction(value))
    digits = MOST_PLACES if places is None else places
    scaled = math.floor(size * 10**digits + Fraction(1, 2))
    whole, fraction = divmod(scaled, 10**digits)
    text = _grouped(str(whole), grouping)
    if digits > 0:
        decimals = str(fraction).rjust(digits, "0")
        if places is None:
            decimals = decimals.rstrip("0")
        text += f".{decimals}" if decimals else ""
    return f"-{text}" if value < 0 and scaled > 0 else text


def _grouped(digits: str, mark: str) -> str:
    if not mark or len(digits) <= 3:
        return digits
    head = len(digits) % 3 or 3
    groups = [digits[:head]] + [digits[at : at + 3] for at in range(head, len(digits), 3)]
    return mark.join(groups)


def best(quantity: Quantity, units: Sequence[str]) -> Quantity:
    """In the largest of the units in which it is 1 or more; in the smallest when it is in none."""
    if not units:
        return quantity
    ordered = sorted((require_unit(unit) for unit in units), key=lambda unit: unit.factor)
    chosen = quantity.to(ordered[0])
    for unit in ordered[1:]:
        converted = quantity.to(unit)
        if abs(converted.value) < 1:
            break
        chosen = converted
    return chosen


def compound(quantity: Quantity, units: Sequence[str], places: int | None = None) -> str:
    """`1 h 30 min`: whole numbers but for the last; parts that are zero are left out."""
    ordered = sorted((require_unit(unit) for unit in units), key=lambda unit: -unit.factor)
    if len(ordered) == 0:
        raise ValueError("a compound has one unit or more")
    last = ordered[-1]
    digits = places if places is not None else 0
    rounded = format_number(abs(quantity.to(last).value), digits)
    left = Fraction(rounded) * last.factor
    parts: list[str] = []
    for unit in ordered[:-1]:
        count = left // unit.factor
        left -= count * unit.factor
        if count > 0:
            parts.append(f"{count} {unit.symbol}")
    if left > 0 or not parts:
        parts.append(f"{format_number(left / last.factor, digits)} {last.symbol}")
    sign = "-" if quantity.value < 0 and Fraction(rounded) > 0 else ""
    return sign + " ".join(parts)


def show(quantity: Quantity | None, spec: str | None = None, missing: str = "—") -> str:
    """As a spec says: `.2 km` is places and a unit, `h min` a compound, None the shortest."""
    if quantity is None:
        return missing
    match = _SPEC.fullmatch((spec or "").strip())
    if match is None:
        raise TemplateError(f"not a spec: {spec!r}")
    places = int(match["places"]) if match["places"] is not None else None
    units = match["units"].split()
    if len(units) > 1:
        return compound(quantity, units, places)
    target: Unit | None = require_unit(units[0]) if units else None
    converted = quantity.to(target)
    return f"{format_number(converted.value, places)} {converted.unit.symbol}".rstrip()


def render(template: str, values: Mapping[str, Quantity | None], missing: str | None = None) -> str:
    """Fill `{name}` and `{name:spec}`; `{{` and `}}` are braces; None is shown as —."""
    pieces: list[str] = []
    end = 0
    for match in _FIELD.finditer(template):
        pieces.append(template[end : match.start()])
        end = match.end()
        if match[0] in ("{{", "}}"):
            pieces.append(match[0][0])
            continue
        if match["name"] is None:
            raise TemplateError(f"a lone {match[0]} at column {match.start() + 1}")
        name = match["name"].strip()
        if name not in values and missing is None:
            raise TemplateError(f"no value for {name!r} at column {match.start() + 2}")
        pieces.append(
            show(values.get(name), match["spec"], missing if missing is not None else "—")
        )
    pieces.append(template[end:])
    return "".join(pieces)


def column(
    quantities: Sequence[Quantity | None], unit: str, places: int | None = None
) -> list[str]:
    """The numbers in one unit, one under the other with the points in line; "-" for None."""
    texts = [
        "-" if quantity is None else format_number(quantity.to(unit).value, places)
        for quantity in quantities
    ]
    before = max((_before(text) for text in texts), default=0)
    after = max((len(text) - _before(text) for text in texts), default=0)
    return [" " * (before - _before(text)) + text.ljust(_before(text) + after) for text in texts]


def _before(text: str) -> int:
    """How many characters stand before the point, all without one."""
    point = text.find(".")
    return point if point >= 0 else len(text)
