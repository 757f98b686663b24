"""Code that a test holds in a roundabout way: a changed file is what runs, however it was taken hold of.

Every edit names by hand the tests that notice it. A fork of a collected session must find exactly these or
leave the question to a cold run, which must find them. What was computed before the session was collected,
and what other processes run, a fork may overlook; it must not blame another test.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bebug.records import Seed, Workspace
from bebug.verification import Laboratory, judge
from bebug.verification.cold import Shot
from bebug.verification.events import Hit
from bebug.verification.verdicts import Judged

CORE = """\
import contextlib
import dataclasses
import enum
import functools
import typing


def fresh():
    return [0]


@dataclasses.dataclass
class Shelf:
    rows: list = dataclasses.field(default_factory=fresh)


def scale(factor, n):
    return factor * n


treble = functools.partial(scale, 3)
COMMANDS = {}


def command(function):
    COMMANDS[function.__name__] = function
    return function


@command
def stop(code):
    return code + 10


@functools.singledispatch
def shown(value):
    return "?"


@shown.register(int)
def _(value):
    return f"int {value}"


@shown.register(str)
def _(value):
    return f"str {value}"


class Tank:
    def __init__(self):
        self._level = 0

    @property
    def level(self):
        return self._level + 0

    @level.setter
    def level(self, value):
        self._level = value * 1

    @functools.cached_property
    def name(self):
        return "tank"


if fresh():

    def live(n):
        return n * 4

else:

    def live(n):
        return n * 5


EDGES = {"lt": lambda a, b: a < b, "ge": lambda a, b: a >= b}


def logged(function):
    def inner(*args):
        return function(*args)

    return inner


@logged
def first(n):
    return n + 100


@logged
def second(n):
    return n + 200


@contextlib.contextmanager
def deeper(depth):
    yield depth + 7


@enum.unique
class Size(enum.Enum):
    SMALL = 1
    LARGE = 2

    def larger(self):
        return Size(self.value + 1)

    @classmethod
    def _missing_(cls, value):
        return cls.LARGE


class Point(typing.NamedTuple):
    x: int
    y: int = 6

    def right(self):
        return self._replace(x=self.x + 8)


class Node:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value or 9


@functools.lru_cache(maxsize=None)
def primed(n):
    return n + 300


def star(n):
    return n + 400


def spoken(n):
    return n + 500


def counted(log):
    log.append(600)
    return len(log)
"""
TESTS = """\
import multiprocessing
import pickle
import subprocess
import sys

import core as loose
from pkg import core, star as alias
from pkg.core import *
from pkg.core import Node, Point, Shelf, Size, Tank

def test_factory():
    assert Shelf().rows == [0]

def test_partial():
    assert core.treble(2) == 6

def test_registry():
    assert core.COMMANDS["stop"](1) == 11

def test_int():
    assert core.shown(1) == "int 1"

def test_str():
    assert core.shown("a") == "str a"

def test_level():
    tank = Tank()
    tank._level = 2
    assert tank.level == 2

def test_set_level():
    tank = Tank()
    tank.level = 3
    assert tank._level == 3

def test_name():
    assert Tank().name == "tank"

def test_live():
    assert core.live(2) == 8

def test_lt():
    assert core.EDGES["lt"](1, 2) and not core.EDGES["lt"](2, 2)

def test_ge():
    assert core.EDGES["ge"](2, 2) and not core.EDGES["ge"](1, 2)

def test_first():
    assert core.first(1) == 101

def test_second():
    assert core.second(1) == 201

def test_deeper():
    with core.deeper(1) as depth:
        assert depth == 8

def test_members():
    assert [each.value for each in Size] == [1, 2]

def test_larger():
    assert Size.SMALL.larger() is Size.LARGE

def test_missing():
    assert Size(77) is Size.LARGE

def test_point():
    assert Point(1) == (1, 6) and pickle.loads(pickle.dumps(Point(1, 2))) == (1, 2)

def test_right():
    assert Point(1).right().x == 9

def test_node():
    assert Node(None).value == 9

def test_primed():
    assert core.primed(1) == 301

def test_star():
    assert star(1) == 401

def test_alias():
    assert alias(1) == 401

def test_loose():
    assert loose.star(1) == 401

def test_spawned():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(core.spoken, [1]) == [501]

def test_command():
    done = subprocess.run([sys.executable, "-m", "pkg"], capture_output=True, text=True)
    assert done.stdout == "601\\n"
