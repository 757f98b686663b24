from datetime import date

import pytest

from ledger.periods import Period, parse_period
from ledger.reports import balance_tree, balances, closing_balances, render_balances


def shown(totals):
    return {name: str(balance) for name, balance in totals.items()}


def test_balances_of_everything(household):
    assert shown(balances(household)) == {
        "Assets:Checking": "1,280.00 USD",
        "Assets:Savings": "5,000.00 USD",
        "Equity:Opening": "-6,000.00 USD",
        "Expenses:Food:Groceries": "102.10 USD",
        "Expenses:Food:Restaurants": "17.90 USD",
        "Expenses:Rent": "1,600.00 USD",
        "Income:Salary": "-2,000.00 USD",
    }


def test_balances_of_a_month_leave_out_the_first_day_of_the_next(household):
    assert shown(balances(household, parse_period("2024-02"), "Expenses")) == {
        "Expenses:Food:Restaurants": "17.90 USD",
        "Expenses:Rent": "800.00 USD",
    }


def test_balances_to_a_depth(household):
    assert shown(balances(household, account="Expenses", depth=2)) == {
        "Expenses:Food": "120.00 USD",
        "Expenses:Rent": "1,600.00 USD",
    }


def test_what_cancels_out_is_left_out(household):
    assert shown(balances(household, depth=1))["Expenses"] == "1,720.00 USD"
    assert balances(household, Period(None, date(2024, 1, 1))) == {}


def test_the_tree_sums_up_what_is_below(household):
    food = balance_tree(household).find("Expenses:Food")
    assert not food.own
    assert str(food.total) == "120.00 USD"


def test_the_tree_of_everything_adds_up_to_zero(household):
    assert not balance_tree(household).total


def test_closing_balances_count_the_day_itself(household):
    days = [date(2023, 12, 31), date(2024, 1, 5), date(2024, 1, 30), date(2024, 1, 31)]
    found = closing_balances(household, days, "Assets:Checking")
    assert [str(balance) for balance in found] == ["0", "957.90 USD", "957.90 USD", "157.90 USD"]


def test_closing_balances_after_the_last_transaction(household):
    days = [date(2024, 1, 1), date(2024, 12, 31), date(2025, 12, 31)]
    found = closing_balances(household, days, "Assets:Checking")
    assert [str(balance) for balance in found] == ["1,000.00 USD", "1,280.00 USD", "1,280.00 USD"]


@pytest.mark.parametrize("days", [[2, 1], [1, 3, 2]])
def test_closing_balances_need_days_in_order(household, days):
    with pytest.raises(ValueError, match="out of order"):
        closing_balances(household, [date(2024, 1, day) for day in days], "Assets")


def test_render_balances(household):
    totals = balances(household, account="Assets")
    assert render_balances(totals) == [
        "1,280.00 USD  Assets:Checking",
        "5,000.00 USD  Assets:Savings",
        "------------",
        "6,280.00 USD",
    ]


def test_render_one_balance_without_a_total(household):
    totals = balances(household, account="Expenses:Rent")
    assert render_balances(totals) == ["1,600.00 USD  Expenses:Rent"]


def test_render_nothing():
    assert render_balances({}) == []


def test_render_balances_in_a_narrow_column(household):
    totals = balances(household, account="Assets:Checking")
    assert render_balances(totals, 12) == ["1,280.00 USD  As:Checking"]
