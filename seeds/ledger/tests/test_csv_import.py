from datetime import date
from decimal import Decimal

import pytest

from ledger.amounts import Amount, parse_amount
from ledger.csv_import import (
    UNKNOWN,
    CsvError,
    Profile,
    choose_account,
    find_columns,
    find_known,
    new_rows,
    read_rows,
    render_transaction,
)
from ledger.journal import Journal, Posting, Transaction

BANK = "Assets:Checking"
PROFILE = Profile(BANK, rules={"grocery": "Expenses:Food", "corner grocery": "Expenses:Corner"})


def payment(day: int, number: str = "-5", payee: str = "Shop") -> Transaction:
    amount = Amount(Decimal(number), "USD")
    postings = (Posting("Expenses:Misc", -amount), Posting(BANK, amount))
    return Transaction(date(2024, 1, day), payee, postings)


def test_find_columns_in_any_order_and_case():
    header = ["Value", " Booking Date", "Memo", "Description"]
    assert find_columns(header) == {"date": 1, "payee": 3, "amount": 0, "note": 2}


def test_the_note_column_is_optional():
    assert find_columns(["date", "payee", "amount"]) == {"date": 0, "payee": 1, "amount": 2}


@pytest.mark.parametrize("missing", ["date", "payee", "amount"])
def test_the_other_columns_are_not(missing):
    header = [name for name in ("date", "payee", "amount") if name != missing]
    with pytest.raises(CsvError, match=f"no column for the {missing}"):
        find_columns(header)


@pytest.mark.parametrize(
    ("payee", "account"),
    [
        ("Big GROCERY", "Expenses:Food"),
        ("Corner Grocery 12", "Expenses:Corner"),
        ("Landlord", UNKNOWN),
    ],
)
def test_the_longest_rule_wins(payee, account):
    assert choose_account(payee, PROFILE.rules) == account


def test_of_two_rules_of_one_length_the_first_wins():
    assert choose_account("abcd", {"ab": "X", "cd": "Y"}) == "X"


def test_the_fallback_account():
    assert choose_account("Landlord", {}, "Expenses:Other") == "Expenses:Other"


def test_read_rows():
    text = "date,payee,amount,memo\n2024-01-05,Corner Grocery,-42.10,milk\n"
    (row,) = read_rows(text, PROFILE)
    assert row.date == date(2024, 1, 5)
    assert row.payee == "Corner Grocery"
    assert row.note == "milk"
    assert row.postings == (
        Posting(BANK, parse_amount("-$42.10")),
        Posting("Expenses:Corner", parse_amount("$42.10")),
    )


def test_read_rows_with_a_profile():
    profile = Profile(BANK, "EUR", delimiter=";", skip=2, sign=-1, fallback="Expenses:Card")
    text = "Bank\nCard 7\nDate;Payee;Amount\n2024-01-05;Shop;42.10\n"
    (row,) = read_rows(text, profile)
    assert row.postings[0].amount == parse_amount("-42.10 EUR")
    assert row.postings[1].account == "Expenses:Card"


def test_blank_rows_and_missing_notes_are_skipped():
    text = "date,payee,amount,memo\n\n , ,\n2024-01-05,Shop,1\n2024-01-06,Shop,2, \n"
    rows = read_rows(text, PROFILE)
    assert [(row.date.day, row.note) for row in rows] == [(5, None), (6, None)]


@pytest.mark.parametrize("skip", [1, 2])
def test_a_file_without_a_header(skip):
    with pytest.raises(CsvError, match="no header"):
        read_rows("date,payee,amount\n", Profile(BANK, skip=skip))


def test_a_file_with_nothing_but_its_header():
    assert read_rows("date,payee,amount\n", PROFILE) == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("2024-01-05,,1", "a cell is empty"),
        (",Shop,1", "a cell is empty"),
        ("2024-01-05,Shop", "a cell is empty"),
        ("yesterday,Shop,1", "not a date"),
        ("2024-01-05,Shop,one", "not an amount"),
    ],
)
def test_errors_name_the_row(row, message):
    with pytest.raises(CsvError, match=f"row 3: .*{message}"):
        read_rows(f"date,payee,amount\n2024-01-01,Shop,1\n{row}\n", PROFILE)


def test_skipped_rows_are_counted():
    with pytest.raises(CsvError, match="row 3: "):
        read_rows("Bank\ndate,payee,amount\nx,Shop,1\n", Profile(BANK, skip=1))


@pytest.mark.parametrize(("day", "found"), [(6, False), (7, True), (13, True), (14, False)])
def test_known_within_three_days(day, found):
    match = find_known([payment(10)], payment(day, payee="SHOP 12"), BANK)
    assert (match is not None) is found


@pytest.mark.parametrize(("slack", "found"), [(0, False), (1, True)])
def test_known_within_another_slack(slack, found):
    assert (find_known([payment(10)], payment(11), BANK, slack) is not None) is found


def test_the_nearest_known_transaction_is_chosen():
    known = [payment(8, payee="a"), payment(11, payee="b"), payment(12, payee="c")]
    assert find_known(known, payment(10), BANK).payee == "b"


def test_of_two_equally_near_the_first_is_chosen():
    known = [payment(9, payee="a"), payment(11, payee="b")]
    assert find_known(known, payment(10), BANK).payee == "a"


def test_another_amount_is_not_known():
    assert find_known([payment(10, "-6")], payment(10), BANK) is None


def test_a_row_of_another_account_is_not_known():
    assert find_known([payment(10)], payment(10), "Assets:Savings") is None


def test_each_known_transaction_stands_for_one_row():
    rows = [payment(10, payee="one"), payment(10, payee="two")]
    fresh = new_rows(Journal([payment(10)]), rows, BANK)
    assert [row.payee for row in fresh] == ["two"]


def test_rows_before_a_day_are_left_out():
    rows = [payment(1), payment(2), payment(3)]
    fresh = new_rows(Journal(), rows, BANK, since=date(2024, 1, 2))
    assert [row.date.day for row in fresh] == [2, 3]


def test_render_transaction():
    transaction = Transaction(
        date(2024, 1, 5),
        "Shop",
        (Posting("A", parse_amount("$1")), Posting("B")),
        code="7",
        note="one\ntwo",
        cleared=True,
    )
    assert render_transaction(transaction).splitlines() == [
        "2024-01-05 * (7) Shop",
        "    ; one",
        "    ; two",
        "    A  1.00 USD",
        "    B",
    ]


def test_render_a_plain_transaction():
    assert render_transaction(payment(5)).splitlines()[0] == "2024-01-05 Shop"
