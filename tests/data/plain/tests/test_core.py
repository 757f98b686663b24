import pytest

from pkg.core import below, name


def test_below():
    assert below(1, 2) and not below(2, 2)


@pytest.mark.parametrize("text", ["two words", "a - b [x]", "p::q/r", "FAILED tests/x.py::y - z", "", "-k"])
def test_name(text):
    assert name(text) == text.strip()


def test_none():
    assert name(None) == "?"
