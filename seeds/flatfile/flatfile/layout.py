# -*- coding: latin-1 -*-
"""Layouts: the fields of a record, described in lines of text.

A line is `name start-end kind.places = default`; what follows § is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from flatfile.fields import Field, Value

COMMENT = "§"
FOLDED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ñ": "n", "ø": "o"}
_LINE = re.compile(
    r"(?P<name>\w+)\s+(?P<start>\d+)(?:-(?P<end>\d+))?"
    r"(?:\s+(?P<kind>[a-z]+)(?:\.(?P<places>\d))?)?(?:\s*=\s*(?P<default>.*))?"
)


class LayoutError(ValueError):
    """A layout is not well formed; `line` counts from 1, None is for no line at all."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


def fold(text: str | None, width: int | None = None) -> str:
    """The text in ASCII, for files that know no more: `Müller` is `Mueller`, `Señor £` is `Senor ?`."""
    if text is None:
        return ""
    letters = (_fold(letter) for letter in text)
    folded = "".join(letters)
    return folded if width is None else folded[:width]


def _fold(letter: str) -> str:
    if ord(letter) < 128:
        return letter
    plain = FOLDED.get(letter.lower())
    if plain is None:
        return "?"
    return plain if letter.islower() else plain.capitalize()


class Layout:
    """Fields in order of their columns, none of which overlap."""

    def __init__(self, fields: list[Field]) -> None:
        if not fields:
            raise LayoutError("a layout has a field")
        self.fields = sorted(fields, key=lambda field: field.start)
        for index in range(1, len(self.fields)):
            before, after = self.fields[index - 1], self.fields[index]
            if before.overlaps(after):
                raise LayoutError(f"{before.name} and {after.name} overlap")
        self.by_name = {field.name: field for field in self.fields}
        if len(self.by_name) < len(self.fields):
            raise LayoutError("two fields have the same name")

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a description, a field a line."""
        fields: list[Field] = []
        for number, line in enumerate(text.splitlines(), start=1):
            plain = line.partition(COMMENT)[0].strip()
            if not plain:
                continue
            match = _LINE.fullmatch(plain)
            if match is None:
                raise LayoutError(f"not a field: {plain!r}", number)
            try:
                fields.append(_field(match))
            except ValueError as error:
                raise LayoutError(str(error), number) from None
        return cls(fields)

    @property
    def width(self) -> int:
        """How many columns a record has."""
        return self.fields[-1].end

    def gaps(self) -> Iterator[tuple[int, int]]:
        """The columns that belong to no field, as first and last of each run."""
        column = 1
        for field in self.fields:
            if field.start > column:
                yield column, field.start - 1
            column = field.end + 1

    def at(self, column: int) -> Field | None:
        """The field that a column belongs to."""
        for field in self.fields:
            if field.start <= column <= field.end:
                return field
        return None

    def read(self, line: str) -> dict[str, Value]:
        """The values in a line by the names of the fields."""
        return {field.name: field.read(line) for field in self.fields}

    def write(self, values: Mapping[str, Value]) -> str:
        """A line with the values; fields that have none are as their default says, or blank."""
        for name in values:
            if self.by_name.get(name) is None:
                raise LayoutError(f"there is no field {name!r}")
        line = ""
        for field in self.fields:
            line = line.ljust(field.start - 1) + field.write(values.get(field.name))
        return line


def _field(match: re.Match[str]) -> Field:
    start = int(match["start"])
    places = match["places"]
    return Field(
        match["name"],
        start,
        start if match["end"] is None else int(match["end"]),
        kind=match["kind"] or "text",
        places=None if places is None else int(places),
        default=match["default"],
    )
