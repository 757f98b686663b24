from decimal import Decimal

import pytest

from ledger.amounts import Amount, AmountError, format_amount, parse_amount


def usd(text: str) -> Amount:
    return Amount(Decimal(text), "USD")


@pytest.mark.parametrize(
    ("text", "quantity", "commodity"),
    [
        ("$10.00", "10.00", "USD"),
        ("-$3", "-3", "USD"),
        ("- £3.50", "-3.50", "GBP"),
        ("12.50 EUR", "12.50", "EUR"),
        ("12.50EUR", "12.50", "EUR"),
        ("1,234,567 JPY", "1234567", "JPY"),
        ("  5 X ", "5", "X"),
        ("$.5", "0.5", "USD"),
    ],
)
def test_parse_amount(text, quantity, commodity):
    assert parse_amount(text) == Amount(Decimal(quantity), commodity)


@pytest.mark.parametrize(
    "text",
    ["", "$1,00", "1234,567 EUR", ",123 EUR", "1,2345 EUR", "$", "$1.2.3", "$."],
)
def test_parse_amount_rejects(text):
    with pytest.raises(AmountError, match="not an amount"):
        parse_amount(text)


def test_the_default_commodity_is_used_when_none_is_written():
    assert parse_amount("12.5", "CHF") == Amount(Decimal("12.5"), "CHF")


def test_a_written_commodity_beats_the_default():
    assert parse_amount("12.5 EUR", "CHF").commodity == "EUR"
    assert parse_amount("$12.5", "CHF").commodity == "USD"


def test_without_a_default_a_bare_number_is_an_error():
    with pytest.raises(AmountError, match="no commodity in '12.5'"):
        parse_amount(" 12.5 ")


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (usd("0"), "0.00 USD"),
        (usd("1234.5"), "1,234.50 USD"),
        (usd("-1234.567"), "-1,234.57 USD"),
        (usd("-0.001"), "0.00 USD"),
        (Amount(Decimal("1234.5"), "JPY"), "1,235 JPY"),
    ],
)
def test_amounts_as_text(amount, text):
    assert str(amount) == text


def test_format_amount_with_places():
    assert format_amount(usd("2.345"), places=1) == "2.3 USD"
    assert format_amount(usd("2.345"), places=0) == "2 USD"


def test_rounding_is_half_up():
    assert usd("0.125").rounded() == usd("0.13")
    assert usd("0.5").rounded(0) == usd("1")


def test_adding_amounts():
    assert usd("1.10") + usd("2.20") == usd("3.30")


def test_adding_amounts_of_two_commodities_is_an_error():
    with pytest.raises(AmountError, match="cannot add EUR to USD"):
        usd("1") + Amount(Decimal(1), "EUR")


def test_negation_and_truth():
    assert -usd("1") == usd("-1")
    assert usd("0.01")
    assert not usd("0.00")
