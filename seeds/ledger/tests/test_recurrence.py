from datetime import date
from decimal import Decimal
from itertools import islice

import pytest

from ledger.amounts import Amount
from ledger.journal import Posting, Transaction
from ledger.periods import Period, PeriodError, Recurrence, recur

FIRST = date(2024, 1, 31)
RENT = Transaction(
    date(2024, 1, 1),
    "Landlord",
    (Posting("Expenses:Rent", Amount(Decimal(800), "USD")), Posting("Assets:Checking")),
)


def test_the_last_day_of_each_month():
    found = list(islice(Recurrence(FIRST).dates(), 4))
    assert found == [FIRST, date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]


def test_every_second_week():
    rule = Recurrence(date(2024, 1, 1), "week", every=2)
    assert [day.day for day in islice(rule.dates(), 3)] == [1, 15, 29]


@pytest.mark.parametrize("times", [0, 1, 3])
def test_a_number_of_times(times):
    assert len(list(Recurrence(FIRST, times=times).dates())) == times


@pytest.mark.parametrize(("until", "count"), [(1, 1), (14, 1), (15, 2), (16, 2)])
def test_until_is_the_last_day_that_counts(until, count):
    rule = Recurrence(date(2024, 1, 1), "week", every=2, until=date(2024, 1, until))
    assert len(list(rule.dates())) == count


def test_a_period_limits_the_days():
    rule = Recurrence(date(2024, 1, 1), "day")
    period = Period(date(2024, 1, 3), date(2024, 1, 5))
    assert [day.day for day in rule.dates(period)] == [3, 4]


def test_times_are_counted_from_the_first_day_even_outside_the_period():
    rule = Recurrence(date(2024, 1, 1), "day", times=3)
    assert [day.day for day in rule.dates(Period(date(2024, 1, 2)))] == [2, 3]


def test_next_after():
    rule = Recurrence(date(2024, 1, 1), "week", until=date(2024, 1, 15))
    assert rule.next_after(date(2023, 12, 1)) == date(2024, 1, 1)
    assert rule.next_after(date(2024, 1, 1)) == date(2024, 1, 8)
    assert rule.next_after(date(2024, 1, 14)) == date(2024, 1, 15)
    assert rule.next_after(date(2024, 1, 15)) is None


@pytest.mark.parametrize("every", [0, -1])
def test_a_recurrence_must_move(every):
    with pytest.raises(PeriodError, match="one unit or more"):
        Recurrence(FIRST, every=every)


def test_an_unknown_unit():
    with pytest.raises(PeriodError, match="unknown unit"):
        Recurrence(FIRST, "fortnight")


def test_recur_copies_the_template():
    copies = recur(RENT, Recurrence(FIRST), Period(FIRST, date(2025, 1, 1)))
    assert len(copies) == 12
    assert copies[1].date == date(2024, 2, 29)
    assert {copy.payee for copy in copies} == {"Landlord"}


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_recur_up_to_a_limit(limit):
    assert len(recur(RENT, Recurrence(FIRST), Period(FIRST), limit)) == limit


def test_recur_for_ever_is_an_error():
    with pytest.raises(PeriodError, match="for ever"):
        recur(RENT, Recurrence(FIRST), Period(FIRST))


@pytest.mark.parametrize("ending", [{"times": 2}, {"until": date(2024, 2, 29)}])
def test_recur_ends_with_the_rule(ending):
    assert len(recur(RENT, Recurrence(FIRST, **ending), Period(FIRST))) == 2
