from fractions import Fraction

import pytest
from checks import check_all

from measures import parse_number
from measures.numbers import is_grouped, scan_number

F = Fraction


@pytest.mark.exact
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", F(0)),
        ("7", F(7)),
        ("  12  ", F(12)),
        ("1.5", F(3, 2)),
        (".25", F(1, 4)),
        ("1,250.5", F(2501, 2)),
        ("1_250_000", F(1250000)),
        ("-4", F(-4)),
        ("−4", F(-4)),
        ("+4", F(4)),
        ("- 4", F(-4)),
        ("1e3", F(1000)),
        ("2.5E-2", F(1, 40)),
        ("1e+1", F(10)),
        ("1/2", F(1, 2)),
        ("1 1/2", F(3, 2)),
        ("-1 1/2", F(-3, 2)),
        ("½", F(1, 2)),
        ("2½", F(5, 2)),
        ("−¾", F(-3, 4)),
        ("10⅛", F(81, 8)),
    ],
)
def test_numbers(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "abc",
        "1,25",
        "1,2500",
        ",5",
        "1250,000",
        "1/0",
        "3 1/0",
        "1.",
        "1..2",
        "½½",
        "1 2",
    ],
    ids=[
        "",
        "[ ]",
        "a sign, alone",
        "no::number",
        "two/after,the/comma",
        "four after",
        "'quoted'",
        '"doubly" quoted',
        "divided by\\zero",
        "mixed\tby zero",
        "ends in a point…",
        "é",
        "½½",
        "same[0]",
    ],
)
def test_what_is_no_number(text):
    assert parse_number(text) is None


def test_nothing_is_no_number():
    assert parse_number(None) is None


@pytest.mark.parametrize(
    ("start", "expected"),
    [(0, (3, 1)), (1, None), (2, None), (4, (F(1, 2), 7)), (7, None), (99, None)],
    ids=["at 0", "at 1: a blank", "at 2: a letter", "at 4: 1/2", "at the end", "after the end"],
)
def test_scanning_from_a_place(start, expected):
    assert scan_number("3 x 1/2", start) == expected


@pytest.mark.parametrize(("sign", "value"), [("+", 5), ("-", -5), ("−", -5), ("", 5)])
def test_signs(sign, value):
    text = f"x {sign}5"
    assert scan_number(text, 2) == (value, len(text))


def test_grouping():
    check_all(
        is_grouped,
        {
            "1": True,
            "1234": True,
            "1,234": True,
            "12,345": True,
            "123,456,789": True,
            "1234,567": False,
            "1,23": False,
            "1,2345": False,
            "1_234": True,
            "1,234_567": False,
            "1,": False,
            "": False,
        },
    )
