from kiosk.basket import Basket
from kiosk.figures import best_sellers, mean, median


def test_the_mean_of_some_sales():
    assert mean([100, 250, 400]) == 250


def test_the_mean_of_a_day_without_sales():
    assert mean([]) == 0


def test_the_median_is_the_sale_in_the_middle():
    assert median([900, 100, 250]) == 250


def test_the_median_of_a_day_without_sales():
    assert median([]) == 0


def test_best_sellers_come_by_number_then_by_name():
    morning, evening = Basket(), Basket()
    morning.add("tea", 250, count=2)
    morning.add("paper", 180)
    evening.add("paper", 180)
    evening.add("gum", 90)
    assert best_sellers([morning, evening], top=2) == ["paper", "tea"]
