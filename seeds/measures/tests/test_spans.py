import pytest
from checks import assert_span

from measures import Span, UnitError, parse, parse_span
from measures.spans import histogram

INSIDE, BELOW, ABOVE = 0, -1, 1


def metre(number):
    return parse(f"{number} m")


@pytest.mark.parametrize(
    ("number", "closed", "opened"),
    [
        ("0.999", BELOW, BELOW),
        ("1", INSIDE, BELOW),
        ("1.001", INSIDE, INSIDE),
        ("1.999", INSIDE, INSIDE),
        ("2", INSIDE, ABOVE),
        ("2.001", ABOVE, ABOVE),
    ],
    ids=["< 1", "= 1", "1 <", "< 2", "= 2", "2 <"],
)
def test_sides(metres, number, closed, opened):
    assert metres(1, 2).side(metre(number)) == closed
    assert metres(1, 2, open_low=True, open_high=True).side(metre(number)) == opened
    assert (metre(number) in metres(1, 2)) == (closed == INSIDE)


@pytest.fixture(params=["-1e6", "0", "1e6"], ids=["−10⁶", "[0]", "10⁶"])
def any_length(request):
    return metre(request.param)


def test_without_bounds_everything_is_inside(metres, any_length):
    assert metres().side(any_length) == INSIDE
    assert metres().clamp(any_length) is any_length


def test_with_one_bound(metres):
    assert metre(5) in metres(5)
    assert metre(4) not in metres(5)
    assert metre(5) in metres(None, 5)
    assert metre(6) not in metres(None, 5)


def test_other_units_are_compared_too(metres):
    assert parse("150 cm") in metres(1, 2)
    with pytest.raises(UnitError, match="kg is not m"):
        parse("1 kg") in metres(1, 2)  # noqa: B015


def test_a_span_begins_before_it_ends(metres):
    with pytest.raises(ValueError, match="begins before it ends"):
        metres(2, 1)
    assert metres(1, 1).width == metre(0)


@pytest.mark.parametrize(
    ("options", "empty"),
    [({}, False), ({"open_low": True}, True), ({"open_high": True}, True)],
    ids=["[1, 1]", "(1, 1]", "[1, 1)"],
)
def test_emptiness(metres, options, empty):
    assert metres(1, 1, **options).is_empty is empty
    assert metres(1, 2, **options).is_empty is False
    assert metres(1, None, **options).is_empty is False
    assert metres(None, 1, **options).is_empty is False


def test_width(metres):
    assert metres(1, 4).width == metre(3)
    assert metres(1).width is None
    assert metres(None, 4).width is None
    assert metres().width is None


@pytest.mark.parametrize(
    ("number", "expected"), [("0", "1"), ("1", "1"), ("1.5", "1.5"), ("2", "2"), ("9", "2")]
)
def test_clamp(metres, number, expected):
    assert metres(1, 2).clamp(metre(number)) == metre(expected)


def test_clamp_keeps_the_very_object_at_the_bounds(metres):
    for number in (1, 2):
        quantity = metre(number)
        assert metres(1, 2).clamp(quantity) is quantity


def test_clamp_with_missing_things(metres):
    assert metres(1, 2).clamp(None) is None
    assert metres(1).clamp(metre(0)) == metre(1)
    assert metres(1).clamp(metre(100)) == metre(100)
    assert metres(None, 2).clamp(metre(100)) == metre(2)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1-3 m", "2-4 m", "2-3 m"),
        ("1-4 m", "2-3 m", "2-3 m"),
        ("1-2 m", "2-3 m", "2-2 m"),
        ("1..<2 m", "2-3 m", None),
        ("1-2 m", "3-4 m", None),
        ("≥ 2 m", "≤ 3 m", "2-3 m"),
        ("≥ 2 m", "≥ 3 m", "≥ 3 m"),
        ("> 2 m", "≥ 2 m", "> 2 m"),
        ("< 2 m", "≤ 2 m", "< 2 m"),
        ("> 2 m", "≥ 1 m", "> 2 m"),
        ("> 1 m", "≥ 2 m", "≥ 2 m"),
        ("< 3 m", "≤ 2 m", "≤ 2 m"),
        ("100-300 cm", "2-4 m", "2-3 m"),
    ],
    ids="({})".format,
)
def test_meet(first, second, expected):
    one, other = parse_span(first), parse_span(second)
    wanted = None if expected is None else parse_span(expected)
    assert one.meet(other) == wanted
    assert other.meet(one) == wanted


def test_everything_meets_none(metres):
    span = metres(1, 2)
    assert span.meet(None) is span
    assert metres().meet(span) == span
    assert span.meet(metres()) == span


def test_split(metres):
    parts = metres(0, 3).split(3)
    assert len(parts) == 3
    for number, part in enumerate(parts):
        assert_span(part, f"{number} m", f"{number + 1} m", open_high=number < 2)
    assert metres(0, 3).split(1) == [metres(0, 3)]


def test_split_of_an_open_span(metres):
    first, last = metres(0, 1, open_low=True, open_high=True).split(2)
    assert_span(first, "0 m", "1/2 m", open_low=True, open_high=True)
    assert_span(last, "1/2 m", "1 m", open_high=True)


def test_each_place_is_in_one_part(metres):
    parts = metres(0, 1).split(4)
    for hundredth in range(101):
        place = parse(f"{hundredth} cm")
        assert sum(place in part for part in parts) == 1


@pytest.mark.parametrize("bounds", [(None, None), (1, None), (None, 1)], ids=str)
def test_a_span_without_bounds_cannot_be_split(metres, bounds):
    with pytest.raises(ValueError, match="without bounds"):
        metres(*bounds).split(2)


@pytest.mark.parametrize("count", [0, -1])
def test_split_into_something(metres, count):
    with pytest.raises(ValueError, match=f"1 or more, not {count}"):
        metres(0, 1).split(count)


def test_histogram(metres):
    values = [metre(0), None, metre(1), metre("1.5"), metre(2), metre(7)]
    assert histogram(values, [metres(0, 1), metres(1, 2)]) == [2, 2, 1]
    assert histogram(values, []) == [5]
    assert histogram([], [Span()]) == [0, 0]
    assert histogram([None, None], [Span()]) == [0, 0]
