from decimal import Decimal

import pytest

from ledger.amounts import Amount, parse_amount
from ledger.budget import BudgetLine, compare, limit_for, parse_budget, render_budget, scaled
from ledger.parser import ParseError
from ledger.periods import Period, PeriodError, parse_period


@pytest.fixture
def limits() -> dict[str, Amount]:
    return {
        "Expenses": Amount(Decimal(1000), "USD"),
        "Expenses:Food": Amount(Decimal(50), "USD"),
    }


def line(spent: str, limit: str = "100") -> BudgetLine:
    return BudgetLine("X", Amount(Decimal(limit), "USD"), Amount(Decimal(spent), "USD"))


def test_parse_budget(limits):
    text = "; monthly\nExpenses  $1,000 ; all in all\n\n  Expenses:Food    $50\n"
    assert parse_budget(text) == limits


def test_parse_budget_with_a_default_commodity():
    assert parse_budget("Rent  800", "CHF") == {"Rent": parse_amount("800 CHF")}


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("Rent", 1, "the limit is missing"),
        ("\nRent $800", 2, "the limit is missing"),
        ("Rent  $800\nRent  $900", 2, "a second limit for Rent"),
        ("Rent  lots", 1, "not an amount"),
        (":Rent  $800", 1, "part 1 of account"),
    ],
)
def test_parse_budget_names_the_line(text, number, message):
    with pytest.raises(ParseError, match=message) as caught:
        parse_budget(text)
    assert caught.value.line == number


@pytest.mark.parametrize(
    ("account", "name"),
    [
        ("Expenses:Food:Groceries", "Expenses:Food"),
        ("Expenses:Food", "Expenses:Food"),
        ("Expenses:Rent", "Expenses"),
        ("Expenses", "Expenses"),
        ("Assets:Cash", None),
    ],
)
def test_limit_for(limits, account, name):
    assert limit_for(limits, account) == name


@pytest.mark.parametrize(
    ("period", "limit"),
    [
        ("2024-02", "31"),
        ("2024-Q1", "93"),
        ("2024", "372"),
        ("2024-01-01..2024-01-11", "10"),
        ("2024-01-31..2024-03-01", "32"),
        ("2024-03-31", "1"),
    ],
)
def test_scaled(period, limit):
    assert scaled(parse_amount("$31"), parse_period(period)) == parse_amount(f"${limit}")


def test_an_open_period_has_no_limit():
    with pytest.raises(PeriodError):
        scaled(parse_amount("$31"), Period())


def test_compare_counts_each_posting_once(household, limits):
    lines = compare(household, limits, parse_period("2024-02"))
    assert [(item.account, str(item.spent)) for item in lines] == [
        ("Expenses", "800.00 USD"),
        ("Expenses:Food", "17.90 USD"),
    ]


def test_compare_scales_the_limits(household, limits):
    lines = compare(household, limits, parse_period("2024-Q1"))
    assert [str(item.limit) for item in lines] == ["3,000.00 USD", "150.00 USD"]


def test_compare_only_some_accounts(household, limits):
    lines = compare(household, limits, parse_period("2024-02"), only=["Expenses:Food"])
    assert [item.account for item in lines] == ["Expenses:Food"]
    assert compare(household, limits, parse_period("2024-02"), only=[]) == []


def test_nothing_spent_is_zero_in_the_commodity_of_the_limit(household):
    limits = {"Expenses:Travel": parse_amount("100 EUR")}
    assert str(compare(household, limits, parse_period("2024"))[0].spent) == "0.00 EUR"


@pytest.mark.parametrize(
    ("spent", "status"),
    [("0", "ok"), ("89.99", "ok"), ("90", "nearly"), ("100", "nearly"), ("100.01", "over")],
)
def test_status(spent, status):
    assert line(spent).status == status


def test_left():
    assert line("30").left == parse_amount("$70")
    assert line("130").left == parse_amount("-$30")


def test_share():
    assert line("25").share == Decimal("0.25")


def test_a_limit_of_zero_has_no_share():
    assert line("0", "0").share is None
    assert line("0", "0").status == "ok"
    assert line("1", "0").status == "over"


def test_render_budget():
    assert render_budget([line("90"), line("0", "0")]) == [
        "X: 90.00 USD of 100.00 USD (90%) nearly",
        "X: 0.00 USD of 0.00 USD (-) ok",
    ]
