"""Codes of old files: signs punched over the last digit, and check digits."""

from __future__ import annotations

POSITIVE = "{ABCDEFGHI"
NEGATIVE = "}JKLMNOPQR"


def overpunch(number: int, width: int | None = None) -> str | None:
    """The digits of the number, the sign over the last; None when they are too many.

    >>> overpunch(-123, 5)
    '0012L'
    """
    digits = str(abs(number))
    if width is not None:
        if len(digits) > width:
            return None
        digits = digits.rjust(width, "0")
    signs = NEGATIVE if number < 0 else POSITIVE
    return digits[:-1] + signs[int(digits[-1])]


def unpunch(text: str | None) -> str | None:
    """The digits with their sign before them, or None when the text is not such a number.

    >>> unpunch('0012L')
    '-00123'
    """
    if text is None or len(text) < 1:
        return None
    body, last = text[:-1], text[-1]
    if body and not body.isdecimal():
        return None
    if last in NEGATIVE:
        return f"-{body}{NEGATIVE.index(last)}"
    if last in POSITIVE:
        return f"{body}{POSITIVE.index(last)}"
    return text if last.isdecimal() else None


def check_digit(text: str | None, weights: tuple[int, ...] = (2, 1)) -> int | None:
    """The digit that makes the weighted sum end in 0, from the right; None where there is no digit.

    >>> check_digit('7992739871')
    3
    """
    if text is None:
        return None
    digits = [int(letter) for letter in text if letter.isdecimal()]
    if not digits:
        return None
    total = 0
    for index, digit in enumerate(reversed(digits)):
        product = digit * weights[index % len(weights)]
        total += product if product < 10 else product - 9
    return (10 - total % 10) % 10


def is_checked(text: str | None) -> bool:
    """Whether the last digit is the check digit of those before it."""
    if text is None or len(text) < 2 or not text[-1].isdecimal():
        return False
    return check_digit(text[:-1]) == int(text[-1])