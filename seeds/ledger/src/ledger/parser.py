"""The text format of a journal: transactions, comments and a default commodity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from ledger.accounts import AccountError, check_name
from ledger.amounts import AmountError, parse_amount
from ledger.journal import Journal, JournalError, Posting, Transaction

COMMENT = ";"
_HEADER = re.compile(
    r"(?P<date>\S+)(?:\s+(?P<mark>[*!]))?(?:\s+\((?P<code>[^)]*)\))?(?:\s+(?P<payee>.*))?"
)
_GAP = re.compile(r"\t|\s{2,}")


class ParseError(ValueError):
    """A line that cannot be read; `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


def parse_date(text: str) -> date:
    """Read `2024-03-05`, `2024/3/5` or `2024.03.05`."""
    parts = re.split(r"[-/.]", text)
    if len(parts) != 3 or len(parts[0]) != 4:
        raise ValueError(f"not a date: {text!r}")
    try:
        return date(int(parts[0]), int(parts[1]), int(parts[2]))
    except ValueError:
        raise ValueError(f"not a date: {text!r}") from None


def parse_journal(text: str) -> Journal:
    """Read a whole journal; raises ParseError at the first line that is wrong."""
    return _Parser(text.splitlines()).run()


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.position = 0
        self.journal = Journal()
        self.default_commodity: str | None = None

    def run(self) -> Journal:
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if not line.strip() or line.lstrip()[0] in "#;":
                self.position += 1
            elif line[0].isspace():
                raise self.error("a posting without a transaction")
            elif line[0].isdigit():
                self.read_transaction()
            else:
                self.read_directive(line)
                self.position += 1
        return self.journal

    def error(self, message: str, line: int | None = None) -> ParseError:
        """A ParseError at the given index, or at the current one."""
        if line is None:
            line = self.position
        return ParseError(message, line + 1)

    def read_directive(self, line: str) -> None:
        words = strip_comment(line).split()
        if words[0] == "commodity" and len(words) == 2:
            self.default_commodity = words[1]
        else:
            raise self.error(f"unknown directive {words[0]!r}")

    def read_transaction(self) -> None:
        start = self.position
        match = _HEADER.fullmatch(strip_comment(self.lines[start]))
        if match is None:
            raise self.error("a transaction starts with its date and payee")
        try:
            day = parse_date(match["date"])
        except ValueError as problem:
            raise self.error(str(problem)) from None
        payee = match["payee"]
        if payee is None or not payee.strip():
            raise self.error("the payee is missing")
        notes = [comment_of(self.lines[start])]
        postings: list[Posting] = []
        self.position += 1
        while self.position < len(self.lines):
            line = self.lines[self.position]
            if not line.strip() or not line[0].isspace():
                break
            if line.lstrip().startswith(COMMENT):
                notes.append(comment_of(line))
            else:
                postings.append(self.read_posting(line))
            self.position += 1
        transaction = Transaction(
            day,
            payee.strip(),
            tuple(postings),
            code=match["code"] or None,
            note=join_notes(notes),
            cleared=match["mark"] == "*",
        )
        try:
            self.journal.add(transaction)
        except JournalError as problem:
            raise self.error(str(problem), start) from None

    def read_posting(self, line: str) -> Posting:
        body = strip_comment(line).strip()
        gap = _GAP.search(body)
        name = body if gap is None else body[: gap.start()]
        written = None if gap is None else body[gap.end() :]
        try:
            account = check_name(name)
            amount = None
            if written is not None:
                amount = parse_amount(written, self.default_commodity)
        except (AccountError, AmountError) as problem:
            raise self.error(str(problem)) from None
        return Posting(account, amount, comment_of(line))


def strip_comment(line: str) -> str:
    """The line up to its comment, without trailing space."""
    cut = line.find(COMMENT)
    if cut >= 0:
        line = line[:cut]
    return line.rstrip()


def comment_of(line: str) -> str | None:
    """The text of the line's comment; None when it has none or an empty one."""
    cut = line.find(COMMENT)
    if cut < 0:
        return None
    return line[cut + 1 :].strip() or None


def join_notes(notes: Iterable[str | None]) -> str | None:
    """The notes that are there, one a line; None when there are none."""
    return "\n".join(note for note in notes if note is not None) or None
