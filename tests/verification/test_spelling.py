"""Values as expressions and back, what is shown of them, and calls made smaller: what is pure of a search."""

from __future__ import annotations

import ast
import collections
import dataclasses
import datetime
import decimal
import enum
import functools
import io
import math
import operator
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

GUEST = Path(__file__).parents[2] / "src" / "bebug" / "verification" / "guest"
NAMES = ("bebug_names", "bebug_instances", "bebug_spell", "bebug_sight", "bebug_smaller", "bebug_heirs")


@pytest.fixture(scope="module", autouse=True)
def guests() -> Iterator[dict[str, ModuleType]]:
    """The guest's own modules, which no package holds."""
    sys.path.insert(0, str(GUEST))
    try:
        from importlib import import_module

        yield {name: import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(GUEST))
        for name in NAMES:
            sys.modules.pop(name, None)


class Plain:
    def __init__(self, low: int) -> None:
        self.low = low


class Chain(list[int]):
    def __init__(self, name: str, links: list[int]) -> None:
        super().__init__(links)
        self.name = name

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("nothing of the seed's is to run")


class Table(dict[str, int]):
    pass


class Word(str):
    __slots__ = ()


class Slotted:
    __slots__ = ("low",)


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Colour(enum.Enum):
    RED = 1


Pair = collections.namedtuple("Pair", "one two")


def back(text: str) -> Any:
    """What *text* evaluates to, once it has the imports that it needs."""
    imports, (text,) = sys.modules["bebug_names"].rendered([text])
    namespace: dict[str, Any] = {}
    exec("\n".join(imports), namespace)
    return eval(text, namespace)


def shown(value: Any) -> str:
    found: str = sys.modules["bebug_sight"].Sight([]).shown(value)
    return found


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary()
)
SCALARS |= st.dates() | st.datetimes() | st.timedeltas() | st.decimals() | st.fractions() | st.uuids()
KEYS = st.integers() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=4)
        | st.frozensets(KEYS, max_size=4)
        | st.lists(inner, max_size=3).map(collections.deque)
        | st.dictionaries(KEYS, inner, max_size=3).map(collections.OrderedDict)
    ),
    max_leaves=8,
)


@settings(max_examples=300)
@given(value=VALUES)
def test_what_is_spelled_is_the_same_again(value: Any) -> None:
    text = sys.modules["bebug_spell"].spelled(value)
    assert "\n" not in text and shown(back(text)) == shown(value)


ODD = {
    "a huge number": 10**5000,
    "a lone surrogate": "\ud800",
    "what marks names": "\u01c0a\u01c3b\u01c2c",
    "a slice": slice(1, None, 2),
    "an enumeration": Colour.RED,
    "a named tuple": Pair(1, [2]),
    "a data class": Point(1),
    "an instance": Plain(3),
    "a list of its own kind": Chain("one", [1, 2]),
    "a dict of its own kind": Table(a=1),
    "a string of its own kind": Word("abc"),
    "a class": Point,
    "a function of none": open,
    "a function": functools.reduce,
    "a method of a type": str.upper,
    "a method of a value": [1].count,
    "a partial": functools.partial(int, base=2),
    "an item getter": operator.itemgetter(1),
    "a pattern": re.compile("a.", re.DOTALL),
    "text in memory": io.StringIO("a\nb"),
    "an exception": KeyError("a"),
    "a counter": collections.Counter("aab"),
    "a default": collections.defaultdict(list, {1: [2]}),
    "a path": Path("a/b"),
    "a moment": datetime.datetime(2026, 11, 30, tzinfo=datetime.timezone.utc),  # noqa: UP017
    "no number": decimal.Decimal("sNaN"),
    "infinite": -math.inf,
    "a range": range(3),
    "a view of nothing": (),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_values_are_spelled_too(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Plain.__module__])
    text = sys.modules["bebug_spell"].spelled(ODD[kind])
    assert shown(back(text)) == shown(ODD[kind])


def test_an_iterator_is_spelled_by_what_it_has_left_and_keeps_it() -> None:
    items = iter([1, 2, 3])
    next(items)
    text = sys.modules["bebug_spell"].spelled(items)
    assert list(back(text)) == [2, 3] and list(items) == [2, 3]


def test_a_lambda_over_built_in_names_is_spelled_as_it_stands() -> None:
    text = sys.modules["bebug_spell"].spelled(lambda x: (x % 2, len(str(x))))
    assert back(text)(15) == (1, 2)


def unspellable() -> Iterator[Any]:
    free = 3
    yield lambda x: x + free  # uses a name around it
    yield (number for number in range(3))
    yield Slotted()
    cycle: list[Any] = []
    cycle.append(cycle)
    yield cycle
    yield list(range(10_000))


def test_what_has_no_expression_says_so() -> None:
    spell = sys.modules["bebug_spell"]
    told = []
    for value in unspellable():
        try:
            told.append(spell.spelled(value))
        except sys.modules["bebug_names"].Unspellable as why:
            assert str(why)
    assert told == []


def test_names_that_clash_are_read_through_their_modules() -> None:
    spell = sys.modules["bebug_names"]
    texts = [spell.word("one", "f"), spell.word("two", "f"), spell.word("one", "g"), spell.word("io", "open")]
    lines, found = spell.rendered(texts)
    assert found == ["one.f", "two.f", "g", "io.open"]
    assert lines == ["from one import g", "import io", "import one", "import two"]


def test_two_objects_that_look_alike_are_shown_alike() -> None:
    assert shown(Plain(1)) == shown(Plain(1)) != shown(Plain(2))
    assert shown([object()]) == shown([object()])
    assert shown(1) != shown(True) and shown(1) != shown(1.0) and shown(0.0) != shown(-0.0)
    assert shown({1, 2}) == shown({2, 1}) and shown({1: 2, 3: 4}) != shown({3: 4, 1: 2})


def test_endless_and_cyclic_things_are_shown_in_part() -> None:
    import itertools

    assert shown(itertools.count()).startswith("<count [0, 1, ")
    cycle: list[Any] = [1]
    cycle.append(cycle)
    assert "above" in shown(cycle)


@settings(max_examples=200)
@given(value=VALUES)
def test_what_is_plainer_is_an_expression_too(value: Any) -> None:
    spell, smaller = sys.modules["bebug_spell"], sys.modules["bebug_smaller"]
    text = spell.spelled(value)
    for each in list(smaller.smaller(text))[:20]:
        assert each != text
        ast.parse(sys.modules["bebug_names"].rendered([each])[1][0], mode="eval")


@given(items=st.lists(st.integers(-50, 50), min_size=3, max_size=8))
def test_the_smallest_call_is_found(items: list[int]) -> None:
    smaller = sys.modules["bebug_smaller"]
    call = {"first": None, "args": [repr(items), "'abc'"], "kwargs": {"key": "None"}}
    found = smaller.smallest(call, 1, lambda each: len(eval(each["args"][0])) >= 2, 500)
    assert found == {"first": None, "args": ["[0, 0]"], "kwargs": {}}
