from datetime import date
from decimal import Decimal

import pytest

from ledger.amounts import Amount
from ledger.journal import Journal, JournalError, Posting, Transaction


def usd(number) -> Amount:
    return Amount(Decimal(number), "USD")


def entry(day: int, payee: str = "Shop", number=1, **more) -> Transaction:
    postings = (Posting("Expenses:Misc", usd(number)), Posting("Assets:Cash"))
    return Transaction(date(2024, 1, day), payee, postings, **more)


def test_the_missing_amount_is_filled_in():
    complete = entry(1, number=5).completed()
    assert [posting.amount for posting in complete.postings] == [usd(5), usd(-5)]


def test_the_missing_amount_may_be_the_first():
    postings = (Posting("A"), Posting("B", usd(2)), Posting("C", usd(3)))
    complete = Transaction(date(2024, 1, 1), "x", postings).completed()
    assert complete.postings[0] == Posting("A", usd(-5))


def test_a_balanced_transaction_is_left_as_it_is():
    postings = (Posting("A", usd(2)), Posting("B", usd(-2)))
    transaction = Transaction(date(2024, 1, 1), "x", postings)
    assert transaction.completed() is transaction


def test_an_unbalanced_transaction_is_an_error():
    postings = (Posting("A", usd(2)), Posting("B", usd(-1)))
    with pytest.raises(JournalError, match="off by 1.00 USD"):
        Transaction(date(2024, 1, 1), "x", postings).completed()


def test_two_missing_amounts_are_an_error():
    postings = (Posting("A"), Posting("B"), Posting("C", usd(1)))
    with pytest.raises(JournalError, match="two amounts are missing"):
        Transaction(date(2024, 1, 1), "x", postings).completed()


def test_one_posting_is_too_few():
    with pytest.raises(JournalError, match="fewer than two"):
        Transaction(date(2024, 1, 1), "x", (Posting("A", usd(0)),)).completed()


def test_two_commodities_cannot_be_worked_out():
    postings = (Posting("A", usd(1)), Posting("B", Amount(Decimal(1), "EUR")), Posting("C"))
    with pytest.raises(JournalError, match="cannot work out"):
        Transaction(date(2024, 1, 1), "x", postings).completed()


def test_transactions_are_kept_in_order_of_date():
    journal = Journal([entry(3, "c"), entry(1, "a"), entry(2, "b")])
    assert [item.payee for item in journal] == ["a", "b", "c"]
    assert len(journal) == 3


def test_a_transaction_may_come_before_all_others():
    journal = Journal([entry(2, "b"), entry(3, "c"), entry(3, "d"), entry(1, "a")])
    assert [item.payee for item in journal] == ["a", "b", "c", "d"]


def test_transactions_of_one_day_keep_their_order():
    journal = Journal([entry(2, "b1"), entry(1, "a"), entry(2, "b2")])
    assert [item.payee for item in journal] == ["a", "b1", "b2"]


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        (None, None, [1, 2, 2, 4]),
        (2, None, [2, 2, 4]),
        (None, 2, [1]),
        (2, 4, [2, 2]),
        (2, 2, []),
        (5, None, []),
    ],
)
def test_between_is_half_open(start, end, days):
    journal = Journal([entry(1), entry(2), entry(2), entry(4)])
    found = journal.between(
        None if start is None else date(2024, 1, start), None if end is None else date(2024, 1, end)
    )
    assert [item.date.day for item in found] == days


def test_accounts_are_sorted_and_unique(household):
    names = household.accounts()
    assert names == sorted(set(names))
    assert names[0] == "Assets:Checking"
    assert len(names) == 7


@pytest.mark.parametrize("text", [None, "", "GROCERY", "1042", "kim", "weekly"])
def test_matches(text):
    postings = (Posting("A", usd(1), note="lunch with Kim"), Posting("B"))
    transaction = Transaction(
        date(2024, 1, 1), "Corner Grocery", postings, code="1042", note="Weekly"
    )
    assert transaction.matches(text)


def test_does_not_match():
    assert not entry(1).matches("1042")
    assert not entry(1).matches("none")


def test_repeated_codes():
    journal = Journal([entry(day, code=code) for day, code in enumerate("banana", start=1)])
    journal.add(entry(7))
    journal.add(entry(8))
    assert journal.repeated_codes() == ["a", "n"]
