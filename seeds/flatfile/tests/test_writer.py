from datetime import date
from decimal import Decimal

import pytest

from flatfile import Layout, LayoutError, Reader, Writer, wrap

LAYOUT = Layout.parse("id 1-3\nname 5-8\namount 9-12 number.2")
RECORDS = [
    {"id": "1", "name": "Ada", "amount": Decimal("1.50")},
    {"id": "2", "name": None, "amount": None},
    {"id": "3", "name": "Cy"},
]


def test_lines():
    assert list(Writer(LAYOUT).lines(RECORDS)) == ["1   Ada 0150\n", "2\n", "3   Cy\n"]
    assert list(Writer(LAYOUT).lines([])) == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", ""])
def test_line_ends(newline):
    text = Writer(LAYOUT, newline=newline).text(RECORDS[:2])
    assert text == f"1   Ada 0150{newline}2{newline}"


def test_header_and_trailer():
    writer = Writer(LAYOUT, marks=("HDR ", "TRL "))
    assert writer.text(RECORDS, "May") == "HDR May\n1   Ada 0150\n2\n3   Cy\nTRL 3\n"
    assert writer.text([]) == "HDR\nTRL 0\n"


def test_totals():
    writer = Writer(LAYOUT, marks=("H", "T"), total="amount")
    more = [*RECORDS, {"amount": Decimal("0.25")}]
    assert writer.text(more).splitlines()[-1] == "T4 1.75"
    assert writer.text([]).splitlines() == ["H", "T0 0"]


def test_what_is_written_can_be_read():
    options = {"marks": ("HDR", "TRL"), "total": "amount"}
    lines = Writer(LAYOUT, newline="\r\n", **options).lines(RECORDS, "title")
    found = Reader(LAYOUT, **options).read(lines)
    assert [record["id"] for record in found] == ["1", "2", "3"]
    assert found[0] == RECORDS[0]
    assert found[2] == {"id": "3", "name": "Cy", "amount": None}


def test_fields_that_are_not_there():
    with pytest.raises(LayoutError, match="no field 'size'"):
        Writer(LAYOUT).text([{"size": "1"}])


def test_a_table():
    assert Writer(LAYOUT).table(RECORDS).split("\n") == [
        "id  name  amount",
        "--  ----  ------",
        "1   Ada   1.50",
        "2",
        "3   Cy",
    ]


@pytest.mark.parametrize(
    ("most", "shown", "last"),
    [(0, 0, "... 3 more"), (1, 1, "... 2 more"), (2, 2, "... 1 more"), (3, 3, None), (9, 3, None)],
)
def test_a_part_of_a_table(most, shown, last):
    lines = Writer(LAYOUT).table(RECORDS, most).split("\n")
    assert len(lines) == 2 + shown + (last is not None)
    if last is not None:
        assert lines[-1] == last


def test_what_values_look_like_in_a_table():
    layout = Layout.parse("a 1\nb 2\nc 3")
    record = {"a": True, "b": False, "c": date(2024, 2, 29)}
    assert Writer(layout).table([record]).split("\n")[-1] == "yes  no  2024-02-29"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        (None, 10, []),
        ("", 10, []),
        ("   ", 10, []),
        ("one", 10, ["one"]),
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "two"]),
        ("one  two\nthree", 8, ["one two", "three"]),
        ("abcd efgh", 4, ["abcd", "efgh"]),
        ("abcde", 4, ["abc-", "de"]),
        ("abcdefgh", 4, ["abc-", "def-", "gh"]),
        ("a bcdefg", 4, ["a", "bcd-", "efg"]),
        ("abcdefg h", 5, ["abcd-", "efg h"]),
    ],
)
def test_wrap(text, width, lines):
    assert wrap(text, width) == lines


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (None, ["one two", "three", "four"]),
        (3, ["one two", "three", "four"]),
        (2, ["one two", "three..."]),
        (1, ["one t..."]),
        (0, []),
    ],
)
def test_wrap_to_so_many_lines(lines, expected):
    assert wrap("one two three four", 8, lines) == expected


def test_no_blank_before_the_dots():
    assert wrap("one two three four", 7, 1) == ["one..."]


@pytest.mark.parametrize("width", [3, 0, -1])
def test_lines_have_room(width):
    with pytest.raises(ValueError, match="room for 4"):
        wrap("text", width)
    assert wrap(None, width) == []
