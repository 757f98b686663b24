"""Inputs that tell a change from its base: they are found, they are small, and anyone can run them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bebug.verification import Candidate, Laboratory
from bebug.verification.witness import NONE, Found

Make = Callable[..., Laboratory]

CORE = """
from __future__ import annotations

import asyncio
import contextlib
import random
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Callable, Iterator, Optional, Protocol, TypeVar

if TYPE_CHECKING:
    from nowhere import Unknown

T = TypeVar("T")


class Odd:
    pass


def index(items, at):
    if not isinstance(at, int):
        raise TypeError(f"bad index {Odd()!r}")
    if at > len(items):
        return None
    return items[at]


class Span:
    def __init__(self, low, high):
        self.low = low
        self.high = high


def span(size, low=0):
    return Span(low, size + 1)


def walk(step):
    at = 0
    while True:
        yield at
        at += step


def mark(path: str, count: int = 1) -> int:
    if count < 1:
        return 0
    with open(path + "-marker-of-a-search", "a") as file:
        file.write("x" * count)
    return count


def steps(high, by):
    count, at = 0, 0.0
    while at < high:
        at = round(at + by, 6)
        count += 1
    return count


@dataclass
class Node:
    value: int
    following: Node | None = None


def rank(node: Node | None) -> int:
    if node is None:
        return 0
    return 1 + rank(node.following)


class HasX(Protocol):
    x: float


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


def narrow(thing: HasX, limit: int = 3) -> bool:
    return thing.x < limit


def wide(shape: Shape, other: Unknown, act: Callable[[T], T], *rest) -> bool:
    return shape.area() < len(rest)


def size(number):
    if isinstance(number, str):
        return len(number.encode("utf-8", "surrogatepass"))
    return number.bit_length() if number < 10**5000 else -1


class Account:
    def __init__(self, start: int = 0):
        self.total = start

    def add(self, amount: int, /, *, cap: int = 10) -> int:
        self.total = self.total + amount if self.total + amount < cap else cap
        return self.total

    def clear(self) -> None:
        self.total = 0

    @property
    def full(self) -> bool:
        return self.total > 100

    @classmethod
    def of(cls, *amounts: int) -> Account:
        return cls(sum(amounts))

    @staticmethod
    def least(amounts: list[int]) -> int:
        return min(amounts, default=0)


async def later(number: int, *, limit: int = 3) -> bool:
    return number < limit


async def ticks(count: int):
    for number in range(count):
        yield number


def doubled(items: list[int]) -> None:
    for at in range(len(items)):
        items[at] = items[at] * 2


def shout(text: str) -> None:
    print(text.upper())


def dice() -> float:
    return random.random()


def now(scale: int) -> float:
    return time.perf_counter() * scale


class Colour(Enum):
    RED = 1
    BLUE = 2


def mixed(colour: Colour, share: Optional[float] = None) -> str:
    return colour.name if share is None else f"{colour.name}-{share}"


@contextlib.contextmanager
def opened(name: str):
    yield name + "!"


def counted(items):
    found = {}
    for item in items:
        found[item] = found.get(item, 0) + 1
    return found


def outer(count: int):
    def inner(number):
        return number + count

    return [inner(number) for number in range(count)]


LIMIT = 5
"""
TESTS = """
from pkg import core


def test_some():
    assert core.index([5], 0) == 5 and core.index([5], 2) is None
    assert core.span(2).low == 0 and core.rank(None) == 0 and core.size(1) == 1
    assert core.Account(1).add(1) == 2 and core.counted("") == {}
"""
SEED = {"pkg/__init__.py": "", "pkg/core.py": CORE, "tests/test_core.py": TESTS}
SEED |= {"pytest.ini": "[pytest]\npythonpath = .\n"}


@pytest.fixture(scope="module")
def bench(laboratory: Make) -> Laboratory:
    found = laboratory(SEED)
    found.calibrate(["pkg/core.py"])
    return found


def changed(bench: Laboratory, old: str, new: str) -> Candidate:
    """The candidate that replaces *old*, which occurs once."""
    before = bench.read("pkg/core.py")
    assert before.count(old.encode()) == 1
    first = before[: before.index(old.encode())].count(b"\n") + 1
    after = before.replace(old.encode(), new.encode())
    return Candidate(
        path="pkg/core.py", before=before, after=after, lines=(first, first + old.rstrip().count("\n"))
    )


def typed(witness: Mapping[str, Any], source: bytes, folder: Path) -> str:
    """What a reader sees who types the witness, in a Python that knows nothing of bebug."""
    package = folder / "pkg"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "core.py").write_bytes(source)
    lines = "\n".join([*witness["imports"], *witness["setup"]])
    program = f"""
try:
    exec({lines!r})
    print(repr(eval({witness["call"]!r})))
