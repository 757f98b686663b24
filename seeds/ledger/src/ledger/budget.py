"""Monthly limits for accounts, against what was spent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from ledger.accounts import check_name, lineage
from ledger.amounts import Amount, Balance, parse_amount
from ledger.journal import Journal
from ledger.parser import ParseError, strip_comment
from ledger.periods import Period, advance, floor
from ledger.reports import balance_tree

NEARLY = Decimal("0.9")


@dataclass(frozen=True)
class BudgetLine:
    """What an account may cost in a period, and what it did."""

    account: str
    limit: Amount
    spent: Amount

    @property
    def left(self) -> Amount:
        """What may still be spent; negative when it was too much."""
        return self.limit + -self.spent

    @property
    def share(self) -> Decimal | None:
        """Spent over limit; None for a limit of zero."""
        if not self.limit:
            return None
        return self.spent.quantity / self.limit.quantity

    @property
    def status(self) -> str:
        """`over`, `nearly` (from 90 % on), or `ok`."""
        if self.spent.quantity > self.limit.quantity:
            return "over"
        share = self.share
        if share is not None and share >= NEARLY:
            return "nearly"
        return "ok"


def parse_budget(text: str, default_commodity: str | None = None) -> dict[str, Amount]:
    """Read a budget file: an account, two spaces or more, and a monthly limit on each line."""
    limits: dict[str, Amount] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = strip_comment(raw).strip()
        if not line:
            continue
        name, gap, amount = line.partition("  ")
        if not gap:
            raise ParseError("the limit is missing", number)
        if name in limits:
            raise ParseError(f"a second limit for {name}", number)
        try:
            limits[check_name(name)] = parse_amount(amount, default_commodity)
        except ValueError as problem:
            raise ParseError(str(problem), number) from None
    return limits


def limit_for(limits: Mapping[str, Amount], account: str) -> str | None:
    """The nearest account, upward from the given one, that has a limit."""
    names = lineage(account)
    for index in range(len(names) - 1, -1, -1):
        if names[index] in limits:
            return names[index]
    return None


def scaled(limit: Amount, period: Period) -> Amount:
    """A monthly limit for a period: whole months count fully, others by their days."""
    total = Decimal(0)
    for piece in period.split("month"):
        assert piece.start is not None
        month = Period(floor(piece.start, "month"), advance(floor(piece.start, "month"), "month"))
        total += Decimal(piece.days() or 0) / Decimal(month.days() or 1)
    return Amount(limit.quantity * total, limit.commodity).rounded()


def compare(
    journal: Journal,
    limits: Mapping[str, Amount],
    period: Period,
    only: Iterable[str] | None = None,
) -> list[BudgetLine]:
    """A line per limit, in order of name; each posting counts for its nearest limit alone."""
    spent = {name: Balance() for name in limits}
    for node in balance_tree(journal, period).walk():
        name = limit_for(limits, node.name)
        if name is not None:
            spent[name].update(node.own)
    wanted = None if only is None else set(only)
    lines: list[BudgetLine] = []
    for name in sorted(limits):
        if wanted is not None and name not in wanted:
            continue
        limit = scaled(limits[name], period)
        lines.append(BudgetLine(name, limit, spent[name].get(limit.commodity)))
    return lines


def render_budget(lines: Iterable[BudgetLine]) -> list[str]:
    """A line per account: spent, limit, share and status."""
    rows: list[str] = []
    for line in lines:
        share = line.share
        percent = "-" if share is None else f"{share * 100:.0f}%"
        rows.append(f"{line.account}: {line.spent} of {line.limit} ({percent}) {line.status}")
    return rows
