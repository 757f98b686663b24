"""Digests of compiled code."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import pytest

from bebug.verification.compiling import Compiler

COMPILER = Compiler(Path(sys.executable))
DIFFERENT = [
    "x = 1",
    "x = True",
    "x = 1.0",
    "x = '1'",
    "x = b'1'",
    "x = 0.0",
    "x = -0.0",
    "x = (1,)",
    "x = 1, 1.0",
]
FUNCTIONS = [
    "min(a)",
    "max(a)",
    "a.min",
    "a.max",
    "lambda: a",
    "[a for b in a]",
    "(a for b in a)",
    "a if a else 1",
]


@pytest.fixture(scope="module")
def digests() -> dict[str, str | None]:
    sources = [*DIFFERENT, *(f"def f(a): return {body}" for body in FUNCTIONS)]
    sources += ["def f(b): return min(b)", "async def f(a): return min(a)", "def f(*a): return min(a)"]
    found = COMPILER.digests("m.py", [source.encode() for source in sources])
    return dict(zip(sources, found, strict=True))


def test_names_types_and_nested_code_count(digests: dict[str, str | None]) -> None:
    assert None not in digests.values()
    for one, other in combinations(digests, 2):
        assert digests[one] != digests[other], f"{one} = {other}"


@pytest.mark.parametrize(
    "same",
    [
        "def f(a): return min(a)  # comment",
        "\n\n\ndef f(a):\n\n    return (min(\n        a))",
        "def f(a):\r\n    return min(a)\r\n",
    ],
)
def test_layout_does_not(digests: dict[str, str | None], same: str) -> None:
    assert COMPILER.digests("other.py", [same.encode()]) == [digests["def f(a): return min(a)"]]


@pytest.mark.parametrize("source", [b"x = (", b"\xff", b"x = 1\0", b"return 1", b"# coding: nonsense\n"])
def test_what_does_not_compile_is_none(source: bytes) -> None:
    assert COMPILER.digests("m.py", [b"x = 1", source])[1] is None


def test_warnings_are_no_errors() -> None:
    assert None not in COMPILER.digests("m.py", [b"x is 1", b"'\\d'"])


def test_a_source_that_kills_the_compiler_costs_only_itself() -> None:
    deep = b"(" * 100_000 + b")" * 100_000
    chain = b"x" + b".a()" * 200_000
    found = COMPILER.digests("m.py", [b"x = 1", deep, chain, b"x = 2"])
    assert found[0] and found[3] and found[0] != found[3]
    assert found[1] is None


def test_nothing_asked_is_nothing_answered() -> None:
    assert COMPILER.digests("m.py", []) == []
