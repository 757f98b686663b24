"""A weakened test looks like one that somebody wrote: no formatter and no linter has anything to say."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bebug.mutation.addition import Additions
from bebug.mutation.engine import mine
from bebug.registry import load

RUFF = [sys.executable, "-m", "ruff"]
WEAKENING = ("assertion-free-test", "deleted-assertion")

LOOKS = """\
import pytest

from pkg import build, names, parse, read_everything_there_is


def test_over_several_lines():
    assert (
        parse(
            "a rather long text that needs a line of its own in most of the files there are, and then some",
            strict=True,
        )
        == {}
    )
    assert names(
        [
            "one",
            "two",
        ],
    ) == ["one"]


def test_first_of_a_paragraph():
    if build():
        assert build(1) == 1

        build(2)
    assert build(3)

    assert build(4) == 4


def test_last_of_a_call():
    with pytest.raises(ValueError):
        parse("")

    assert parse("a") == "a"
"""

NAMES = {
    "bound in the middle": "def test_f():\n    g((x := f(1)))\n    assert x == 2\n",
    "bound with another": "def test_f():\n    a = b = f(1)\n    g(a)\n    assert b == 2\n",
    "bound with": "def test_f():\n    with g() as x:\n        f(1)\n        assert x.n == 2\n    f(3)\n",
    "bound by except": "def test_f():\n    try:\n        f(1)\n    except E as e:\n        g()\n"
    "        assert e.n\n",
    "bound by a pattern": "def test_f():\n    match f(1):\n        case [x]:\n"
    "            g()\n            assert x == 2\n",
    "bound as a whole": "def test_f():\n    match f(1):\n        case [1] as x:\n"
    "            g()\n            assert x == 2\n",
    "bound by a star": "def test_f():\n    match f(1):\n        case [*x]:\n"
    "            g()\n            assert x == 2\n",
    "bound with a type": "def test_f():\n    x: int = f(1)\n    assert x == 2\n    assert g(1)\n",
    "read by the next": "def test_f():\n    x = f(1)\n    y = x.n\n    assert y == 2\n    assert g(1)\n",
}


def weakened(source: str) -> list[str]:
    operators = [load("operators")[name] for name in WEAKENING]
    return [
        each.apply(source.encode()).decode() for each in mine("test_f.py", source.encode(), operators).mutants
    ]


def test_a_formatted_test_stays_formatted() -> None:
    found = weakened(LOOKS)
    assert len(found) > 8
    for text in found:
        run = subprocess.run(
            [*RUFF, "format", "--isolated", "--diff", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_base_of_an_added_test_ends_where_the_file_did_before_it(end: str) -> None:
    first = end.join(["def test_e():", "    assert f(0)", ""])
    raw = end.join([first, "", "def test_f():", "    assert f(1)", ""])
    mutants = mine("test_f.py", raw.encode(), [load("operators")["assertion-free-test"]]).mutants
    base = Additions.of("test_f.py", raw.encode()).base(mutants[-1])
    assert base == first.encode()


@pytest.mark.parametrize("source", NAMES.values(), ids=NAMES)
def test_no_name_is_left_that_nothing_reads(source: str) -> None:
    for text in [source, *weakened(source)]:
        run = subprocess.run(
            [*RUFF, "check", "--isolated", "--select", "F841", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{text}\n{run.stdout}"


def test_statements_that_share_a_line_still_share_it() -> None:
    found = weakened("def test_f():\n    x = f(1); assert x; g(x)  # both\n    assert g(2)\n")
    assert "def test_f():\n    x = f(1); g(x)  # both\n    assert g(2)\n" in found
