import doctest

import pytest

import flatfile.codes
from flatfile import check_digit, overpunch, unpunch
from flatfile.codes import is_checked


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [
        (0, None, "{"),
        (0, 3, "00{"),
        (5, None, "E"),
        (-5, None, "N"),
        (10, None, "1{"),
        (-10, None, "1}"),
        (-123, 3, "12L"),
        (-123, 5, "0012L"),
        (123, 2, None),
        (999, 3, "99I"),
    ],
)
def test_overpunch(number, width, text):
    assert overpunch(number, width) == text


@pytest.mark.parametrize("number", [0, 1, 9, 10, 4711, -1, -9, -10, -4711])
def test_there_and_back(number):
    for width in (None, 4, 9):
        assert int(unpunch(overpunch(number, width))) == number


@pytest.mark.parametrize(
    ("text", "digits"),
    [("1A", "11"), ("A", "1"), ("}", "-0"), ("R", "-9"), ("12", "12"), ("7", "7"), ("0{", "00")],
)
def test_unpunch(text, digits):
    assert unpunch(text) == digits


@pytest.mark.parametrize("text", [None, "", "x", "1x", "A1", "AA", "-1", "1S"])
def test_what_is_not_punched(text):
    assert unpunch(text) is None


@pytest.mark.parametrize(
    ("text", "digit"),
    [
        ("7992739871", 3),
        ("37828224631000", 5),
        ("0", 0),
        ("5", 9),
        ("4", 2),
        ("50", 5),
        ("1-2 3", 0),
        ("18", 2),
    ],
)
def test_check_digits(text, digit):
    assert check_digit(text) == digit


def test_other_weights():
    assert check_digit("123", weights=(3, 1)) == 6
    assert check_digit("123", weights=(1,)) == 4
    assert check_digit("1111", weights=(1, 2, 3)) == 3


def test_no_digit_has_no_check_digit():
    for text in (None, "", "abc", " "):
        assert check_digit(text) is None


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("79927398713", True),
        ("79927398710", False),
        ("00", True),
        ("59", True),
        ("58", False),
        ("0", False),
        ("", False),
        (None, False),
        ("5x", False),
        ("x0", False),
    ],
)
def test_checked(text, good):
    assert is_checked(text) is good


def test_the_examples():
    results = doctest.testmod(flatfile.codes)
    assert results.failed == 0
    assert results.attempted == 3  