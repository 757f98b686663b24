"""What the journal adds up to: balances, the running register, and its pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ledger.accounts import Account, abbreviate, build_tree, is_within, truncate
from ledger.amounts import Amount, Balance
from ledger.journal import Journal
from ledger.periods import Period

DEFAULT_PAGE_SIZE = 25


@dataclass(frozen=True)
class RegisterLine:
    """One posting, and what had been posted up to and with it."""

    date: date
    payee: str
    account: str
    amount: Amount
    running: Balance


@dataclass(frozen=True)
class Page:
    """A slice of the register; `number` counts from 1."""

    number: int
    pages: int
    lines: tuple[RegisterLine, ...]

    @property
    def previous(self) -> int | None:
        """The number of the page before, if there is one."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The number of the page after, if there is one."""
        return self.number + 1 if self.number < self.pages else None


def balance_tree(
    journal: Journal, period: Period | None = None, account: str | None = None
) -> Account:
    """The tree of accounts with what was posted to each in the period."""
    if period is None:
        period = Period()
    root = build_tree(())
    for transaction in journal.between(period.start, period.end):
        for posting in transaction.postings:
            if is_within(posting.account, account):
                root.require(posting.account).own.add(posting.amount)
    return root


def balances(
    journal: Journal,
    period: Period | None = None,
    account: str | None = None,
    depth: int | None = None,
) -> dict[str, Balance]:
    """What each account adds up to, by name; deeper ones count for their ancestor at `depth`."""
    result: dict[str, Balance] = {}
    for node in balance_tree(journal, period, account).walk():
        name = truncate(node.name, depth)
        result.setdefault(name, Balance()).update(node.own)
    return {name: balance for name, balance in result.items() if balance}


def closing_balances(
    journal: Journal, days: Sequence[date], account: str
) -> list[tuple[date, Balance]]:
    """What the account holds at the end of each of the days, which are in order."""
    for index in range(1, len(days)):
        if days[index] < days[index - 1]:
            raise ValueError("the days are out of order")
    result: list[tuple[date, Balance]] = []
    lines = register(journal, account)
    running = Balance()
    position = 0
    for day in days:
        while position < len(lines) and lines[position].date <= day:
            running.add(lines[position].amount)
            position += 1
        result.append((day, running.copy()))
    return result


def register(
    journal: Journal,
    account: str | None = None,
    period: Period | None = None,
    text: str | None = None,
    at_least: Decimal | None = None,
) -> list[RegisterLine]:
    """The postings to an account in order, each with the running balance."""
    period = period or Period()
    running = Balance()
    lines: list[RegisterLine] = []
    for transaction in journal.between(period.start, period.end):
        if text is not None and not transaction.matches(text):
            continue
        for posting in transaction.postings:
            amount = posting.amount
            if amount is None or not is_within(posting.account, account):
                continue
            if at_least is not None and abs(amount.quantity) < at_least:
                continue
            running.add(amount)
            lines.append(
                RegisterLine(
                    transaction.date, transaction.payee, posting.account, amount, running.copy()
                )
            )
    return lines


def page_of(
    lines: Sequence[RegisterLine], number: int | None = None, size: int = DEFAULT_PAGE_SIZE
) -> Page:
    """One page of the lines; without a number the last one. No lines are one empty page."""
    if size < 1:
        raise ValueError("a page has one line or more")
    pages = max(1, (len(lines) + size - 1) // size)
    if number is None:
        number = pages
    if not 1 <= number <= pages:
        raise ValueError(f"there is no page {number} of {pages}")
    start = (number - 1) * size
    return Page(number, pages, tuple(lines[start : start + size]))


def render_balances(totals: dict[str, Balance], width: int | None = None) -> list[str]:
    """A line per account, the amounts to the right, and the grand total."""
    if not totals:
        return []
    column = max(len(str(balance)) for balance in totals.values())
    total = Balance()
    lines: list[str] = []
    for name in sorted(totals):
        total.update(totals[name])
        shown = name if width is None else abbreviate(name, width)
        lines.append(f"{str(totals[name]):>{column}}  {shown}")
    if len(totals) > 1:
        lines.append("-" * column)
        lines.append(f"{str(total):>{column}}")
    return lines


def render_page(page: Page, width: int = 30) -> list[str]:
    """A line per posting; the date and payee only where they differ from the line above."""
    rows: list[str] = []
    for index, line in enumerate(page.lines):
        head = f"{line.date} {line.payee[:20]:<20}"
        if index > 0:
            above = page.lines[index - 1]
            if (above.date, above.payee) == (line.date, line.payee):
                head = " " * len(head)
        account = abbreviate(line.account, width)
        rows.append(f"{head} {account:<{width}} {str(line.amount):>16} {line.running}")
    if page.pages > 1:
        rows.append(f"page {page.number} of {page.pages}")
    return rows


def largest(lines: Iterable[RegisterLine], commodity: str, top: int = 5) -> list[RegisterLine]:
    """The lines with the largest amounts, either way; of equal ones the earlier first."""
    fitting = [line for line in lines if line.amount.commodity == commodity]
    fitting.sort(key=lambda line: abs(line.amount.quantity), reverse=True)
    return fitting[:top]
