import io
import sys
from datetime import date

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


def test_register_of_a_text(household_file):
    assert len(run(household_file, "register", "--text", "landlord")) == 4


def test_history(household_file):
    arguments = ("Assets:Checking", "--from", "2024-01-15", "--months", 2)
    assert run(household_file, "history", *arguments) == [
        "2024-01-31 157.90 USD",
        "2024-02-29 1,340.00 USD",
    ]


def test_accounts_to_a_depth(household_file):
    assert run(household_file, "accounts", "--depth", 1) == [
        "Assets",
        "Equity",
        "Expenses",
        "Income",
    ]


def test_accounts_are_indented(household_file):
    assert run(household_file, "accounts")[-4:] == [
        "    Restaurants",
        "  Rent",
        "Income",
        "  Salary",
    ]


def test_check_finds_nothing(household_file):
    assert run(household_file, "check") == []


def test_check_names_a_repeated_code(tmp_path):
    path = tmp_path / "codes.journal"
    path.write_text(
        "2024-01-01 (7) X\n A  $1\n B\n2024-01-02 (7) Y\n A  $2\n B\n", encoding="utf-8"
    )
    assert run(path, "check") == ["code 7 is used more than once"]


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


def test_chosen_period():
    january = parse_period("2024-01")
    assert chosen_period(None, None, None) == Period()
    assert chosen_period(date(2024, 1, 5), None, None) == Period(date(2024, 1, 5))
    assert chosen_period(date(2024, 1, 5), None, january) == parse_period("2024-01-05..2024-02-01")
    assert chosen_period(date(2024, 2, 1), None, january) is None
