import dataclasses
from datetime import date
from decimal import Decimal

import pytest

from flatfile import Field, FieldError

LINE = "Ada       0012L20240229Y  007"


def test_columns_count_from_one_and_include_the_end():
    field = Field("name", 1, 3)
    assert field.length == 3
    assert field.cut("abcdef") == "abc"
    assert Field("name", 3, 3).cut("abcdef") == "c"
    assert Field("name", 5, 9).cut("abcdef") == "ef"
    assert Field("name", 7, 9).cut("abcdef") == ""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (Field("name", 1, 10), "Ada"),
        (Field("amount", 11, 15, "zoned", places=2), Decimal("-1.23")),
        (Field("amount", 11, 15, "zoned"), Decimal("-123")),
        (Field("day", 16, 23, "date"), date(2024, 2, 29)),
        (Field("flag", 24, 24, "flag"), True),
        (Field("blank", 25, 26), None),
        (Field("blank", 25, 26, "number"), None),
        (Field("blank", 25, 26, default="x"), "x"),
        (Field("blank", 25, 26, "number", places=1, default="25"), Decimal("2.5")),
        (Field("count", 27, 29, "number"), Decimal(7)),
        (Field("after", 30, 40), None),
    ],
)
def test_reading(field, value):
    assert field.read(LINE) == value


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (Field("name", 1, 3, "number"), "name: not a number: 'Ada'"),
        (Field("name", 1, 3, "zoned"), "name: not a number: 'Ada'"),
        (Field("name", 1, 3, "flag"), "name: neither Y nor N: 'Ada'"),
        (Field("day", 1, 8, "date"), "day: not a date: 'Ada'"),
        (Field("day", 13, 20, "date"), "day: not a date: '12L20240'"),
    ],
)
def test_what_cannot_be_read(field, message):
    with pytest.raises(FieldError) as caught:
        field.read(LINE)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["20240230", "20241301", "00000101", "20240100"])
def test_days_that_are_not_in_the_calendar(text):
    with pytest.raises(FieldError, match=f"day: no such day: '{text}'"):
        Field("day", 1, 8, "date").read(text)


def test_a_date_of_wrong_length_by_default():
    with pytest.raises(FieldError, match="not a date: '2024022'"):
        Field("day", 1, 8, "date", default="2024022").read("")


def test_negative_numbers():
    field = Field("n", 1, 5, "number", places=1)
    assert field.read("  -25") == Decimal("-2.5")
    assert field.write(Decimal("-2.5")) == "  -25"
    with pytest.raises(FieldError):
        field.read(" --25")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        (Field("a", 1, 5), "ab", "ab   "),
        (Field("a", 1, 2), "ab", "ab"),
        (Field("a", 1, 4, "number"), Decimal(12), "0012"),
        (Field("a", 1, 2, "number"), Decimal(12), "12"),
        (Field("a", 1, 4, "number", places=2), Decimal("1.5"), "0150"),
        (Field("a", 1, 4, "number"), Decimal(0), "0000"),
        (Field("a", 1, 4, "zoned", places=1), Decimal("-1.2"), "001K"),
        (Field("a", 1, 8, "date"), date(987, 6, 5), "09870605"),
        (Field("a", 1, 1, "flag"), False, "N"),
        (Field("a", 1, 3, "flag"), True, "Y  "),
        (Field("a", 1, 3), None, "   "),
        (Field("a", 1, 3, default="x"), None, "x  "),
    ],
)
def test_writing(field, value, text):
    assert field.write(value) == text
    assert len(text) == field.length


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        (Field("a", 1, 2), "abc", "a: 'abc' does not go into 2 columns"),
        (Field("a", 1, 2, "number"), Decimal(100), "a: 100 does not go into 2 columns"),
        (Field("a", 1, 2, "number"), Decimal(-10), "a: -10 does not go into 2 columns"),
        (Field("a", 1, 2, "zoned"), Decimal(100), "a: 100 does not go into 2 columns"),
        (Field("a", 1, 4, "number"), Decimal("1.5"), "a: 1.5 has too many places"),
        (Field("a", 1, 4, "number", places=1), Decimal("1.25"), "a: 1.25 has too many places"),
    ],
)
def test_what_does_not_go_in(field, value, message):
    with pytest.raises(FieldError) as caught:
        field.write(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3), "columns count from 1"),
        ((3, 2), "ends before it starts"),
        ((1, 3, "colour"), "no kind of field: colour"),
        ((1, 7, "date"), "8 columns wide, not 7"),
        ((1, 9, "date"), "8 columns wide, not 9"),
        ((1, 2, "number", 2), "2 places in 2 columns"),
    ],
)
def test_what_is_no_field(arguments, message):
    with pytest.raises(FieldError, match=f"^x: .*{message}"):
        Field("x", *arguments)


def test_the_smallest_fields():
    assert Field("x", 1, 1).length == 1
    assert Field("x", 1, 2, "number", 1).read("15") == Decimal("1.5")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((1, 3), (4, 6), False),
        ((1, 3), (3, 6), True),
        ((2, 5), (1, 2), True),
        ((2, 5), (1, 1), False),
        ((2, 5), (3, 4), True),
    ],
)
def test_overlaps(first, second, expected):
    one, other = Field("a", *first), Field("b", *second)
    assert one.overlaps(other) is expected
    assert other.overlaps(one) is expected


def test_fields_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Field("a", 1, 2).start = 3
