"""Date arithmetic, half-open periods, and transactions that come again."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice

from ledger.journal import Transaction

UNITS = ("day", "week", "month", "quarter", "year")
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}


class PeriodError(ValueError):
    """The text is not a period, or the period makes no sense."""


def add_months(day: date, months: int) -> date:
    """Move by months; a day that the month does not have becomes its last one."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    last = monthrange(year, month)[1]
    return date(year, month, min(day.day, last))


def advance(day: date, unit: str, count: int = 1) -> date:
    """Move by days, weeks, months, quarters or years."""
    days = _DAYS.get(unit)
    if days is not None:
        return day + timedelta(days=days * count)
    months = _MONTHS.get(unit)
    if months is None:
        raise PeriodError(f"unknown unit {unit!r}")
    return add_months(day, months * count)


@dataclass(frozen=True)
class Period:
    """The days with start <= day < end; None leaves a side open."""

    start: date | None = None
    end: date | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise PeriodError(f"the period {self.start}..{self.end} is empty")

    def __contains__(self, day: date) -> bool:
        if self.start is not None and day < self.start:
            return False
        return self.end is None or day < self.end

    def intersect(self, other: Period) -> Period | None:
        """The days of both periods; None when they share none."""
        start = _later(self.start, other.start)
        end = _earlier(self.end, other.end)
        if start is not None and end is not None and start >= end:
            return None
        return Period(start, end)

    def days(self) -> int | None:
        """How many days it has; None when a side is open."""
        if self.start is None or self.end is None:
            return None
        return (self.end - self.start).days

    def split(self, unit: str = "month") -> list[Period]:
        """Cut into pieces at the turns of the unit; the first and the last may be short."""
        if self.start is None or self.end is None:
            raise PeriodError("an open period cannot be split")
        pieces: list[Period] = []
        start = self.start
        while start < self.end:
            turn = advance(floor(start, unit), unit)
            end = turn if turn < self.end else self.end
            pieces.append(Period(start, end))
            start = end
        return pieces


def floor(day: date, unit: str) -> date:
    """The first day of the week (a Monday), month, quarter or year that the day is in."""
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "quarter":
        return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
    if unit == "month":
        return day.replace(day=1)
    if unit == "year":
        return date(day.year, 1, 1)
    raise PeriodError(f"unknown unit {unit!r}")


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
        unit, month = "quarter", quarter * 3 - 2
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


def _later(one: date | None, two: date | None) -> date | None:
    if one is None:
        return two
    return one if two is None or one > two else two


def _earlier(one: date | None, two: date | None) -> date | None:
    if one is None:
        return two
    return one if two is None or one < two else two


@dataclass(frozen=True)
class Recurrence:
    """Every so many units from a first day, until a last day or for a number of times."""

    first: date
    unit: str = "month"
    every: int = 1
    until: date | None = None
    times: int | None = None

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise PeriodError(f"unknown unit {self.unit!r}")
        if self.every < 1:
            raise PeriodError("a recurrence moves by one unit or more")

    def dates(self, period: Period | None = None) -> Iterator[date]:
        """The days in order; endless when neither the rule nor the period ends."""
        step = 0
        while self.times is None or step < self.times:
            day = advance(self.first, self.unit, self.every * step)
            if self.until is not None and day > self.until:
                return
            if period is not None and period.end is not None and day >= period.end:
                return
            if period is None or day in period:
                yield day
            step += 1

    def next_after(self, day: date) -> date | None:
        """The first day of the rule that is later; None when the rule has ended."""
        return next(self.dates(Period(day + timedelta(days=1))), None)


def recur(
    template: Transaction, rule: Recurrence, period: Period, limit: int | None = None
) -> list[Transaction]:
    """Copies of the template on the days of the rule in the period, at most `limit`."""
    if limit is None and period.end is None and rule.until is None and rule.times is None:
        raise PeriodError("the transaction would recur for ever")
    days = rule.dates(period)
    return [replace(template, date=day) for day in islice(days, limit)]
