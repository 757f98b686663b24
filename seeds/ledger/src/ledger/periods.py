"""Date arithmetic, half-open periods, and transactions that come again."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ledger.journal import Transaction

QUARTER_STARTS = range(1, 13, 3)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}


class PeriodError(ValueError):
    """The text is not a period, or the period makes no sense."""


def add_months(day: date, months: int) -> date:
    """Move by months; a day that the month does not have becomes its last one."""
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    _, last = monthrange(year, month + 1)
    return date(year, month + 1, min(day.day, last))


def advance(day: date, unit: str, count: int = 1) -> date:
    """Move by days, weeks, months, quarters or years."""
    days = _DAYS.get(unit)
    if days is not None:
        return day + timedelta(days=days * count)
    months = _MONTHS.get(unit)
    if months is None:
        raise PeriodError(f"unknown unit {unit!r}")
    return add_months(day, months * count)


def month_ends(first: date, count: int) -> list[date]:
    """The last days of `count` months, from the month that `first` is in."""
    start = first.replace(day=1)
    return [add_months(start, months) - timedelta(days=1) for months in range(1, count + 1)]


@dataclass(frozen=True)
class Period:
    """The days with start <= day < end; None leaves a side open."""

    start: date | None = None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise PeriodError(f"the period {self.start}..{self.end} is empty")

    def intersect(self, other: Period) -> Period | None:
        """The days of both periods; None when they share none."""
        start = max((day for day in (self.start, other.start) if day is not None), default=None)
        end = min((day for day in (self.end, other.end) if day is not None), default=None)
        if start is not None and end is not None and start >= end:
            return None
        return Period(start, end)

    def days(self) -> int | None:
        """How many days it has; None when a side is open."""
        if self.start is None or self.end is None:
            return None
        return (self.end - self.start).days


def parse_period(text: str) -> Period:
    """Read `2024`, `2024-Q1`, `2024-03`, `2024-03-15` or `A..B` (a side may be empty)."""
    if ".." in text:
        left, right = text.split("..", 1)
        return Period(_parse_start(left), _parse_start(right))
    match = re.fullmatch(r"(\d{4})(?:-Q(\d)|-(\d\d)(?:-(\d\d))?)?", text.strip())
    if match is None:
        raise PeriodError(f"not a period: {text!r}")
    year, quarter, month, day = (None if part is None else int(part) for part in match.groups())
    assert year is not None
    unit = "year"
    if quarter is not None:
        if not 1 <= quarter <= 4:
            raise PeriodError(f"there is no quarter {quarter}")
        unit, month = "quarter", QUARTER_STARTS[quarter - 1]
    elif day is not None:
        unit = "day"
    elif month is not None:
        unit = "month"
    try:
        start = date(year, 1 if month is None else month, 1 if day is None else day)
    except ValueError:
        raise PeriodError(f"not a period: {text!r}") from None
    return Period(start, advance(start, unit))


def _parse_start(text: str) -> date | None:
    """The first day of one side of a range; None for an empty side."""
    if not text.strip():
        return None
    return parse_period(text).start


def recurring(
    template: Transaction, unit: str, until: date | None = None, times: int | None = None
) -> list[Transaction]:
    """The template and its copies, one unit apart, up to a last day or a number of times."""
    if until is None and times is None:
        raise PeriodError("the transaction would recur for ever")
    copies: list[Transaction] = []
    step = 0
    while times is None or step < times:
        day = advance(template.date, unit, step)
        if until is not None and day > until:
            break
        copies.append(replace(template, date=day))
        step += 1
    return copies
