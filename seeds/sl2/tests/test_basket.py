import pytest

from kiosk.basket import Basket, Line


def test_an_empty_basket_costs_nothing():
    assert Basket().total() == 0


def test_the_total_counts_each_thing_as_often_as_it_was_taken():
    basket = Basket()
    basket.add("tea", 250, count=2)
    basket.add("paper", 180)
    assert basket.total() == 680


def test_more_of_the_same_joins_its_line():
    basket = Basket()
    basket.add("tea", 250)
    basket.add("paper", 180)
    basket.add("tea", 300, count=2)
    assert basket.lines == [Line("tea", 250, 3), Line("paper", 180, 1)]


@pytest.mark.parametrize("count", [0, -1])
def test_nobody_takes_less_than_one(count):
    with pytest.raises(ValueError, match="cannot take"):
        Basket().add("tea", 250, count=count)


def test_what_is_put_back_whole_is_gone():
    basket = Basket()
    basket.add("tea", 250, count=2)
    basket.remove("tea", count=2)
    assert basket.lines == []


def test_nobody_puts_back_what_was_not_taken():
    basket = Basket()
    basket.add("tea", 250)
    with pytest.raises(ValueError, match="not 2 of tea"):
        basket.remove("tea", count=2)
    with pytest.raises(ValueError, match="not 1 of paper"):
        basket.remove("paper")
