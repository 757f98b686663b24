"""Writers: records as lines, with header and trailer, or as a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from flatfile.fields import Value
from flatfile.layout import Layout


class Writer:
    """Writes records by a layout, each line with the same end."""

    def __init__(
        self,
        layout: Layout,
        *,
        newline: str = "\n",
        marks: tuple[str, str] | None = None,
        total: str | None = None,
    ) -> None:
        self.layout = layout
        self.newline = newline
        self.marks = marks
        self.total = total

    def lines(self, records: Iterable[Mapping[str, Value]], title: str | None = None) -> Iterator[str]:
        """Header, records and trailer; no header and trailer without marks."""
        count, amount = 0, Decimal(0)
        if self.marks is not None:
            yield self._end(self.marks[0] + (title if title is not None else ""))
        for record in records:
            count += 1
            value = record.get(self.total) if self.total is not None else None
            if isinstance(value, Decimal):
                amount += value
            yield self._end(self.layout.write(record))
        if self.marks is not None:
            tail = "" if self.total is None else f" {amount}"
            yield self._end(f"{self.marks[1]}{count}{tail}")

    def _end(self, line: str) -> str:
        return line.rstrip() + self.newline

    def text(self, records: Iterable[Mapping[str, Value]], title: str | None = None) -> str:
        """All lines as one text."""
        return "".join(self.lines(records, title))

    def table(self, records: Sequence[Mapping[str, Value]], most: int | None = None) -> str:
        """A table with the names on top; of many records the first `most`, and how many are left."""
        names = [field.name for field in self.layout.fields]
        shown = records if most is None else records[:most]
        rows = [names] + [[_shown(record.get(name)) for name in names] for record in shown]
        widths = [max(len(row[column]) for row in rows) for column in range(len(names))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        if len(records) > len(shown):
            lines.append(f"... {len(records) - len(shown)} more")
        return self.newline.join(lines)


def _shown(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def wrap(text: str | None, width: int, lines: int | None = None) -> list[str]:
    """The text in lines of at most `width`, cut between words; of many lines the first, "..." at the end."""
    if text is None:
        return []
    if width < 4:
        raise ValueError("a line has room for 4 characters")
    found: list[str] = []
    line = ""
    for word in text.split():
        while len(word) > width:
            if line:
                found.append(line)
                line = ""
            found.append(word[: width - 1] + "-")
            word = word[width - 1 :]
        if line and len(line) + 1 + len(word) > width:
            found.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        found.append(line)
    if lines is not None and len(found) > lines:
        found = found[:lines]
        if found:
            found[-1] = found[-1][: width - 3].rstrip() + "..."
    return found
