"""The command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TextIO

from ledger.accounts import build_tree
from ledger.journal import Journal
from ledger.parser import parse_date, parse_journal
from ledger.periods import Period, month_ends, parse_period
from ledger.reports import (
    balances,
    closing_balances,
    page_of,
    register,
    render_balances,
    render_page,
)


def build_parser() -> argparse.ArgumentParser:
    """The arguments of the commands."""
    parser = argparse.ArgumentParser(prog="ledger", description="Plain-text bookkeeping.")
    parser.add_argument("journal", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)

    balance = commands.add_parser("balance", help="what each account adds up to")
    balance.add_argument("account", nargs="?")
    balance.add_argument("--depth", type=int)
    _add_range(balance)

    lines = commands.add_parser("register", help="postings with a running balance")
    lines.add_argument("account", nargs="?")
    lines.add_argument("--text")
    lines.add_argument("--page", type=int)
    lines.add_argument("--page-size", type=int, default=25)
    _add_range(lines)

    history = commands.add_parser("history", help="what an account holds at the end of each month")
    history.add_argument("account")
    history.add_argument("--from", dest="start", type=parse_date, required=True)
    history.add_argument("--months", type=int, default=12)

    accounts = commands.add_parser("accounts", help="the tree of accounts")
    accounts.add_argument("--depth", type=int)
    commands.add_parser("check", help="codes that were used twice")
    return parser


def _add_range(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="start", type=parse_date)
    parser.add_argument("--to", dest="end", type=parse_date)
    parser.add_argument("--period", type=parse_period)


def chosen_period(start: date | None, end: date | None, period: Period | None) -> Period | None:
    """What --from, --to and --period ask for together; None when there is nothing to see."""
    bounds = Period(start, end)
    if period is None:
        return bounds
    return bounds.intersect(period)


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """Run a command; returns 0, or 1 with a message when something is wrong."""
    if out is None:
        out = sys.stdout
    options = build_parser().parse_args(argv)
    try:
        journal = parse_journal(options.journal.read_text(encoding="utf-8"))
        lines = run(options, journal)
    except (OSError, ValueError) as problem:
        print(f"ledger: {problem}", file=sys.stderr)
        return 1
    for line in lines:
        print(line, file=out)
    return 0


def run(options: argparse.Namespace, journal: Journal) -> list[str]:
    """The lines that a command prints."""
    if options.command == "accounts":
        tree = build_tree(journal.accounts())
        return ["  " * (node.depth - 1) + node.label for node in tree.walk(options.depth)]
    if options.command == "check":
        return [f"code {code} is used more than once" for code in journal.repeated_codes()]
    if options.command == "history":
        days = month_ends(options.start, options.months)
        closed = closing_balances(journal, days, options.account)
        return [f"{day} {balance}" for day, balance in zip(days, closed, strict=True)]
    period = chosen_period(options.start, options.end, options.period)
    if period is None:
        return []
    if options.command == "balance":
        return render_balances(balances(journal, period, options.account, options.depth))
    lines = register(journal, options.account, period, options.text)
    return render_page(page_of(lines, options.page, options.page_size))
