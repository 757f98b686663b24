# -*- coding: latin-1 -*-
from decimal import Decimal

import pytest

from flatfile import Field, FieldError, Layout, LayoutError, fold

TEXT = """
    § Löhne und Gehälter
    name    1-10
    amount  12-17 zoned.2   § in £
    paid    18    flag = N
    note    20-25 text = naïve
"""


@pytest.fixture
def layout():
    return Layout.parse(TEXT)


def test_a_description(layout):
    assert layout.fields == [
        Field("name", 1, 10),
        Field("amount", 12, 17, "zoned", places=2),
        Field("paid", 18, 18, "flag", default="N"),
        Field("note", 20, 25, default="naïve"),
    ]
    assert layout.width == 25


def test_fields_come_in_order_of_their_columns():
    layout = Layout([Field("b", 5, 6), Field("a", 1, 4)])
    assert list(layout.read("aaaabb").items()) == [("a", "aaaa"), ("b", "bb")]


def test_gaps(layout):
    assert list(layout.gaps()) == [(11, 11), (19, 19)]
    assert list(Layout.parse("a 3-4").gaps()) == [(1, 2)]
    assert list(Layout.parse("a 1-4\nb 5").gaps()) == []


def test_the_field_at_a_column(layout):
    found = {column: layout.at(column) for column in (0, 1, 10, 11, 12, 17, 18, 19, 25, 26)}
    names = {column: field and field.name for column, field in found.items()}
    assert names == {
        0: None,
        1: "name",
        10: "name",
        11: None,
        12: "amount",
        17: "amount",
        18: "paid",
        19: None,
        25: "note",
        26: None,
    }


def test_reading_a_line(layout):
    record = layout.read("Müller     00012LY café")
    assert record == {"name": "Müller", "amount": Decimal("-1.23"), "paid": True, "note": "café"}
    assert layout.read("") == {"name": None, "amount": None, "paid": False, "note": "naïve"}


def test_writing_a_line(layout):
    assert layout.write({"name": "Ø", "amount": Decimal("1.2")}) == "Ø          00012{N naïve "
    assert layout.write({}) == " " * 17 + "N naïve "


def test_writing_and_reading(layout):
    values = {"name": "Año £", "amount": Decimal("-0.01"), "paid": True, "note": "§"}
    assert layout.read(layout.write(values)) == values


def test_writing_what_has_no_field(layout):
    with pytest.raises(LayoutError, match="there is no field 'größe'") as caught:
        layout.write({"größe": "1"})
    assert caught.value.line is None
    with pytest.raises(FieldError, match="does not go into 10"):
        layout.write({"name": "Ü" * 11})


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("a", "not a field: 'a'", 1),
        ("\n§ é\na 1-x", "not a field: 'a 1-x'", 3),
        ("a 1\nb 2-1", "b: ends before it starts", 2),
        ("a 1-3 farbe", "a: no kind of field: farbe", 1),
        ("a 1-2 number.2", "a: 2 places in 2 columns", 1),
    ],
)
def test_errors_name_the_line(text, message, line):
    with pytest.raises(LayoutError) as caught:
        Layout.parse(text)
    assert str(caught.value) == f"line {line}: {message}"
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a layout has a field"),
        ("§ nothing", "a layout has a field"),
        ("a 1-3\nb 3-4", "a and b overlap"),
        ("b 3-4\na 1-3", "a and b overlap"),
        ("a 1\na 2", "two fields have the same name"),
        ("x 1\ny 2-4\nz 4", "y and z overlap"),
    ],
)
def test_what_is_no_layout(text, message):
    with pytest.raises(LayoutError, match=f"^{message}$"):
        Layout.parse(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (None, ""),
        ("", ""),
        ("plain ~", "plain ~"),
        ("Müller", "Mueller"),
        ("Äpfel & Öl", "Aepfel & Oel"),
        ("groß", "gross"),
        ("Señor £5", "Senor ?5"),
        ("Éé", "Ee"),
        ("\x7f\x80", "\x7f?"),
    ],
)
def test_folding(text, folded):
    assert fold(text) == folded


def test_folding_to_a_width():
    assert fold("Müller", 3) == "Mue"
    assert fold("Müller", 7) == "Mueller"
    assert fold("Müller", 0) == ""
    assert fold(None, 3) == ""
