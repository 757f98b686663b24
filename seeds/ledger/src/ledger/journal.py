"""Postings and transactions, and the journal that holds them in order of date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from ledger.amounts import Amount, Balance


class JournalError(ValueError):
    """A transaction that does not balance."""


@dataclass(frozen=True)
class Posting:
    """One leg of a transaction; an amount of None is left to be worked out."""

    account: str
    amount: Amount | None = None
    note: str | None = None


@dataclass(frozen=True)
class Transaction:
    """What happened on a day, as postings that add up to zero."""

    date: date
    payee: str
    postings: tuple[Posting, ...]
    code: str | None = None
    note: str | None = None
    cleared: bool = False

    def completed(self) -> Transaction:
        """The same transaction with its missing amount filled in; raises when out of balance."""
        if len(self.postings) < 2:
            raise JournalError(f"{self.date} {self.payee}: fewer than two postings")
        total = Balance()
        missing: int | None = None
        for index, posting in enumerate(self.postings):
            if posting.amount is None:
                if missing is not None:
                    raise JournalError(f"{self.date} {self.payee}: two amounts are missing")
                missing = index
            total.add(posting.amount)
        if missing is None:
            if total:
                raise JournalError(f"{self.date} {self.payee}: off by {total}")
            return self
        rest = total.sole()
        if rest is None:
            raise JournalError(f"{self.date} {self.payee}: cannot work out the missing amount")
        postings = list(self.postings)
        postings[missing] = replace(postings[missing], amount=-rest)
        return replace(self, postings=tuple(postings))

    def matches(self, text: str | None) -> bool:
        """True when the payee, the code or a note holds the text, in any case."""
        if not text:
            return True
        needle = text.casefold()
        for words in (self.payee, self.code, self.note, *(each.note for each in self.postings)):
            if words is None:
                continue
            if needle in words.casefold():
                return True
        return False


class Journal:
    """Balanced transactions in order of date; of one day, in the order they were added."""

    def __init__(self, transactions: Iterable[Transaction] = ()) -> None:
        self._transactions: list[Transaction] = []
        for transaction in transactions:
            self.add(transaction)

    def __len__(self) -> int:
        return len(self._transactions)

    def __iter__(self) -> Iterator[Transaction]:
        return iter(self._transactions)

    def add(self, transaction: Transaction) -> None:
        """Complete a transaction and put it behind all others of its day and before."""
        complete = transaction.completed()
        # Most journals are written in order, so the place is near the end.
        position = len(self._transactions)
        while position > 0 and self._transactions[position - 1].date > complete.date:
            position -= 1
        self._transactions.insert(position, complete)

    def between(self, start: date | None = None, end: date | None = None) -> list[Transaction]:
        """Transactions with start <= date < end; None leaves a side open."""
        return [
            transaction
            for transaction in self
            if (start is None or transaction.date >= start)
            and (end is None or transaction.date < end)
        ]

    def accounts(self) -> list[str]:
        """The names of all accounts that were posted to."""
        return sorted({posting.account for item in self for posting in item.postings})

    def repeated_codes(self) -> list[str]:
        """The codes that more than one transaction has."""
        uses: dict[str, int] = {}
        for transaction in self:
            if transaction.code is None:
                continue
            uses[transaction.code] = uses.get(transaction.code, 0) + 1
        return sorted(code for code, count in uses.items() if count > 1)
