"""The text format of a journal: transactions, comments and a default commodity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from ledger.accounts import check_name
from ledger.amounts import parse_amount
from ledger.journal import Journal, JournalError, Posting, Transaction

COMMENTS = ("#", ";")
COMMODITY = "commodity "
_HEADER = re.compile(
    r"(?P<date>\S+)(?:\s+(?P<mark>[*!]))?(?:\s+\((?P<code>[^)]*)\))?(?:\s+(?P<payee>.*))?"
)
_DATE = re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)")
_GAP = re.compile(r"\t|\s{2,}")


class ParseError(ValueError):
    """A line that cannot be read; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


@dataclass
class Block:
    """A line at the margin and the indented lines below it; `number` is that of the first."""

    number: int
    head: str
    body: list[str] = field(default_factory=list)


def parse_date(text: str) -> date:
    """Read `2024-03-05`, `2024/3/5` or `2024.03.05`."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a date: {text!r}")
    year, month, day = map(int, match.groups())
    try:
        return date(year, month, day)
    except ValueError:
        raise ValueError(f"not a date: {text!r}") from None


def parse_journal(text: str) -> Journal:
    """Read a whole journal; raises ParseError at the first line that is wrong."""
    journal = Journal()
    commodity: str | None = None
    for block in split_blocks(text):
        if block.head.startswith(COMMODITY):
            commodity = block.head[len(COMMODITY) :].strip()
        elif block.head[0].isdigit():
            try:
                journal.add(parse_transaction(block, commodity))
            except JournalError as problem:
                raise ParseError(str(problem), block.number) from None
        else:
            raise ParseError(f"unknown directive {block.head!r}", block.number)
    return journal


def split_blocks(text: str) -> list[Block]:
    """Cut a text into blocks, which end at a blank line, at a comment or at the next block."""
    blocks: list[Block] = []
    current: Block | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith(COMMENTS):
            current = None
        elif not line[0].isspace():
            current = Block(number, line)
            blocks.append(current)
        elif current is None:
            raise ParseError("a posting without a transaction", number)
        else:
            current.body.append(line)
    return blocks


def parse_transaction(block: Block, commodity: str | None = None) -> Transaction:
    """Read a transaction, whose postings may leave out the default commodity."""
    head, note = split_comment(block.head)
    match = _HEADER.fullmatch(head)
    if match is None or match["payee"] is None:
        raise ParseError("the payee is missing", block.number)
    notes = [note]
    postings: list[Posting] = []
    try:
        day = parse_date(match["date"])
    except ValueError as problem:
        raise ParseError(str(problem), block.number) from None
    for number, line in enumerate(block.body, start=block.number + 1):
        text, note = split_comment(line.strip())
        if not text:
            notes.append(note)
            continue
        try:
            postings.append(parse_posting(text, note, commodity))
        except ValueError as problem:
            raise ParseError(str(problem), number) from None
    return Transaction(
        day,
        match["payee"].strip(),
        tuple(postings),
        code=match["code"] or None,
        note=join_notes(notes),
        cleared=match["mark"] == "*",
    )


def parse_posting(text: str, note: str | None = None, commodity: str | None = None) -> Posting:
    """Read an account and, after a tab or two spaces, an amount if there is one."""
    name, gap, written = _GAP.sub("\t", text, count=1).partition("\t")
    amount = parse_amount(written, commodity) if gap else None
    return Posting(check_name(name), amount, note)


def split_comment(line: str) -> tuple[str, str | None]:
    """The text before the comment, and the comment; None when it is missing or empty."""
    text, _, comment = line.partition(";")
    return text.rstrip(), comment.strip() or None


def join_notes(notes: Iterable[str | None]) -> str | None:
    """The notes that are there, one a line; None when there are none."""
    return "\n".join(note for note in notes if note is not None) or None
