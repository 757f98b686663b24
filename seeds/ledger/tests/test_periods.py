from datetime import date

import pytest

from ledger.periods import Period, PeriodError, add_months, advance, floor, parse_period


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
        ("2024-03-31", 1, "2024-04-30"),
        ("2024-01-30", 2, "2024-03-30"),
        ("2024-11-15", 1, "2024-12-15"),
        ("2024-12-15", 1, "2025-01-15"),
        ("2024-12-15", 12, "2025-12-15"),
        ("2024-01-15", -1, "2023-12-15"),
        ("2024-05-15", 0, "2024-05-15"),
    ],
)
def test_add_months(start, months, moved):
    assert add_months(date.fromisoformat(start), months) == date.fromisoformat(moved)


@pytest.mark.parametrize(
    ("unit", "count", "moved"),
    [
        ("day", 1, "2024-02-29"),
        ("week", 2, "2024-03-13"),
        ("month", 1, "2024-03-28"),
        ("quarter", 1, "2024-05-28"),
        ("year", 2, "2026-02-28"),
    ],
)
def test_advance(unit, count, moved):
    assert advance(date(2024, 2, 28), unit, count) == date.fromisoformat(moved)


def test_advance_by_one_unless_told_otherwise():
    assert advance(date(2024, 2, 28), "day") == date(2024, 2, 29)


def test_advance_by_an_unknown_unit():
    with pytest.raises(PeriodError, match="unknown unit 'fortnight'"):
        advance(date(2024, 1, 1), "fortnight")


@pytest.mark.parametrize(
    ("unit", "first"),
    [
        ("day", "2024-06-30"),
        ("week", "2024-06-24"),
        ("month", "2024-06-01"),
        ("quarter", "2024-04-01"),
        ("year", "2024-01-01"),
    ],
)
def test_floor(unit, first):
    assert floor(date(2024, 6, 30), unit) == date.fromisoformat(first)


@pytest.mark.parametrize(("month", "first"), [(1, 1), (3, 1), (4, 4), (9, 7), (10, 10), (12, 10)])
def test_quarters_start_in_the_right_month(month, first):
    assert floor(date(2024, month, 9), "quarter") == date(2024, first, 1)


def test_a_week_starts_on_monday():
    monday = date(2024, 1, 1)
    assert floor(monday, "week") == monday
    assert floor(date(2024, 1, 7), "week") == monday


def test_floor_of_an_unknown_unit():
    with pytest.raises(PeriodError):
        floor(date(2024, 1, 1), "decade")


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("2024", "2024-01-01 2025-01-01"),
        ("2024-Q1", "2024-01-01 2024-04-01"),
        ("2024-Q4", "2024-10-01 2025-01-01"),
        ("2024-12", "2024-12-01 2025-01-01"),
        ("2024-02-28", "2024-02-28 2024-02-29"),
        (" 2024-03 ", "2024-03-01 2024-04-01"),
        ("2024-01-05..2024-02-01", "2024-01-05 2024-02-01"),
        ("2024-01..2024-03", "2024-01-01 2024-03-01"),
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
        "24",
        "2024-1",
        "2024-Q0",
        "2024-Q5",
        "2024-13",
        "2024-02-30",
        "Q1",
        "2024..2023",
        "2024..2024",
    ],
)
def test_parse_period_rejects(text):
    with pytest.raises(PeriodError):
        parse_period(text)


@pytest.mark.parametrize(
    ("period", "day", "inside"),
    [
        ("2024-01-02 2024-01-04", 1, False),
        ("2024-01-02 2024-01-04", 2, True),
        ("2024-01-02 2024-01-04", 3, True),
        ("2024-01-02 2024-01-04", 4, False),
        ("- 2024-01-04", 1, True),
        ("- 2024-01-04", 4, False),
        ("2024-01-02 -", 1, False),
        ("2024-01-02 -", 2, True),
        ("- -", 9, True),
    ],
)
def test_contains(period, day, inside):
    assert (date(2024, 1, day) in days(period)) is inside


@pytest.mark.parametrize("end", [1, 2])
def test_an_empty_period_is_an_error(end):
    with pytest.raises(PeriodError, match="is empty"):
        Period(date(2024, 1, 2), date(2024, 1, end))


@pytest.mark.parametrize(
    ("one", "two", "shared"),
    [
        ("2024-01-01 2024-01-10", "2024-01-05 2024-01-20", "2024-01-05 2024-01-10"),
        ("2024-01-01 2024-01-10", "2024-01-02 2024-01-03", "2024-01-02 2024-01-03"),
        ("2024-01-01 2024-01-10", "- -", "2024-01-01 2024-01-10"),
        ("2024-01-01 -", "- 2024-01-10", "2024-01-01 2024-01-10"),
        ("- -", "2024-01-03 -", "2024-01-03 -"),
        ("- -", "- -", "- -"),
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
    [("2024-02-01 2024-03-01", 29), ("2024-02-01 -", None), ("- 2024-02-01", None)],
)
def test_days(period, count):
    assert days(period).days() == count


def test_split_at_the_turns_of_the_month():
    pieces = days("2024-01-15 2024-03-02").split()
    assert pieces == [
        days("2024-01-15 2024-02-01"),
        days("2024-02-01 2024-03-01"),
        days("2024-03-01 2024-03-02"),
    ]


def test_split_a_whole_quarter():
    assert len(parse_period("2024-Q1").split("month")) == 3


def test_split_into_weeks():
    pieces = days("2024-01-01 2024-01-15").split("week")
    assert [piece.days() for piece in pieces] == [7, 7]


@pytest.mark.parametrize("period", ["2024-01-01 -", "- 2024-01-01"])
def test_an_open_period_cannot_be_split(period):
    with pytest.raises(PeriodError, match="cannot be split"):
        days(period).split()
