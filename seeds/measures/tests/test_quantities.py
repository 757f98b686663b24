from fractions import Fraction

import pytest
from checks import assert_quantity

from measures import Quantity, UnitError, parse
from measures.quantities import median, total


@pytest.mark.exact
@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("1 km", "m", 1000),
        ("1 in", "cm", "2.54"),
        ("100 °C", "°F", 212),
        ("-40 °F", "°C", -40),
        ("0 °C", "K", "273.15"),
        ("90 km/h", "m/s", 25),
        ("50 %", "", "1/2"),
        ("3 m", None, 3),
    ],
    ids="<{}>".format,
)
def test_conversion(text, unit, value):
    assert_quantity(parse(text).to(unit), value)


def test_there_and_back(mass_unit):
    quantity = parse("12.34 kg")
    there = quantity.to(mass_unit)
    assert there.unit.symbol == mass_unit
    assert there == quantity
    assert_quantity(there.to("kg"), "12.34", "kg")


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("1 m", "1 s", "m is not s"),
        ("1 m", "1", "m is not a number"),
        ("1", "1 m", "a number is not m"),
    ],
    ids=["m|s", "m|", "|m"],
)
def test_what_does_not_go_together(first, second, message):
    one, other = parse(first), parse(second)
    assert one != other
    for act in (lambda: one + other, lambda: one < other, lambda: one.to(other.unit)):
        with pytest.raises(UnitError, match=message):
            act()


def test_arithmetic():
    one, other = parse("1 m"), parse("50 cm")
    assert_quantity(one + other, "1.5", "m")
    assert_quantity(other + one, 150, "cm")
    assert_quantity(one - other, "0.5", "m")
    assert_quantity(-one, -1, "m")
    assert_quantity(one * 3, 3, "m")
    assert_quantity(abs(parse("-2 m")), 2, "m")


def test_temperatures_are_not_added():
    with pytest.raises(UnitError, match="°C cannot be added"):
        parse("20 °C") + parse("5 °C")
    assert_quantity(parse("20 °C") + parse("5 K"), 25, "°C")


@pytest.mark.parametrize(
    ("low", "high"),
    [("1 m", "1.001 m"), ("99 cm", "1 m"), ("0 °F", "0 °C"), ("-1 m", "0 m")],
)
def test_order(low, high):
    small, large = parse(low), parse(high)
    assert small < large
    assert small <= large
    assert large > small
    assert large >= small
    assert small != large


def test_equality():
    assert parse("100 cm") == parse("1 m")
    assert hash(parse("100 cm")) == hash(parse("1 m"))
    assert parse("100 cm") <= parse("1 m")
    assert not parse("100 cm") < parse("1 m")
    assert parse("1 m") != "1 m"
    assert parse("1 m") != parse("1 m²")


def test_truth_is_not_being_zero():
    assert parse("0.001 m")
    assert parse("-1 m")
    assert not parse("0 m")


def test_making_one():
    assert_quantity(Quantity(3), 3, "")
    assert_quantity(Quantity("2/3", "m"), Fraction(2, 3), "m")
    assert repr(Quantity(5, "kg")) == "Quantity('5', 'kg')"
    with pytest.raises(UnitError, match="there is no unit 'blub'"):
        Quantity(1, "blub")


def test_no_other_attributes():
    with pytest.raises(AttributeError):
        Quantity(1).colour = "red"


@pytest.mark.parametrize(
    ("texts", "unit", "expected"),
    [
        ([], None, None),
        ([None, None], "m", None),
        (["1 m"], None, "1 m"),
        ([None, "1 m", None, "50 cm"], None, "1.5 m"),
        (["50 cm", "1 m"], "mm", "1500 mm"),
        (["1 m", "-1 m"], None, "0 m"),
    ],
    ids=["", "None, None", "one", "[None, 1, None, .5]", "→ mm", "∑ = 0"],
)
def test_total(texts, unit, expected):
    found = total((text and parse(text) for text in texts), unit)
    if expected is None:
        assert found is None
    else:
        value, symbol = expected.split()
        assert_quantity(found, value, symbol)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["3 m"], "3 m"),
        (["5 m", "1 m", "2 m"], "2 m"),
        (["5 m", None, "100 cm"], "300 cm"),
        (["1 m", "2 m", "4 m", "100 m"], "3 m"),
        (["10 °C", "20 °C"], "15 °C"),
    ],
)
def test_median(texts, expected):
    value, symbol = expected.split()
    assert_quantity(median(text and parse(text) for text in texts), value, symbol)


def test_median_of_nothing():
    assert median([]) is None
    assert median([None]) is None
