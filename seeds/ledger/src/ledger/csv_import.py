"""A bank's CSV file as transactions: columns, rules for accounts, and known rows left out."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from ledger.accounts import is_within
from ledger.amounts import Amount, AmountError, parse_amount
from ledger.journal import Journal, Posting, Transaction
from ledger.parser import parse_date

UNKNOWN = "Expenses:Unknown"
ALIASES = {
    "date": ("date", "booking date", "posted"),
    "payee": ("payee", "description", "merchant"),
    "amount": ("amount", "value"),
    "note": ("note", "memo", "reference"),
}


class CsvError(ValueError):
    """A file that cannot be imported; names the row, counted from 1."""


@dataclass(frozen=True)
class Profile:
    """How a bank writes its files."""

    account: str
    commodity: str = "USD"
    delimiter: str = ","
    skip: int = 0
    sign: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    fallback: str | None = None


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """Where the known columns are; date, payee and amount must be there."""
    cleaned = [title.strip().lower() for title in header]
    columns: dict[str, int] = {}
    for name, aliases in ALIASES.items():
        position = next((cleaned.index(alias) for alias in aliases if alias in cleaned), None)
        if position is None:
            if name == "note":
                continue
            raise CsvError(f"no column for the {name}")
        columns[name] = position
    return columns


def choose_account(payee: str, rules: Mapping[str, str], fallback: str | None = None) -> str:
    """The account of the longest rule that the payee holds, in any case."""
    best: str | None = None
    for pattern in rules:
        if pattern.lower() not in payee.lower():
            continue
        if best is None or len(pattern) > len(best):
            best = pattern
    if best is None:
        return fallback or UNKNOWN
    return rules[best]


def read_rows(text: str, profile: Profile) -> list[Transaction]:
    """All rows of the file as transactions, in the order of the file."""
    rows = list(csv.reader(io.StringIO(text), delimiter=profile.delimiter))[profile.skip :]
    if not rows:
        raise CsvError("the file has no header")
    columns = find_columns(rows[0])
    result: list[Transaction] = []
    for number, row in enumerate(rows[1:], start=profile.skip + 2):
        if not any(cell.strip() for cell in row):
            continue
        try:
            result.append(_transaction(row, columns, profile))
        except (AmountError, ValueError) as problem:
            raise CsvError(f"row {number}: {problem}") from None
    return result


def _transaction(row: Sequence[str], columns: Mapping[str, int], profile: Profile) -> Transaction:
    day = _cell(row, columns.get("date"))
    payee = _cell(row, columns.get("payee"))
    written = _cell(row, columns.get("amount"))
    if day is None or payee is None or written is None:
        raise ValueError("a cell is empty")
    amount = parse_amount(written, profile.commodity)
    if profile.sign < 0:
        amount = -amount
    other = choose_account(payee, profile.rules, profile.fallback)
    postings = (Posting(profile.account, amount), Posting(other, -amount))
    note = _cell(row, columns.get("note"))
    return Transaction(parse_date(day), payee, postings, note=note)


def _cell(row: Sequence[str], index: int | None) -> str | None:
    """The text of a cell; None when the column, the cell or its text is missing."""
    if index is None or index >= len(row):
        return None
    return row[index].strip() or None


def _amount_in(transaction: Transaction, account: str) -> Amount | None:
    for posting in transaction.postings:
        if is_within(posting.account, account):
            return posting.amount
    return None


def find_known(
    known: Iterable[Transaction], row: Transaction, account: str, slack: int = 3
) -> Transaction | None:
    """The nearest known transaction of the same amount, at most `slack` days away."""
    amount = _amount_in(row, account)
    if amount is None:
        return None
    best: Transaction | None = None
    for candidate in known:
        distance = _distance(candidate, row)
        if distance > slack or _amount_in(candidate, account) != amount:
            continue
        if best is None or distance < _distance(best, row):
            best = candidate
    return best


def _distance(one: Transaction, two: Transaction) -> int:
    return abs((one.date - two.date).days)


def new_rows(
    journal: Journal, rows: Iterable[Transaction], account: str, since: date | None = None
) -> list[Transaction]:
    """The rows that the journal does not know; each known transaction stands for one row."""
    unmatched = list(journal)
    result: list[Transaction] = []
    for row in rows:
        if since is not None and row.date < since:
            continue
        match = find_known(unmatched, row, account)
        if match is None:
            result.append(row)
        else:
            unmatched.remove(match)
    return result


def render_transaction(transaction: Transaction) -> str:
    """The transaction in the format of the journal."""
    code = "" if transaction.code is None else f" ({transaction.code})"
    mark = " *" if transaction.cleared else ""
    lines = [f"{transaction.date}{mark}{code} {transaction.payee}"]
    if transaction.note is not None:
        lines.extend(f"    ; {line}" for line in transaction.note.splitlines())
    for posting in transaction.postings:
        amount = "" if posting.amount is None else f"  {posting.amount}"
        lines.append(f"    {posting.account}{amount}")
    return "\n".join(lines)
