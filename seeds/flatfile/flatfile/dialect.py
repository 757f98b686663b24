"""Dialects of delimited text: how values are kept apart and quoted – with “pairs” of quotes, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CANDIDATES = (",", ";", "\t", "|")
CLOSING = {'"': '"', "'": "'", "“": "”", "«": "»", "„": "“"}


class DialectError(ValueError):
    """A line is not well formed; `column` counts from 1."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message if column is None else f"{message} at column {column}")
        self.column = column


@dataclass(frozen=True)
class Dialect:
    """A delimiter, an opening quote (None: nothing is quoted) and what a missing value looks like."""

    delimiter: str = ","
    quote: str | None = '"'
    missing: str | None = None

    def __post_init__(self) -> None:
        if len(self.delimiter) != 1:
            raise DialectError(f"a delimiter is one character: {self.delimiter!r}")
        if self.quote is not None and self.quote not in CLOSING:
            raise DialectError(f"not a quote: {self.quote!r}")

    @property
    def closing(self) -> str:
        """The quote that ends what `quote` begins."""
        return "" if self.quote is None else CLOSING[self.quote]

    def split(self, line: str) -> list[str | None]:
        """The values of a line; None for one that is written as `missing` without quotes."""
        values: list[str | None] = []
        at = 0
        while at <= len(line):
            if self.quote is not None and line[at : at + 1] == self.quote:
                value, at = self._quoted(line, at)
                values.append(value)
            else:
                end = line.find(self.delimiter, at)
                if end < 0:
                    end = len(line)
                plain = line[at:end]
                values.append(None if plain == self.missing else plain)
                at = end
            if at < len(line) and line[at] != self.delimiter:
                raise DialectError(f"{line[at]!r} after a quote", at + 1)
            at += 1
        return values

    def _quoted(self, line: str, start: int) -> tuple[str, int]:
        """The value whose opening quote is at `start`, and the place after its closing one."""
        pieces: list[str] = []
        at = start + 1
        while True:
            end = line.find(self.closing, at)
            if end < 0:
                raise DialectError("a quote is not closed", start + 1)
            pieces.append(line[at:end])
            if line[end + 1 : end + 2] != self.closing:
                return "".join(pieces), end + 1
            pieces.append(self.closing)
            at = end + 2

    def join(self, values: Iterable[str | None]) -> str:
        """A line of the values, quoted where they have to be."""
        return self.delimiter.join(self._written(value) for value in values)

    def _written(self, value: str | None) -> str:
        if value is None:
            return self.missing or ""
        if not self._is_special(value):
            return value
        if self.quote is None:
            raise DialectError(f"{value!r} cannot be written without quotes")
        doubled = value.replace(self.closing, self.closing * 2)
        return f"{self.quote}{doubled}{self.closing}"

    def _is_special(self, value: str) -> bool:
        if value == self.missing or self.delimiter in value:
            return True
        return self.quote is not None and value[:1] == self.quote


def sniff(lines: Sequence[str], candidates: Sequence[str] = CANDIDATES) -> Dialect | None:
    """The dialect whose delimiter stands equally often in each line, the most often of all."""
    best: str | None = None
    most = 0
    for delimiter in candidates:
        count = _regular_count(Dialect(delimiter), lines)
        if count is not None and count > most:
            best, most = delimiter, count
    return None if best is None else Dialect(best)


def _regular_count(dialect: Dialect, lines: Sequence[str]) -> int | None:
    """How many delimiters stand in each line that is not empty; None where it is not the same."""
    found: int | None = None
    for line in lines:
        if not line:
            continue
        try:
            count = len(dialect.split(line)) - 1
        except DialectError:
            return None
        if found is not None and count != found:
            return None
        found = count
    return found
