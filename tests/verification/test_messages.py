"""What a failure says is the same whether pytest colours its output or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]

TESTS = """
import sys
def test_list(): assert [1, 2, "three"] == [1, 2, "four"]
def test_dict(): assert {"a": [1, 2], "b": None} == {"a": [1, 3], "b": True}
def test_text(): raise ValueError("\\x1b[1;31mred\\x1b[0m and \\x1b]0;title\\x07 bold")
def test_quoted(): raise ValueError(repr("\\x1b[31m"))
"""


def messages(laboratory: Make, colour: str) -> dict[str, str]:
    made = laboratory({"pytest.ini": f"[pytest]\naddopts = --color={colour}\n", "test_a.py": TESTS})
    found = {failure.test.rpartition("_")[2]: failure.message for failure in made.run({}).failures}
    assert list(found) == ["list", "dict", "text", "quoted"]
    return found


def test_no_colour_is_left_in_what_a_failure_says(laboratory: Make) -> None:
    plain, coloured = (messages(laboratory, colour) for colour in ("no", "yes"))
    assert coloured == plain
    assert plain["list"].startswith("assert [1, 2, 'three'] == [1, 2, 'four']")
    assert plain["text"] == r"red and \x1b]0;title\x07 bold"
    assert plain["quoted"] == r"'\x1b[31m'"


def test_the_frame_is_one_of_a_file(laboratory: Make) -> None:
    """The innermost frame may be of a module that is frozen into Python, or of code made from a text."""
    texts = {
        "test_a.py": "from collections.abc import Mapping\n\nclass Odd(Mapping):\n"
        "    __getitem__ = __len__ = __iter__ = None\n\n"
        "def test_frozen():\n    assert Odd() == {}\n\n"
        "def test_made():\n    exec('raise ValueError(1)')\n"
    }
    frames = {failure.test: failure.frame for failure in laboratory(texts).run({}).failures}
    assert frames == {
        "test_a.py::test_frozen": "test_a.py:7 in test_frozen",
        "test_a.py::test_made": "test_a.py:10 in test_made",
    }
