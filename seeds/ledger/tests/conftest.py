"""A small household journal that several test files share."""

from textwrap import dedent

import pytest

from ledger.journal import Journal
from ledger.parser import parse_journal

HOUSEHOLD = dedent(
    """\
    2024-01-01 Opening balances
        Assets:Checking                $1,000.00
        Assets:Savings                 $5,000.00
        Equity:Opening

    2024-01-05 * (1042) Corner Grocery  ; weekly shopping
        Expenses:Food:Groceries        $42.10
        Assets:Checking

    2024-01-31 * Landlord
        Expenses:Rent                  $800.00
        Assets:Checking

    2024-02-01 Acme Ltd
        Assets:Checking                $2,000.00
        Income:Salary

    2024-02-10 * Noodle Bar
        Expenses:Food:Restaurants      $17.90  ; lunch with Kim
        Assets:Checking

    2024-02-29 * Landlord
        Expenses:Rent                  $800.00
        Assets:Checking

    2024-03-01 Corner Grocery
        Expenses:Food:Groceries        $60.00
        Assets:Checking
    """
)


@pytest.fixture(scope="session")
def household() -> Journal:
    return parse_journal(HOUSEHOLD)


@pytest.fixture
def household_file(tmp_path):
    path = tmp_path / "household.journal"
    path.write_text(HOUSEHOLD, encoding="utf-8")
    return path
