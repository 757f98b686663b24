from datetime import date
from decimal import Decimal

import pytest

from ledger.amounts import Amount
from ledger.journal import Posting, Transaction
from ledger.periods import (
    Period,
    PeriodError,
    add_months,
    advance,
    month_ends,
    parse_period,
    recurring,
)

RENT = Transaction(
    date(2024, 1, 31),
    "Landlord",
    (Posting("Expenses:Rent", Amount(Decimal(800), "USD")), Posting("Assets:Checking")),
)


def days(text: str) -> Period:
    left, _, right = text.partition(" ")
    return Period(
        date.fromisoformat(left) if left != "-" else None,
        date.fromisoformat(right) if right != "-" else None,
    )


@pytest.mark.parametrize(
    ("start", "months", "moved"),
    [
        ("2024-01-31", 1, "2024-02-29"),
        ("2023-01-31", 1, "2023-02-28"),
        ("2024-11-15", 1, "2024-12-15"),
        ("2024-12-15", 1, "2025-01-15"),
        ("2024-01-15", -1, "2023-12-15"),
    ],
)
def test_add_months(start, months, moved):
    assert add_months(date.fromisoformat(start), months) == date.fromisoformat(moved)


def test_advance():
    day = date(2024, 2, 28)
    assert advance(day, "day", 2) == date(2024, 3, 1)
    assert advance(day, "week", 2) == date(2024, 3, 13)
    assert advance(day, "month", 1) == date(2024, 3, 28)
    assert advance(day, "quarter", 1) == date(2024, 5, 28)
    assert advance(day, "year", 2) == date(2026, 2, 28)


def test_advance_by_one_unless_told_otherwise():
    assert advance(date(2024, 2, 28), "day") == date(2024, 2, 29)


def test_advance_by_an_unknown_unit():
    with pytest.raises(PeriodError, match="unknown unit 'fortnight'"):
        advance(date(2024, 1, 1), "fortnight")


def test_month_ends():
    ends = [date(2023, 12, 31), date(2024, 1, 31), date(2024, 2, 29)]
    assert month_ends(date(2023, 12, 31), 3) == ends
    assert month_ends(date(2023, 12, 1), 1) == ends[:1]
    assert month_ends(date(2023, 12, 1), 0) == []


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024", "2024-01-01 2025-01-01"),
        ("2024-Q1", "2024-01-01 2024-04-01"),
        ("2024-Q4", "2024-10-01 2025-01-01"),
        ("2024-12", "2024-12-01 2025-01-01"),
        (" 2024-03 ", "2024-03-01 2024-04-01"),
        ("2024-01-05..2024-02-01", "2024-01-05 2024-02-01"),
        ("2024-01-05..", "2024-01-05 -"),
        ("..2024", "- 2024-01-01"),
        ("..", "- -"),
    ],
)
def test_parse_period(text, period):
    assert parse_period(text) == days(period)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2024-Q0",
        "2024-Q5",
        "2024-13",
        "2024-02-30",
        "2024..2023",
    ],
)
def test_parse_period_rejects(text):
    with pytest.raises(PeriodError):
        parse_period(text)


def test_an_empty_period_is_an_error():
    with pytest.raises(PeriodError, match="is empty"):
        Period(date(2024, 1, 2), date(2024, 1, 1))


@pytest.mark.parametrize(
    ("one", "two", "shared"),
    [
        ("2024-01-01 2024-01-10", "2024-01-05 2024-01-20", "2024-01-05 2024-01-10"),
        ("2024-01-01 2024-01-10", "2024-01-02 2024-01-03", "2024-01-02 2024-01-03"),
        ("2024-01-01 2024-01-10", "- -", "2024-01-01 2024-01-10"),
        ("2024-01-01 -", "- 2024-01-10", "2024-01-01 2024-01-10"),
        ("- -", "2024-01-03 -", "2024-01-03 -"),
    ],
)
def test_intersect(one, two, shared):
    assert days(one).intersect(days(two)) == days(shared)
    assert days(two).intersect(days(one)) == days(shared)


@pytest.mark.parametrize("other", ["2024-01-10 2024-01-12", "2024-01-11 -"])
def test_periods_that_only_touch_share_nothing(other):
    period = days("2024-01-01 2024-01-10")
    assert period.intersect(days(other)) is None
    assert days(other).intersect(period) is None


@pytest.mark.parametrize(
    ("period", "count"),
    [("2024-02-01 2024-03-01", 29), ("2024-02-01 -", None)],
)
def test_days(period, count):
    assert days(period).days() == count


def test_recurring_on_the_last_day_of_each_month():
    copies = recurring(RENT, "month", times=3)
    assert [copy.date for copy in copies] == [RENT.date, date(2024, 2, 29), date(2024, 3, 31)]
    assert {copy.payee for copy in copies} == {"Landlord"}


@pytest.mark.parametrize(("until", "count"), [(13, 2), (14, 3)])
def test_the_last_day_of_recurring_counts(until, count):
    assert len(recurring(RENT, "week", date(2024, 2, until))) == count


def test_recurring_ends_with_whatever_comes_first():
    assert len(recurring(RENT, "day", date(2024, 2, 9), 3)) == 3
    assert len(recurring(RENT, "day", date(2024, 2, 1), 3)) == 2
    assert recurring(RENT, "day", times=0) == []


def test_recurring_for_ever_is_an_error():
    with pytest.raises(PeriodError, match="for ever"):
        recurring(RENT, "month")