except BaseException as error:
    print("raises", type(error).__qualname__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.removesuffix("\n")


def shown(bench: Laboratory, tmp_path: Path, old: str, new: str) -> Mapping[str, Any]:
    """The witness of a change, which its typing must bear out on both sides."""
    candidate = changed(bench, old, new)
    found = bench.witness(candidate)
    assert found.witness is not None, found
    assert typed(found.witness, candidate.before, tmp_path / "before") == found.witness["before"]
    if found.witness["after"] != "does not return":
        assert typed(found.witness, candidate.after, tmp_path / "after") == found.witness["after"]
    return found.witness


WITNESSED = {
    "an exception for a value": ("if at > len(items):", "if at >= len(items):"),
    "an object without equality": ("Span(low, size + 1)", "Span(low, size + 2)"),
    "an endless generator": ("        at += step", "        at += step + 1"),
    "a class that holds more of itself": (
        "return 1 + rank(node.following)",
        "return 2 + rank(node.following)",
    ),
    "a constant no one would draw": ("number < 10**5000", "number <= 10**5000"),
    "a coroutine": ("return number < limit", "return number <= limit"),
    "an asynchronous generator": ("        yield number\n", "        yield number + 1\n"),
    "a method with a keyword": ("self.total + amount < cap", "self.total + amount <= cap + 1"),
    "what a method leaves": ("        self.total = 0\n", "        self.total = 1\n"),
    "a property": ("self.total > 100", "self.total >= 100"),
    "a class method": ("cls(sum(amounts))", "cls(sum(amounts) + 1)"),
    "a static method": ("min(amounts, default=0)", "max(amounts, default=0)"),
    "what becomes of an argument": ("items[at] * 2", "items[at] * 3"),
    "what is printed": ("print(text.upper())", "print(text.lower())"),
    "an enumeration": ("colour.name if share", "colour.value if share"),
    "a context manager": ('yield name + "!"', 'yield name + "?"'),
    "no types at all": ("found.get(item, 0) + 1", "found.get(item, 1) + 1"),
    "a constructor": ("self.total = start", "self.total = start + 1"),
    "a function within another": ("return number + count", "return number - count"),
}


@pytest.mark.parametrize("kind", WITNESSED)
def test_a_difference_is_found_and_runs_as_it_is_printed(
    bench: Laboratory, tmp_path: Path, kind: str
) -> None:
    shown(bench, tmp_path, *WITNESSED[kind])


def test_a_call_that_does_not_return_is_a_witness(bench: Laboratory, tmp_path: Path) -> None:
    found = shown(bench, tmp_path, "while at < high", "while at != high")
    assert found["after"] == "does not return"


def test_a_witness_is_small(bench: Laboratory, tmp_path: Path) -> None:
    found = shown(bench, tmp_path, "range(len(items))", "range(len(items) - 1)")
    assert found["setup"] == ["x = [1]", "doubled(x)"] and found["call"] == "x"
    assert (found["before"], found["after"]) == ("[2]", "[1]")


def test_the_same_witness_each_time(bench: Laboratory) -> None:
    candidate = changed(bench, "number < limit", "number <= limit")
    assert bench.witness(candidate) == bench.witness(candidate)


SILENT = {
    "addresses in messages": ('f"bad index {Odd()!r}"', 'f"wrong index {Odd()!r}"'),
    "the same in other words": ("if at > len(items):", "if len(items) < at:"),
    "chance": ("return random.random()", "return random.random() + 0.0"),
    "time": ("return time.perf_counter() * scale", "return 1.0 * time.perf_counter() * scale"),
}


@pytest.mark.parametrize("kind", SILENT)
def test_no_difference_where_there_is_none(bench: Laboratory, kind: str) -> None:
    assert bench.witness(changed(bench, *SILENT[kind])).witness is None


def test_a_search_says_how_much_it_looked_at(bench: Laboratory) -> None:
    found = bench.witness(changed(bench, "at > len(items)", "len(items) < at"))
    assert found.why == NONE and found.examples >= 30


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("return thing.x < limit", "return thing.x <= limit", "HasX"),
        ("return shape.area() < len(rest)", "return shape.area() <= len(rest)", "Shape"),
        ("LIMIT = 5", "LIMIT = 6", "no function is changed"),
    ],
)
def test_why_nothing_can_be_tried_is_told(bench: Laboratory, old: str, new: str, why: str) -> None:
    found = bench.witness(changed(bench, old, new))
    assert found.witness is None and why in found.why and found.examples == 0


def test_what_is_drawn_does_no_harm(
    bench: Laboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = bench.witness(changed(bench, "if count < 1:", "if count <= 1:"))
    assert found.witness is not None
    for folder in (tmp_path, Path.home(), Path("/tmp"), Path("/")):
        assert not [each.name for each in folder.iterdir() if "marker-of-a-search" in each.name]


def test_a_file_that_no_test_imports_has_no_witness(laboratory: Make) -> None:
    found = laboratory({**SEED, "pkg/other.py": "def low(n):\n    return n < 5\n"})
    before = found.read("pkg/other.py")
    candidate = Candidate(path="pkg/other.py", before=before, after=before.replace(b"<", b"<="), lines=(2, 2))
    assert found.witness(candidate) == Found(why="no test imports the file")
