from decimal import Decimal

import pytest

from ledger.amounts import Amount, Balance


def usd(text: str) -> Amount:
    return Amount(Decimal(text), "USD")


def eur(text: str) -> Amount:
    return Amount(Decimal(text), "EUR")


def test_amounts_are_summed_by_commodity():
    balance = Balance([usd("1"), eur("5"), usd("2")])
    assert list(balance) == [eur("5"), usd("3")]


def test_a_missing_amount_counts_as_nothing():
    balance = Balance([usd("1")])
    balance.add(None)
    assert list(balance) == [usd("1")]


def test_an_empty_balance_is_false():
    assert not Balance()
    assert not Balance([usd("1"), usd("-1")])
    assert Balance([usd("-1")])


def test_get_gives_zero_for_an_unknown_commodity():
    assert Balance([usd("1")]).get("EUR") == eur("0")
    assert Balance([usd("1")]).get("USD") == usd("1")


@pytest.mark.parametrize(
    ("amounts", "sole"),
    [
        ([], None),
        ([usd("4")], usd("4")),
        ([usd("4"), eur("1")], None),
        ([usd("4"), eur("1"), eur("-1")], usd("4")),
    ],
)
def test_sole(amounts, sole):
    assert Balance(amounts).sole() == sole


def test_update_adds_every_amount():
    balance = Balance([usd("1")])
    balance.update(Balance([usd("2"), eur("3")]))
    assert balance == Balance([usd("3"), eur("3")])


def test_a_copy_is_independent():
    balance = Balance([usd("1")])
    other = balance.copy()
    other.add(usd("1"))
    assert balance == Balance([usd("1")])


def test_equality_ignores_what_cancels_out():
    assert Balance([usd("1"), eur("0")]) == Balance([usd("1.00")])
    assert Balance([usd("1")]) != Balance([usd("2")])
    assert Balance() != 0


def test_text():
    assert str(Balance()) == "0"
    assert str(Balance([usd("1"), eur("2")])) == "2.00 EUR, 1.00 USD"
