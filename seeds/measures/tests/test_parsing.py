import pytest
from checks import assert_quantity, assert_span

from measures import ParseError, UnitError, parse, parse_span


@pytest.mark.parametrize(
    ("text", "value", "symbol"),
    [
        pytest.param("5 kg", 5, "kg", id="plain"),
        pytest.param("5kg", 5, "kg", id="no blank"),
        pytest.param("  5   kg  ", 5, "kg", id="  blanks  "),
        pytest.param("5\tkg\n", 5, "kg", id="a tab\tand\na newline"),
        pytest.param("½ cup", "1/2", "cup", id="½"),
        pytest.param("2½ cup", "5/2", "cup", id="2½ [cup]"),
        pytest.param("-3 °C", -3, "°C", id="-3 °C"),
        pytest.param("72°F", 72, "°F", id="72°F"),
        pytest.param("50%", 50, "%", id="50%"),
        pytest.param("9.8 m/s²", "9.8", "m/s²", id="m/s²"),
        pytest.param("9.8 m/s^2", "9.8", "m/s^2", id="m/s^2"),
        pytest.param("5 kg·m", 5, "kg·m", id="kg·m"),
        pytest.param("2 kΩ", 2, "kΩ", id="kΩ::ohm"),
        pytest.param("6'", 6, "ft", id="6'"),
        pytest.param('7"', 7, "in", id='7"'),
        pytest.param("12", 12, "", id=""),
        pytest.param("1e3 g", 1000, "g", id="a/b/c.py::test[x]"),
        pytest.param("1,250 g", 1250, "g", id="1,250"),
        pytest.param("1 2/3 m", "5/3", "m", id="日本語"),
        pytest.param("0 m", 0, "m", id="🙂"),
    ],
)
def test_quantities(text, value, symbol):
    assert_quantity(parse(text), value, symbol)


@pytest.mark.parametrize(
    ("text", "value", "symbol"),
    [
        ("5 ft 6 in", "5.5", "ft"),
        ("5'6\"", "5.5", "ft"),
        ("5 ft 11½ in", "143/24", "ft"),
        ("1 h 30 min", "1.5", "h"),
        ("-1 h 30 min", "-1.5", "h"),
        ("−1 h 30 min", "-1.5", "h"),
        ("+1 h 30 min", "1.5", "h"),
        ("1 d 2 h 30 min 36 s", "2651/2400", "d"),
        ("2 lb 4 oz", "2.25", "lb"),
        ("0 m 5 cm", "0.05", "m"),
        ("1 m 0 cm", 1, "m"),
    ],
    ids=["same", "same", "same", "30 min", "30 min", "30 min", "+", "d h min s", "lb oz", "0", "0"],
)
def test_compounds(text, value, symbol):
    assert_quantity(parse(text), value, symbol)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "a number is missing", 1),
        ("   ", "a number is missing", 4),
        ("kg", "a number is missing", 1),
        ("  kg", "a number is missing", 3),
        ("5 kg x", "something is left over", 6),
        ("5 kg;", "something is left over", 5),
        ("5 kg 3", "something is left over", 6),
        ("5 kg 3 kg", "something is left over", 6),
        ("5 cm 1 m", "something is left over", 6),
        ("5 m 1 s", "something is left over", 5),
        ("5 m -3 cm", "something is left over", 5),
        ("5 m +3 cm", "something is left over", 5),
        ("5 3 cm", "something is left over", 3),
        ("1/0 m", "a number is missing", 1),
        ("5 qux", "there is no unit 'qux'", 3),
        ("5 m 3 qux", "there is no unit 'qux'", 7),
    ],
    ids=lambda value: repr(value) if isinstance(value, str) else f"@{value}",
)
def test_errors(text, message, column):
    with pytest.raises(ParseError, match=message) as caught:
        parse(text)
    assert caught.value.column == column
    assert caught.value.pointer == f"{text}\n{' ' * (column - 1)}^"
    assert str(caught.value).endswith(f"at column {column}: {text!r}")


def test_the_default_unit(default_unit):
    quantity = parse("5", default_unit)
    assert quantity.unit.symbol == (default_unit or "")
    assert_quantity(parse("5 kg", default_unit), 5, "kg")


def test_a_default_that_is_no_unit():
    with pytest.raises(UnitError, match="no unit 'blub'"):
        parse("5", "blub")
    assert_quantity(parse("5 m", "blub"), 5, "m")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("3-5 kg", "3 kg", "5 kg"),
        ("3 – 5 kg", "3 kg", "5 kg"),
        ("3—5 kg", "3 kg", "5 kg"),
        ("3..5 kg", "3 kg", "5 kg"),
        ("3 to 5 kg", "3 kg", "5 kg"),
        ("300 g to 5 kg", "300 g", "5 kg"),
        ("-5 - -3 °C", "-5 °C", "-3 °C"),
        ("5 ± 1 kg", "4 kg", "6 kg"),
        ("5 +/- 0.5 kg", "9/2 kg", "11/2 kg"),
        ("5 kg ± 100 g", "49/10 kg", "51/10 kg"),
        ("5 ± -1 kg", "4 kg", "6 kg"),
        ("4-4 kg", "4 kg", "4 kg"),
        ("1e-3-2e-3 g", "1/1000 g", "1/500 g"),
        ("≥ 3 kg", "3 kg", None),
        (">=3 kg", "3 kg", None),
        ("≤3 kg", None, "3 kg"),
        ("<= 3 kg", None, "3 kg"),
        ("3 kg", "3 kg", "3 kg"),
    ],
)
def test_spans(text, low, high):
    assert_span(parse_span(text), low, high)


@pytest.mark.parametrize(
    ("text", "low", "high", "opened"),
    [
        ("3..<5 kg", "3 kg", "5 kg", "open_high"),
        ("< 5 kg", None, "5 kg", "open_high"),
        ("> 5 kg", "5 kg", None, "open_low"),
    ],
    ids=["[3, 5)", "(-∞, 5)", "(5, ∞)"],
)
def test_open_spans(text, low, high, opened):
    assert_span(parse_span(text), low, high, **{opened: True})


def test_a_compound_alone_is_a_span():
    span = parse_span("3 ft 6 in")
    assert span.low == span.high == parse("42 in")


def test_spans_with_a_default_unit(default_unit):
    for text in ("1-2", "≥ 1", "1", "1 ± 0.5"):
        span = parse_span(text, default_unit)
        assert span.low.unit.symbol == (default_unit or "")


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("5-3 kg", "begins before it ends", 2),
        ("5 kg to 3 kg", "begins before it ends", 6),
        (" to 5", "a number is missing", 2),
        ("> x", "a number is missing", 1),
        ("3 kg x", "something is left over", 6),
    ],
)
def test_errors_in_spans(text, message, column):
    with pytest.raises(ParseError, match=message) as caught:
        parse_span(text)
    assert caught.value.column == column


def test_a_parse_error_is_a_value_error():
    with pytest.raises(ValueError, match="at column 1"):
        parse("?")
