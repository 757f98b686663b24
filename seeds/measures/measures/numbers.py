"""Numbers as people write them, read as exact fractions."""

from __future__ import annotations

import re
from fractions import Fraction

GLYPHS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}
SIGNS = {"+": 1, "-": -1, "−": -1}
NUMBER = re.compile(
    r"""[+\-−]?\s*(?:
        (?P<whole>\d+)\s+(?P<top>\d+)/(?P<bottom>\d+)
        | (?P<over>\d+)/(?P<under>\d+)
        | (?P<before>\d*)(?P<glyph>[½⅓⅔¼¾⅛])
        | (?P<digits>\d[\d,_]*)?(?:\.(?P<decimals>\d+))?(?:[eE](?P<power>[+\-]?\d{1,2}))?
    )""",
    re.VERBOSE,
)


def parse_number(text: str | None) -> Fraction | None:
    """The number that the whole text is, or None when it is none."""
    if text is None:
        return None
    found = scan_number(text.strip(), 0)
    if found is None or found[1] < len(text.strip()):
        return None
    return found[0]


def scan_number(text: str, start: int) -> tuple[Fraction, int] | None:
    """The number that begins at `start` and where it ends; None when none begins there."""
    match = NUMBER.match(text, start)
    if match is None:
        return None
    value = _value(match)
    if value is None:
        return None
    sign = SIGNS.get(text[start], 1) if start < len(text) else 1
    return sign * value, match.end()


def _value(match: re.Match[str]) -> Fraction | None:
    if match["whole"] is not None:
        part = _ratio(match["top"], match["bottom"])
        return None if part is None else int(match["whole"]) + part
    if match["over"] is not None:
        return _ratio(match["over"], match["under"])
    if match["glyph"] is not None:
        return int(match["before"] or 0) + Fraction(GLYPHS[match["glyph"]])
    return _decimal(match["digits"], match["decimals"], match["power"])


def _ratio(top: str, bottom: str) -> Fraction | None:
    if int(bottom) == 0:
        return None
    return Fraction(int(top), int(bottom))


def _decimal(digits: str | None, decimals: str | None, power: str | None) -> Fraction | None:
    if digits is None and decimals is None:
        return None
    whole = digits if digits is not None else "0"
    if not is_grouped(whole):
        return None
    plain = whole.replace(",", "").replace("_", "")
    return Fraction(f"{plain}.{decimals or 0}e{power or 0}")


def is_grouped(digits: str) -> bool:
    """Whether commas or underscores, where there are any, set off thousands."""
    mark = "," if "," in digits else "_"
    head, *groups = digits.split(mark)
    if not head.isdigit():
        return False
    if groups and len(head) > 3:
        return False
    return all(len(group) == 3 and group.isdigit() for group in groups)
