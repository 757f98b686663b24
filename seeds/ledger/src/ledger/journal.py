"""Postings and transactions, and the journal that holds them in order of date."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from ledger.accounts import is_within
from ledger.amounts import Amount, Balance


class JournalError(ValueError):
    """A transaction that does not balance, or a question without an answer."""


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

    def touches(self, account: str | None) -> bool:
        """True when a posting is to the account or below it."""
        if account is None:
            return True
        return any(is_within(posting.account, account) for posting in self.postings)

    def matches(self, text: str | None) -> bool:
        """True when the payee, the code or a note holds the text, in any case."""
        if not text:
            return True
        needle = text.casefold()
        if needle in self.payee.casefold():
            return True
        if self.code is not None and needle == self.code.casefold():
            return True
        notes = [self.note, *(posting.note for posting in self.postings)]
        return any(note is not None and needle in note.casefold() for note in notes)


class Journal:
    """Balanced transactions in order of date; of one day, in the order they were added."""

    def __init__(self, transactions: Iterable[Transaction] = ()) -> None:
        self._transactions: list[Transaction] = []
        self._dates: list[date] = []
        for transaction in transactions:
            self.add(transaction)

    def __len__(self) -> int:
        return len(self._transactions)

    def __iter__(self) -> Iterator[Transaction]:
        return iter(self._transactions)

    def add(self, transaction: Transaction) -> None:
        """Complete a transaction and put it behind all others of its day and before."""
        complete = transaction.completed()
        position = bisect_right(self._dates, complete.date)
        self._transactions.insert(position, complete)
        self._dates.insert(position, complete.date)

    @property
    def first_date(self) -> date | None:
        """The day of the first transaction."""
        return self._dates[0] if self._dates else None

    @property
    def last_date(self) -> date | None:
        """The day of the last transaction."""
        return self._dates[-1] if self._dates else None

    def between(self, start: date | None = None, end: date | None = None) -> list[Transaction]:
        """Transactions with start <= date < end; None leaves a side open."""
        if start is not None and end is not None and start > end:
            raise JournalError(f"the range {start} to {end} ends before it starts")
        low = 0 if start is None else bisect_left(self._dates, start)
        high = len(self._dates) if end is None else bisect_left(self._dates, end)
        return self._transactions[low:high]

    def latest(self, count: int, account: str | None = None) -> list[Transaction]:
        """The last `count` transactions that touch the account, the newest first."""
        found: list[Transaction] = []
        index = len(self._transactions) - 1
        while index >= 0 and len(found) < count:
            if self._transactions[index].touches(account):
                found.append(self._transactions[index])
            index -= 1
        return found

    def accounts(self) -> list[str]:
        """The names of all accounts that were posted to."""
        return sorted({posting.account for item in self for posting in item.postings})
