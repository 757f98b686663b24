from fractions import Fraction
from unittest import mock

import pytest
from checks import assert_quantity

from measures import TemplateError, UnitError, best, compound, format_number, parse, render
from measures.formatting import column, show


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(0), None, "0"),
        (Fraction(1, 2), None, "0.5"),
        (Fraction(1, 3), None, "0.333333"),
        (Fraction(2, 3), None, "0.666667"),
        (Fraction(-1, 4), None, "-0.25"),
        (Fraction(5), None, "5"),
        (Fraction(100), None, "100"),
        (Fraction(5, 2), 0, "3"),
        (Fraction(-5, 2), 0, "-3"),
        (Fraction(49, 20), 1, "2.5"),
        (Fraction(49, 20), 2, "2.45"),
        (Fraction(1), 3, "1.000"),
        (Fraction(1, 1000), 2, "0.00"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(-1, 200), 2, "-0.01"),
        (Fraction(1999, 1000), 1, "2.0"),
        (Fraction(1, 20), 1, "0.1"),
    ],
    ids=lambda item: "" if item is None else str(item),
)
def test_numbers(value, places, text):
    assert format_number(value, places) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (999, "999"), (1000, "1,000"), (12345, "12,345"), (123456789, "123,456,789")],
)
@pytest.mark.parametrize("sign", ["", "-"], ids=["plus", "minus"])
def test_grouping(value, text, sign):
    number = -value if sign else value
    assert format_number(number, grouping=",") == sign + text
    assert format_number(number, 1, grouping="'") == sign + text.replace(",", "'") + ".0"
    assert format_number(number) == sign + text.replace(",", "")


@pytest.mark.parametrize(
    ("text", "symbol", "value"),
    [
        ("1500 m", "km", "1.5"),
        ("1000 m", "km", 1),
        ("999 m", "m", 999),
        ("5 cm", "cm", 5),
        ("5 mm", "mm", 5),
        ("0.5 mm", "mm", "0.5"),
        ("-2000 m", "km", -2),
        ("0 m", "mm", 0),
    ],
)
def test_best(text, symbol, value):
    assert_quantity(best(parse(text), ["m", "km", "mm", "cm"]), value, symbol)


def test_best_of_few_units():
    quantity = parse("3 m")
    assert best(quantity, []) is quantity
    assert_quantity(best(quantity, ["km"]), "0.003", "km")


@pytest.mark.parametrize(
    ("text", "units", "places", "expected"),
    [
        ("95 min", ["h", "min"], None, "1 h 35 min"),
        ("60 min", ["min", "h"], None, "1 h"),
        ("59 min", ["h", "min"], None, "59 min"),
        ("59.5 min", ["h", "min"], None, "1 h"),
        ("59.5 min", ["h", "min"], 1, "59.5 min"),
        ("0 min", ["h", "min"], None, "0 min"),
        ("0.2 min", ["h", "min"], None, "0 min"),
        ("-0.2 min", ["h", "min"], None, "0 min"),
        ("-95 min", ["h", "min"], None, "-1 h 35 min"),
        ("90061 s", ["d", "h", "min", "s"], None, "1 d 1 h 1 min 1 s"),
        ("86401 s", ["d", "h", "min", "s"], None, "1 d 1 s"),
        ("71.9 in", ["ft", "in"], 1, "5 ft 11.9 in"),
        ("71.9 in", ["ft", "in"], 0, "6 ft"),
        ("3 ft", ["in"], None, "36 in"),
    ],
    ids=[f"case #{number}: 'h' \"min\"" for number in range(14)],
)
def test_compound(text, units, places, expected):
    assert compound(parse(text), units, places) == expected


def test_a_compound_needs_units():
    with pytest.raises(ValueError, match="one unit or more"):
        compound(parse("1 m"), [])


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (None, "2.5 h"),
        ("", "2.5 h"),
        (".2", "2.50 h"),
        (".0 min", "150 min"),
        ("min", "150 min"),
        ("h min", "2 h 30 min"),
        (".1 d h", "2.5 h"),
        ("  .3   h  ", "2.500 h"),
    ],
    ids=["None", "", ".2", ".0 min", "min", "h min", "h::min", "  "],
)
def test_show(spec, text):
    assert show(parse("2.5 h"), spec) == text


def test_show_what_is_missing():
    assert show(None) == "—"
    assert show(None, ".2 km") == "—"
    assert show(None, missing="n/a") == "n/a"


def test_a_number_has_no_blank_after_it():
    assert show(parse("3")) == "3"


def test_show_says_what_is_wrong():
    with pytest.raises(TemplateError, match="not a spec"):
        show(parse("1 m"), "m\nkm")
    with pytest.raises(UnitError, match="'qux'"):
        show(parse("1 m"), "qux")


VALUES = {"a": parse("1500 m"), "b": parse("95 min"), "none": None}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("", ""),
        ("plain", "plain"),
        ("{a}", "1500 m"),
        ("{ a }", "1500 m"),
        ("{a:km}", "1.5 km"),
        ("{a:.0 km} in {b:h min}.", "2 km in 1 h 35 min."),
        ("{{a}}", "{a}"),
        ("{{{a}}}", "{1500 m}"),
        ("{none}|{none:.2 km}", "—|—"),
        ("{a}{a}", "1500 m1500 m"),
        ("x{{", "x{"),
    ],
)
def test_render(template, text):
    assert render(template, VALUES) == text


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{a", "a lone { at column 1"),
        ("a}", "a lone } at column 2"),
        ("ab {", "a lone { at column 4"),
        ("{c}", "no value for 'c' at column 2"),
        ("ab {c:km}", "no value for 'c' at column 5"),
        ("{}", "no value for '' at column 2"),
    ],
    ids=["{", "}", "ab {", "{c}", "{c:km}", "{}"],
)
def test_templates_that_are_not_well_formed(template, message):
    with pytest.raises(TemplateError) as caught:
        render(template, VALUES)
    assert str(caught.value) == message


def test_render_with_a_word_for_what_is_missing():
    assert render("{a} {c} {none}", VALUES, missing="?") == "1500 m ? ?"
    assert render("{c}", VALUES, missing="") == ""


def test_render_asks_for_each_name_once():
    values = mock.MagicMock()
    values.__contains__.return_value = True
    values.get.return_value = parse("1 m")
    assert render("{x} and {y:cm}", values) == "1 m and 100 cm"
    assert values.get.call_args_list == [mock.call("x"), mock.call("y")]
    values.__contains__.assert_has_calls([mock.call("x"), mock.call("y")])


def test_columns():
    quantities = [parse("1 m"), None, parse("12.5 cm"), parse("100 m")]
    assert column(quantities, "m") == ["  1    ", "  -    ", "  0.125", "100    "]
    assert column(quantities, "m", 1) == ["  1.0", "  -  ", "  0.1", "100.0"]
    assert column(quantities[-1:], "km", 0) == ["0"]
    assert column([], "m") == []
    assert column([None], "m") == ["-"]


def test_columns_of_fractions_only():
    assert column([parse("0.5 m"), parse("-0.25 m")], "m") == [" 0.5 ", "-0.25"]
