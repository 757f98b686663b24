"""Fields: a place in a record, and what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from flatfile.codes import overpunch, unpunch

KINDS = ("text", "number", "zoned", "date", "flag")
Value = str | Decimal | date | bool | None


class FieldError(ValueError):
    """What stands in a field is not of its kind, or does not go into it."""


@dataclass(frozen=True)
class Field:
    """The columns `start` to `end` of a record, both counted from 1 and both inside."""

    name: str
    start: int
    end: int
    kind: str = "text"
    places: int | None = None
    default: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise FieldError(f"{self.name}: no kind of field: {self.kind}")
        if self.start < 1:
            raise FieldError(f"{self.name}: columns count from 1")
        if self.end < self.start:
            raise FieldError(f"{self.name}: ends before it starts")
        if self.kind == "date" and self.length != 8:
            raise FieldError(f"{self.name}: a date is 8 columns wide, not {self.length}")
        if self.places is not None and self.places >= self.length:
            raise FieldError(f"{self.name}: {self.places} places in {self.length} columns")

    @property
    def length(self) -> int:
        return self.end - self.start + 1

    def overlaps(self, other: Field) -> bool:
        """Whether a column belongs to both."""
        return self.start <= other.end and other.start <= self.end

    def cut(self, line: str) -> str:
        """The characters of the field; fewer when the line ends before it does."""
        return line[self.start - 1 : self.end]

    def read(self, line: str) -> Value:
        """The value in a line; None for a field that is blank and has no default."""
        text = self.cut(line).strip()
        if not text:
            if self.default is None:
                return None
            text = self.default
        if self.kind == "text":
            return text
        if self.kind == "date":
            return _read_date(self.name, text)
        if self.kind == "flag":
            return _read_flag(self.name, text)
        return self._read_number(text)

    def _read_number(self, text: str) -> Decimal:
        digits: str | None = text
        if self.kind == "zoned":
            digits = unpunch(text)
        if digits is None or not digits.removeprefix("-").isdecimal():
            raise FieldError(f"{self.name}: not a number: {text!r}")
        number = Decimal(digits)
        return number if self.places is None else number.scaleb(-self.places)

    def write(self, value: Value) -> str:
        """The value as it stands in a record: text to the left, numbers to the right."""
        if value is None:
            value = self.default
        if value is None:
            return " " * self.length
        if isinstance(value, bool):
            text = "Y" if value else "N"
        elif isinstance(value, date):
            text = value.isoformat().replace("-", "")
        elif isinstance(value, Decimal):
            return self._write_number(value)
        else:
            text = value
        if len(text) > self.length:
            raise FieldError(f"{self.name}: {text!r} does not go into {self.length} columns")
        return text.ljust(self.length)

    def _write_number(self, number: Decimal) -> str:
        scaled = number if self.places is None else number.scaleb(self.places)
        if scaled != scaled.to_integral_value():
            raise FieldError(f"{self.name}: {number} has too many places")
        whole = int(scaled)
        if self.kind == "zoned":
            text = overpunch(whole, self.length)
        else:
            text = str(whole).rjust(self.length) if whole < 0 else str(whole).zfill(self.length)
        if text is None or len(text) > self.length:
            raise FieldError(f"{self.name}: {number} does not go into {self.length} columns")
        return text


def _read_date(name: str, text: str) -> date:
    if len(text) != 8 or not text.isdecimal():
        raise FieldError(f"{name}: not a date: {text!r}")
    year, month, day = int(text[:4]), int(text[4:6]), int(text[6:])
    try:
        return date(year, month, day)
    except ValueError:
        raise FieldError(f"{name}: no such day: {text!r}") from None


def _read_flag(name: str, text: str) -> bool:
    if text not in ("Y", "N"):
        raise FieldError(f"{name}: neither Y nor N: {text!r}")
    return text == "Y"