"""
FILES = {
    "pytest.ini": "[pytest]\npythonpath = . pkg\n",
    "conftest.py": "from pkg.core import primed\n\nprimed(1)\n",
    "pkg/__init__.py": "from .core import *\n",
    "pkg/__main__.py": "from pkg.core import counted\n\nprint(600 + counted([]))\n",
    "pkg/core.py": CORE,
    "tests/test_core.py": TESTS,
}
EDITS = {  # what, with what in its place, and the tests that notice it
    "a default factory": ("return [0]", "return [1]", {"factory"}),
    "the function of a partial": ("factor * n", "factor + n", {"partial"}),
    "a function in a registry": ("code + 10", "code + 11", {"registry"}),
    "one handler of a name": ('f"int {value}"', 'f"int{value}"', {"int"}),
    "the other handler of that name": ('f"str {value}"', 'f"str{value}"', {"str"}),
    "a getter": ("self._level + 0", "self._level + 1", {"level"}),
    "a setter": ("value * 1", "value * 2", {"set_level"}),
    "a cached property": ('"tank"', '"tanks"', {"name"}),
    "one of two definitions": ("n * 4", "n * 3", {"live"}),
    "the definition that never runs": ("n * 5", "n * 6", set()),
    "below a decorator": ("n + 100", "n + 99", {"first"}),
    "below the same decorator": ("n + 200", "n + 199", {"second"}),
    "a context manager": ("depth + 7", "depth + 6", {"deeper"}),
    "a member of an enumeration": ("LARGE = 2", "LARGE = 3", {"members"}),
    "a method of an enumeration": ("self.value + 1", "self.value + 0", {"larger"}),
    "what an enumeration does without a member": ("return cls.LARGE", "return cls.SMALL", {"missing"}),
    "a default of a named tuple": ("y: int = 6", "y: int = 5", {"point"}),
    "a method of a named tuple": ("self.x + 8", "self.x - 8", {"right"}),
    "a class with slots": ("value or 9", "value", {"node"}),
    "a name that went through a star": ("n + 400", "n + 399", {"star", "alias", "loose"}),
    "the first lambda of a line": ("a < b", "a <= b", {"lt"}),
    "the second lambda of a line": ("a >= b", "a > b", {"ge"}),
    "nothing": ("code + 10", "10 + code", set()),
}
ELSEWHERE = {
    "what was computed before": ("n + 300", "n + 299", {"primed"}),
    "what only a spawned process runs": ("n + 500", "n + 499", {"spawned"}),
    "what only a command runs": ("log.append(600)", "log.extend([600, 1])", {"command"}),
}
ALL = {**EDITS, **ELSEWHERE}


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    tree = tmp_path_factory.mktemp("seed") / "tree"
    for path, text in FILES.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    seed = Seed(name="tree", version="1", source="path", sha256="0" * 64, licence="MIT", env=env)
    python = Path(sys.executable)
    with Laboratory(Workspace(seed=seed, tree=tree, python=python, python_version="", packages=())) as made:
        assert len(made.baseline().green) == TESTS.count("def test_") and not made.set_aside
        yield made


def edited(old: str, new: str) -> dict[str, bytes]:
    assert CORE.count(old) == 1, old
    return {"pkg/core.py": CORE.replace(old, new).encode()}


@pytest.fixture(scope="module")
def hits(laboratory: Laboratory) -> Mapping[str, Hit]:
    """All edits shot in one session; only those that concern them at the tests that start processes."""
    processes = ids({"spawned", "command"})
    return laboratory.shoot(
        [
            Shot(
                key=name,
                overlay=edited(old, new),
                tests=[test for test in laboratory.current.green if test not in processes - ids(noticing)],
                seconds=5.0,
            )
            for name, (old, new, noticing) in ALL.items()
        ]
    )


def ids(names: set[str]) -> set[str]:
    return {f"tests/test_core.py::test_{name}" for name in names}


def in_a_cold_run(laboratory: Laboratory, *names: str) -> Judged:
    """What a cold run says of these edits, all made at once."""
    text = CORE
    for name in names:
        old, new, _ = ALL[name]
        text = text.replace(old, new)
    return judge(laboratory.current, laboratory.run({"pkg/core.py": text.encode()}))


def blamed(hit: Hit) -> set[str]:
    return {failure.test for failure in hit.failures}


@pytest.mark.parametrize("name", EDITS)
def test_the_changed_code_is_what_runs_whatever_holds_it(
    laboratory: Laboratory, hits: Mapping[str, Hit], name: str
) -> None:
    hit, noticing = hits[name], ids(EDITS[name][2])
    if hit.status == "cold":
        judged = in_a_cold_run(laboratory, name)
        assert (set(judged.fail_to_pass), judged.lost) == (noticing, ())
    else:
        assert (blamed(hit), hit.status) == (noticing, "killed" if noticing else "survived")


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_cold_run_sees_what_a_fork_may_not(laboratory: Laboratory, name: str) -> None:
    assert set(in_a_cold_run(laboratory, name).fail_to_pass) == ids(ALL[name][2])


def test_what_was_computed_before_the_first_test_is_known_to_be(laboratory: Laboratory) -> None:
    """The kill matrix leaves such lines to runs that compute it anew."""
    early = {
        name
        for name, (old, _, _) in ALL.items()
        for line in [CORE[: CORE.index(old)].count("\n") + 1]
        if laboratory.reach.seen("pkg/core.py", line, line).early
    }
    assert "what was computed before" in early
    assert not early & {"a function in a registry", "a getter", "what only a spawned process runs"}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_fork_that_sees_less_blames_no_other_test(hits: Mapping[str, Hit], name: str) -> None:
    assert blamed(hits[name]) <= ids(ELSEWHERE[name][2])


def test_one_cold_run_over_all_edits_fails_the_tests_of_all(laboratory: Laboratory) -> None:
    """The slow twin of all forks in one go; two edits of one place cannot both be made."""
    judged = in_a_cold_run(laboratory, *(name for name in ALL if name != "nothing"))
    assert set(judged.fail_to_pass) == ids(set().union(*(tests for _, _, tests in ALL.values())))
