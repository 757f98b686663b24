from datetime import date
from decimal import Decimal
from textwrap import dedent

import pytest

from ledger.amounts import Amount
from ledger.parser import (
    ParseError,
    join_notes,
    parse_date,
    parse_journal,
    split_comment,
)


def parse_one(text: str):
    journal = parse_journal(dedent(text))
    assert len(journal) == 1
    return next(iter(journal))


def test_parse_date():
    assert parse_date("2024-03-05") == date(2024, 3, 5)
    assert parse_date("2024/3/5") == date(2024, 3, 5)
    assert parse_date("2024.03.05") == date(2024, 3, 5)


@pytest.mark.parametrize("text", ["", "2024-03", "24-03-05", "2024-13-01"])
def test_parse_date_rejects(text):
    with pytest.raises(ValueError, match="not a date"):
        parse_date(text)


def test_a_plain_transaction():
    transaction = parse_one(
        """\
        2024-01-05 Corner Grocery
            Expenses:Food  $42.10
            Assets:Cash
        """
    )
    assert transaction.date == date(2024, 1, 5)
    assert transaction.payee == "Corner Grocery"
    assert [posting.account for posting in transaction.postings] == ["Expenses:Food", "Assets:Cash"]
    assert transaction.postings[1].amount == Amount(Decimal("-42.10"), "USD")
    assert (transaction.code, transaction.note, transaction.cleared) == (None, None, False)


def test_mark_code_and_notes():
    transaction = parse_one(
        """\
        2024-01-05 * (1042) Shop ; first
            ; second
            A  $1 ; on the posting
            ;
            B
        """
    )
    assert transaction.cleared
    assert transaction.code == "1042"
    assert transaction.payee == "Shop"
    assert transaction.note == "first\nsecond"
    assert [posting.note for posting in transaction.postings] == ["on the posting", None]


def test_a_pending_mark_is_not_cleared():
    assert not parse_one("2024-01-05 ! Shop\n  A  $1\n  B\n").cleared


def test_an_empty_code_is_none():
    assert parse_one("2024-01-05 () Shop\n  A  $1\n  B\n").code is None


def test_a_tab_separates_account_and_amount():
    assert parse_one("2024-01-05 Shop\n\tCash Box\t$1\n\tB\n").postings[0].account == "Cash Box"


def test_a_single_space_belongs_to_the_account():
    assert parse_one("2024-01-05 Shop\n A B  $1\n C D\n").postings[1].account == "C D"


def test_transactions_need_no_blank_line_between_them():
    journal = parse_journal("2024-01-02 X\n A  $1\n B\n2024-01-01 Y\n A  $1\n B")
    assert [item.payee for item in journal] == ["Y", "X"]


def test_an_empty_text_is_an_empty_journal():
    assert len(parse_journal("")) == 0
    assert len(parse_journal("\n  \n; comment\n# comment\n")) == 0


def test_the_default_commodity():
    journal = parse_journal("commodity CHF\n2024-01-01 X\n A  5\n B\n")
    assert next(iter(journal)).postings[0].amount == Amount(Decimal(5), "CHF")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("  A  $1", 1, "a posting without a transaction"),
        ("2024-01-01 X\n A  $1\n\n B\n", 4, "a posting without a transaction"),
        ("\nfoo bar", 2, "unknown directive 'foo bar'"),
        ("2024-01-99 X", 1, "not a date"),
        ("\n\n2024-01-01", 3, "the payee is missing"),
        ("2024-01-01 X\n A  $1\n B  $1x1\n", 3, "not an amount"),
        ("2024-01-01 X\n A  1\n B\n", 2, "no commodity"),
        ("2024-01-01 X\n A:  $1\n B\n", 2, "is not a part"),
        ("\n2024-01-01 X\n A  $1\n B  $1\n", 2, "off by 2.00 USD"),
        ("2024-01-01 X\n", 1, "fewer than two postings"),
    ],
)
def test_errors_name_the_line(text, line, message):
    with pytest.raises(ParseError, match=message) as caught:
        parse_journal(text)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("line", "text", "comment"),
    [("a b", "a b", None), ("a ; b", "a", "b"), ("; b ; c", "", "b ; c")],
)
def test_split_comment(line, text, comment):
    assert split_comment(line) == (text, comment)


def test_join_notes():
    assert join_notes([]) is None
    assert join_notes([None, None]) is None
    assert join_notes(["a", None, "b"]) == "a\nb"
