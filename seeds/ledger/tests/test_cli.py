import io
import sys
from datetime import date

import pytest

from ledger.cli import chosen_period, main
from ledger.periods import Period, parse_period


def run(*arguments) -> list[str]:
    out = io.StringIO()
    assert main([str(argument) for argument in arguments], out) == 0
    return out.getvalue().splitlines()


def test_balance(household_file):
    assert run(household_file, "balance", "Expenses", "--depth", "2") == [
        "  120.00 USD  Expenses:Food",
        "1,600.00 USD  Expenses:Rent",
        "------------",
        "1,720.00 USD",
    ]


def test_balance_of_a_range(household_file):
    lines = run(household_file, "balance", "Expenses", "--from", "2024-01-31", "--to", "2024-02-10")
    assert lines == ["800.00 USD  Expenses:Rent"]


def test_balance_of_nothing(household_file):
    lines = run(household_file, "balance", "--from", "2024-02-01", "--period", "2024-01")
    assert lines == []


def test_register_with_pages(household_file):
    lines = run(household_file, "register", "Expenses", "--page", 2, "--page-size", 2)
    assert len(lines) == 3
    assert lines[0].startswith("2024-02-10 Noodle Bar")
    assert lines[-1] == "page 2 of 3"


def test_register_shows_the_last_page_first(household_file):
    lines = run(household_file, "register", "Expenses", "--page-size", 4)
    assert len(lines) == 2
    assert lines[0].startswith("2024-03-01 Corner Grocery")


def test_register_of_a_text(household_file):
    assert len(run(household_file, "register", "--text", "landlord")) == 4


def test_budget(household_file, tmp_path):
    limits = tmp_path / "budget.txt"
    limits.write_text("Expenses:Rent  $800\n", encoding="utf-8")
    assert run(household_file, "budget", limits, "--period", "2024-01") == [
        "Expenses:Rent: 800.00 USD of 800.00 USD (100%) nearly"
    ]


def test_import(household_file, tmp_path):
    statement = tmp_path / "statement.csv"
    statement.write_text(
        "date,payee,amount\n"
        "2024-03-02,CORNER GROC,-60.00\n"
        "2024-03-05,Cinema,-9\n"
        "2024-01-02,Bar,-1\n",
        encoding="utf-8",
    )
    lines = run(
        household_file, "import", statement, "--account", "Assets:Checking", "--since", "2024-03-01"
    )
    assert lines == [
        "2024-03-05 Cinema",
        "    Assets:Checking  -9.00 USD",
        "    Expenses:Unknown  9.00 USD",
    ]


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 10)])
def test_accounts_to_a_depth(household_file, depth, count):
    assert len(run(household_file, "accounts", "--depth", depth)) == count


def test_accounts_are_indented(household_file):
    assert run(household_file, "accounts")[-4:] == [
        "    Restaurants",
        "  Rent",
        "Income",
        "  Salary",
    ]


def test_output_goes_to_stdout_unless_told_otherwise(household_file, monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert main([str(household_file), "balance", "Assets:Savings"]) == 0
    assert out.getvalue() == "5,000.00 USD  Assets:Savings\n"


def test_a_missing_file_is_an_error(tmp_path, capsys):
    assert main([str(tmp_path / "none.journal"), "balance"]) == 1
    assert capsys.readouterr().err.startswith("ledger: ")


def test_a_page_that_does_not_exist_is_an_error(household_file, capsys):
    assert main([str(household_file), "register", "--page", "9"]) == 1
    assert capsys.readouterr().err == "ledger: there is no page 9 of 1\n"


@pytest.mark.parametrize(
    ("start", "end", "period", "chosen"),
    [
        (None, None, None, ".."),
        (date(2024, 1, 5), None, None, "2024-01-05.."),
        (None, date(2024, 1, 5), None, "..2024-01-05"),
        (None, None, "2024-01", "2024-01"),
        (date(2024, 1, 5), None, "2024-01", "2024-01-05..2024-02-01"),
    ],
)
def test_chosen_period(start, end, period, chosen):
    asked = None if period is None else parse_period(period)
    assert chosen_period(start, end, asked) == parse_period(chosen)


def test_no_period_is_chosen_when_there_is_nothing_to_see():
    assert chosen_period(date(2024, 2, 1), None, parse_period("2024-01")) is None
    assert chosen_period(None, None, None) == Period()
