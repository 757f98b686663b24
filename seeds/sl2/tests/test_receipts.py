import pytest

from kiosk.basket import Basket
from kiosk.receipts import change, money, receipt


@pytest.mark.parametrize(
    ("cents", "shown"), [(0, "0.00"), (5, "0.05"), (250, "2.50"), (-5, "-0.05"), (-1234, "-12.34")]
)
def test_money_has_two_places(cents, shown):
    assert money(cents) == shown


def test_a_receipt_numbers_its_lines_and_adds_them_up():
    basket = Basket()
    basket.add("tea", 250, count=2)
    basket.add("paper", 180)
    assert receipt(basket).split("\n") == [
        " 1  2 tea             5.00",
        " 2  1 paper           1.80",
        "    total             6.80",
    ]


def test_the_receipt_of_nothing_is_a_total_of_nothing():
    assert receipt(Basket()).split() == ["total", "0.00"]


def test_change_is_given_in_few_coins():
    coins = change(1000, 612)
    assert coins == [200, 100, 50, 20, 10, 5, 2, 1]


def test_who_pays_the_price_gets_nothing_back():
    assert change(612, 612) == []


def test_who_pays_too_little_is_told_how_much_is_missing():
    with pytest.raises(ValueError, match=r"0\.12 is missing"):
        change(600, 612)
