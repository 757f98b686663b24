"""The fast screen and its slow twin: a fork of one collected session says what a cold run says, or less."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bebug.records import Seed, Workspace
from bebug.verification import Laboratory, judge
from bebug.verification.cold import Shot
from bebug.verification.events import Hit

CORE = """\
import functools

LIMIT = 3


def below(i, n=LIMIT):
    return i < n


@functools.lru_cache(maxsize=None)
def cached(n):
    return n + 1


def twice(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 2

    return wrapper


@twice
def doubled(n):
    return n + 1


def made(step):
    def add(n):
        return n + step

    return add


add_two = made(2)


def numbers(n):
    yield from (i for i in range(n))


class Box:
    size = 2

    def __init__(self, n):
        self.n = n

    @property
    def full(self):
        return self.n >= self.size

    @staticmethod
    def empty():
        return Box(0)


def double(n):
    return 2 * n


def padded(text, width=3, *, fill=" "):
    return text.ljust(width, fill)


def wait(n):
    while n > 0:
        n -= 1
    return n
"""

TESTS = """\
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from pkg import core
from pkg.core import Box, add_two, below, cached, doubled, numbers, padded, wait


def test_below():
    assert below(2) and not below(3)


def test_cached():
    assert cached(1) == 2


def test_doubled():
    assert doubled(1) == 4


def test_add_two():
    assert add_two(1) == 3


def test_numbers():
    assert list(numbers(2)) == [0, 1]


@pytest.mark.parametrize("n", [1, 2], ids=["one [a]", "two b"])
def test_box(n):
    assert Box(n).full is (n == 2)


def test_empty():
    assert not Box.empty().full


def test_padded():
    assert padded("a") == "a  "


def test_padded_with_all():
    assert padded("a", 2, fill="-") == "a-"


def test_wait():
    assert wait(3) == 0


def test_double_anew():
    done = subprocess.run([sys.executable, "-c", "from pkg.core import double; print(double(2))"], stdout=-1)
    assert int(done.stdout) == 4


def test_double_held(held):
    assert held[0].double(2) == held[1](2) == 4


def test_double_reloaded():
    assert importlib.reload(core).double(2) == 4


def test_double_as_it_stands():
    assert "2 * n" in Path(core.__file__).read_text()
"""

CONFTEST = """\
import pytest

from pkg import core
from pkg.core import double


@pytest.fixture
def held():
    return core, double
"""

EDITS = {
    "a function": ("return i < n", "return i <= n"),
    "a cached function": ("    return n + 1\n\n\ndef twice", "    return n - 1\n\n\ndef twice"),
    "a wrapper": ("return function(*args) * 2", "return function(*args) * 3"),
    "a decorated function": ("def doubled(n):\n    return n + 1", "def doubled(n):\n    return n + 2"),
    "a closure": ("return n + step", "return n - step"),
    "a generator": ("i for i in range(n)", "-i for i in range(n)"),
    "a property": ("self.n >= self.size", "self.n > self.size"),
    "a static method": ("return Box(0)", "return Box(5)"),
    "a default": ("width=3", "width=4"),
    "a default by keyword": ('fill=" "', 'fill="."'),
    "a default and its function": (
        'width=3, *, fill=" "):\n    return text',
        'width=2, *, fill=""):\n    return text[1:]',
    ),
    "what is reloaded and read, here and in another process": ("return 2 * n", "return 3 * n"),
    "lines that move": ("def below", "\n\n# moved\ndef below"),
    "no test notices": ("while n > 0:\n        n -= 1", "while n > 0:\n        n -= 3 if n == 3 else 1"),
    "the process ends": ("    return n\n", "    import os\n    os._exit(0)\n"),
    "a module that cannot be loaded": ("LIMIT = 3", "LIMIT = 3 // 0"),
    "no end": ("n -= 1", "n -= 0"),
    "a wait without end": ("    return n\n", "    import threading\n    threading.Event().wait()\n"),
}
DEADLY = ("the process ends", "a module that cannot be loaded", "no end", "a wait without end")
ANEW = {
    "a constant": ("LIMIT = 3", "LIMIT = 2"),
    "a default by name": ("n=LIMIT", "n=2"),
    "a class body": ("size = 2", "size = 3"),
    "a decorator": ("@twice\ndef", "def"),
    "free variables": ("return n + step", "return n"),
}
COLD = {"no Python": ("return n + step", "return n +")}


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    tree = tmp_path_factory.mktemp("seed") / "tree"
    files = {"pkg/core.py": CORE, "tests/conftest.py": CONFTEST, "tests/test_core.py": TESTS}
    for path, text in {"pkg/__init__.py": "", **files}.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    seed = Seed(
        name="tree",
        version="1",
        source="path",
        sha256="0" * 64,
        licence="MIT",
        env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    python = Path(sys.executable)
    with Laboratory(Workspace(seed=seed, tree=tree, python=python, python_version="", packages=())) as made:
        made.baseline()
        yield made


def edited(old: str, new: str) -> dict[str, bytes]:
    assert CORE.count(old) >= 1
    return {"pkg/core.py": CORE.replace(old, new, 1).encode()}


@pytest.fixture(scope="module")
def hits(laboratory: Laboratory) -> dict[str, Hit]:
    """All edits shot in one session, the deadly ones among the rest."""
    tests = laboratory.current.green
    shots = [
        Shot(key=name, overlay=edited(*edit), tests=tests, seconds=2.0)
        for name, edit in {**EDITS, **ANEW, **COLD}.items()
    ]
    return dict(laboratory.shoot(shots))


@pytest.fixture(scope="module")
def anew(laboratory: Laboratory) -> dict[str, Hit]:
    """The same edits, each with all of the seed's modules imported anew."""
    tests = laboratory.current.green
    shots = [
        Shot(key=name, overlay=edited(*edit), tests=tests, seconds=2.0, fresh=True)
        for name, edit in {**EDITS, **ANEW}.items()
    ]
    return dict(laboratory.shoot(shots))


@pytest.mark.parametrize("name", [name for name in (*EDITS, *ANEW) if name not in DEADLY])
def test_a_fork_finds_what_a_cold_run_finds(
    laboratory: Laboratory, hits: dict[str, Hit], anew: dict[str, Hit], name: str
) -> None:
    judged = judge(laboratory.current, laboratory.run(edited(*{**EDITS, **ANEW}[name])))
    for found in (hits, anew):
        assert found[name].status == judged.status.value
        assert tuple(each.test for each in found[name].failures) == judged.fail_to_pass


@pytest.mark.parametrize("fresh", [False, True])
def test_a_changed_test_is_what_runs(laboratory: Laboratory, fresh: bool) -> None:
    """Its code is what pytest made of its assertions."""
    path, tests = "tests/test_core.py", laboratory.current.green
    weaker = {path: TESTS.replace("assert cached(1) == 2", "cached(1)").encode()}
    stronger = {path: TESTS.replace("assert cached(1) == 2", "assert cached(1) == 3").encode()}
    both = {**weaker, **edited(*EDITS["a cached function"])}
    overlays = {"weaker": weaker, "stronger": stronger, "both": both}
    shots = [
        Shot(key=key, overlay=each, tests=tests, seconds=2.0, fresh=fresh) for key, each in overlays.items()
    ]
    hits = laboratory.shoot(shots)
    assert {key: hit.status for key, hit in hits.items()} == {
        "weaker": "survived",
        "stronger": "killed",
        "both": "survived",
    }
    (failure,) = hits["stronger"].failures
    assert (failure.test, failure.exception) == (f"{path}::test_cached", "AssertionError")


def test_a_shot_ends_where_enough_tests_have_failed(laboratory: Laboratory) -> None:
    tests = laboratory.current.green
    places = laboratory.current.places
    broken = {
        "pkg/core.py": CORE.replace("self.n >= self.size", "1 / 0").encode()
    }  # three tests of two functions

    def failed(enough: int, groups: list[str]) -> list[str]:
        shot = Shot(key="k", overlay=broken, tests=tests, seconds=2.0, enough=enough, groups=groups)
        return [each.test.split("::")[1] for each in laboratory.shoot([shot])["k"].failures]

    boxes = ["test_box[one [a]]", "test_box[two b]"]
    functions = [places[test] for test in tests]
    assert failed(0, functions) == failed(3, functions) == [*boxes, "test_empty"]
    assert failed(1, functions) == failed(1, []) == boxes[:1]
    assert failed(2, []) == boxes
    assert failed(2, functions) == [*boxes, "test_empty"]


def test_chance_falls_alike_in_every_session(laboratory: Laboratory) -> None:
    chance = "import random\n    return i < n and random.random() < 0.5  # "
    tests = [test for test in laboratory.current.green if test.endswith("::test_below")]
    shots = [
        Shot(key=f"{number}", overlay=edited("return i < n", f"{chance}{number}"), tests=tests, seconds=2.0)
        for number in range(6)
    ]
    answers = {hit.status for _ in range(2) for hit in laboratory.shoot(shots).values()}
    assert answers in ({"killed"}, {"survived"})


def test_what_no_fork_can_tell_is_left_to_a_cold_run(hits: dict[str, Hit]) -> None:
    assert {name: hits[name].status for name in COLD} == dict.fromkeys(COLD, "cold")


def test_a_child_that_dies_or_hangs_is_no_kill_and_harms_no_other(hits: dict[str, Hit]) -> None:
    assert hits["the process ends"].status == hits["a module that cannot be loaded"].status == "crash"
    assert hits["no end"].status == hits["a wait without end"].status == "timeout"
    assert list(hits) == [*EDITS, *ANEW, *COLD]


def test_a_hit_says_how_its_tests_failed(hits: dict[str, Hit]) -> None:
    (failure,) = hits["a function"].failures
    assert (failure.exception, failure.frame.partition(":")[0]) == ("AssertionError", "tests/test_core.py")
