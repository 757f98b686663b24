"""What the journal adds up to: balances, the running register, and its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

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
    amount: Amount | None
    running: Balance


@dataclass(frozen=True)
class Page:
    """A slice of the register; `number` counts from 1."""

    number: int
    pages: int
    lines: tuple[RegisterLine, ...]


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


def register(
    journal: Journal,
    account: str | None = None,
    period: Period | None = None,
    text: str | None = None,
) -> list[RegisterLine]:
    """The postings to an account in order, each with the running balance."""
    period = period or Period()
    running = Balance()
    lines: list[RegisterLine] = []
    for transaction in journal.between(period.start, period.end):
        if text is not None and not transaction.matches(text):
            continue
        for posting in transaction.postings:
            if not is_within(posting.account, account):
                continue
            running.add(posting.amount)
            lines.append(
                RegisterLine(
                    transaction.date,
                    transaction.payee,
                    posting.account,
                    posting.amount,
                    running.copy(),
                )
            )
    return lines


def closing_balances(journal: Journal, days: Sequence[date], account: str) -> list[Balance]:
    """What the account holds at the end of each of the days, which are in order."""
    if any(later < earlier for earlier, later in pairwise(days)):
        raise ValueError("the days are out of order")
    closed: list[Balance] = []
    running = Balance()
    for line in register(journal, account):
        while len(closed) < len(days) and days[len(closed)] < line.date:
            closed.append(running.copy())
        running.add(line.amount)
    for _ in range(len(days) - len(closed)):
        closed.append(running.copy())
    return closed


def page_of(
    lines: Sequence[RegisterLine], number: int | None = None, size: int = DEFAULT_PAGE_SIZE
) -> Page:
    """One page of the lines; without a number the last one. No lines are one empty page."""
    if size < 1:
        raise ValueError("a page has one line or more")
    pages = [tuple(lines[start : start + size]) for start in range(0, len(lines), size)] or [()]
    if number is None:
        number = len(pages)
    if not 1 <= number <= len(pages):
        raise ValueError(f"there is no page {number} of {len(pages)}")
    return Page(number, len(pages), pages[number - 1])


def render_balances(totals: dict[str, Balance], width: int | None = None) -> list[str]:
    """A line per account, the amounts to the right, and the grand total."""
    if not totals:
        return []
    column = max(len(str(balance)) for balance in totals.values())
    total = Balance()
    lines: list[str] = []
    for name in sorted(totals):
        total.update(totals[name])
        amount = f"{str(totals[name]):>{column}}"
        if width is not None:
            name = abbreviate(name, width)
        lines.append(f"{amount}  {name}")
    if len(totals) > 1:
        lines.append("-" * column)
        lines.append(f"{str(total):>{column}}")
    return lines


def render_page(page: Page, width: int = 30) -> list[str]:
    """A line per posting; the date and payee only where they differ from the line above."""
    rows: list[str] = []
    above: RegisterLine | None = None
    for line in page.lines:
        head = f"{line.date} {line.payee:<20.20}"
        if above is not None and (above.date, above.payee) == (line.date, line.payee):
            head = " " * len(head)
        account = abbreviate(line.account, width)
        rows.append(f"{head} {account:<{width}} {str(line.amount):>16} {line.running}")
        above = line
    if page.pages > 1:
        rows.append(f"page {page.number} of {page.pages}")
    return rows
