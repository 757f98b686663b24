"""Projects of every shape: what they ask of pytest is kept, and the tests that fail are the right ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bebug.records import Status
from bebug.verification import Judged, Laboratory, judge

Make = Callable[..., Laboratory]


def judged(bench: Laboratory, path: str, old: str, new: str) -> Judged:
    before = bench.read(path)
    assert before.count(old.encode()) == 1
    return judge(bench.current, bench.run({path: before.replace(old.encode(), new.encode())}))


# ------------------------------------------------------------------------------------ how tests are collected

CORE = """\
def below(i, n):
    return i < n


def named(x):
    if x is None:
        return "?"
    return x.strip()


def bare(x):
    return x.strip("!")


def paired(kind):
    return len(kind) > 2


async def later(n):
    return n > 3
"""
CONFTEST = """\
import asyncio
import inspect

import pytest

collect_ignore = ["scripts/test_by_hand.py"]


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", ["one", "two"])


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        asyncio.run(pyfuncitem.obj(engine=pyfuncitem.funcargs["engine"]))
        return True
"""
ODD = ["", "two  words", "a - b", "x::y", "p/q.py", "[", "]]", '"', "\\", "é表", "\x1b[31m", "\n", "z" * 300]
ODD += ["-k", "é表"]  # the last one comes twice
COLLECTED = {
    "pytest.ini": "[pytest]\npythonpath = .\n"
    "addopts = --import-mode=importlib --ff --lf --lfnf=all -p no:terminal\n",
    "conftest.py": CONFTEST,
    "core.py": CORE,
    "scripts/test_by_hand.py": "import argparse, sys\n\n"
    "argparse.ArgumentParser().parse_args(['--nothing'])\nsys.exit(3)\n",
    "tests/a/test_it.py": "from core import below\n\ndef test_it():\n    assert not below(2, 2)\n",
    "tests/b/test_it.py": "from core import named\n\ndef test_it():\n    assert named(None) == '?'\n",
    "tests/test_odd.py": "import pytest\nfrom core import bare\n\n"
    f"@pytest.mark.parametrize('text', {ODD!r})\n"
    "def test_odd(text):\n    assert bare(text + '!') == text\n",
    "tests/test_hash.py": "import pytest\nfrom core import paired\n\n"
    "class Kind:\n    def __init__(self, of):\n        self.of = of\n\n"
    "KINDS = [Kind(each) for each in {'red', 'green', 'blue', 'black'}]\n"
    "@pytest.mark.parametrize('kind', KINDS)\ndef test_pair(kind):\n    assert paired(kind.of)\n",
    "tests/test_later.py": "from core import later\n\n"
    "async def test_later(engine):\n    assert not await later(3)\n",
}


@pytest.fixture(scope="module")
def collected(laboratory: Make) -> Iterator[Laboratory]:
    """The untouched suite, with a hash seed in the caller's environment that has to be of no account."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONHASHSEED", "4")
        bench = laboratory(COLLECTED)
        assert len(bench.baseline().green) == 1 + 1 + len(ODD) + 4 + 2
        assert not bench.set_aside and not bench.current.collection_errors
        yield bench


@pytest.mark.parametrize("turn", [1, 2])
def test_two_test_files_of_one_name_are_told_apart_and_a_run_leaves_the_next_one_alone(
    collected: Laboratory, turn: int
) -> None:
    edits = [
        ("i < n", "i <= n", "tests/a/test_it.py::test_it"),
        ("x is None", "x == 'None'", "tests/b/test_it.py::test_it"),
    ]
    for old, new, failing in edits if turn == 1 else reversed(edits):
        found = judged(collected, "core.py", old, new)
        assert (
            found.fail_to_pass == (failing,) and len(found.pass_to_pass) == len(collected.current.green) - 1
        )


def test_ids_of_parameters_are_those_of_pytest_and_select_their_tests(collected: Laboratory) -> None:
    found = judged(collected, "core.py", 'x.strip("!")', 'x.strip("!" if x[:1] in "apz" else "")')
    odd = [test for test in collected.current.green if "test_odd[" in test]
    assert len(set(odd)) == len(ODD)
    assert set(found.fail_to_pass) == {
        test for test, text in zip(odd, ODD, strict=True) if (text + "!")[0] not in "apz"
    }
    assert list(collected.run({}, tests=odd[::2]).outcomes) == odd[::2]


def test_a_set_of_parameters_has_one_order_in_all_processes(
    collected: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for hash_seed in ("1", "2", "random"):
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
        found.append(judged(collected, "core.py", "> 2", "> 3").fail_to_pass)
    assert len(found[0]) == 1 and found[0][0].startswith("tests/test_hash.py::test_pair[kind")
    assert found == [found[0]] * 3


def test_a_coroutine_runs_under_each_engine_of_its_plugin(collected: Laboratory) -> None:
    found = judged(collected, "core.py", "n > 3", "n >= 3")
    assert found.fail_to_pass == (
        "tests/test_later.py::test_later[one]",
        "tests/test_later.py::test_later[two]",
    )


# ---------------------------------------------------------------------------- what a plugin or a setting does

PLUGIN = {
    "pytest.ini": "[pytest]\npythonpath = .\naddopts = -p short.plugin\n",
    "short/__init__.py": "",
    "short/plugin.py": (
        "MOST = 1\n\n\ndef pytest_collection_modifyitems(items):\n"
        "    items.sort(key=rank)\n\n\ndef rank(item):\n    return len(item.name) > 11\n"
    ),
    "test_plugin.py": (
        "from short import plugin\n\nclass Item:\n    def __init__(self, name):\n        self.name = name\n\n"
        "def test_rank():\n    assert not plugin.rank(Item('x' * 11))\n\n"
        "def test_most():\n    assert plugin.MOST == 1\n"
    ),
}


def test_a_plugin_may_be_what_is_tested(laboratory: Make) -> None:
    bench = laboratory(PLUGIN)
    assert bench.calibrate(["short/plugin.py"]).idle == {}
    path = "short/plugin.py"
    assert judged(bench, path, "> 11", ">= 11").fail_to_pass == ("test_plugin.py::test_rank",)
    assert judged(bench, path, "(items)", "(items, nothing)").status is Status.BROKEN
    assert judged(bench, path, "MOST = 1", "MOST = 1 / 0").status is Status.BROKEN


WARNING = {
    "pytest.ini": "[pytest]\npythonpath = .\nfilterwarnings = error\n",
    "core.py": (
        "def first(path):\n    file = open(path)\n    line = file.readline()\n"
        "    file.close()\n    return line\n\n\n"
        "def small(n):\n    return n == 1\n"
    ),
    "test_core.py": (
        "from core import first, small\n\n"
        "def test_first():\n    assert first(__file__).startswith('from')\n\n"
        "def test_small():\n    assert small(1) and not small(2)\n"
    ),
}


def test_a_warning_that_is_an_error_counts_where_it_comes_up(laboratory: Make) -> None:
    bench = laboratory(WARNING)
    assert judged(bench, "core.py", "n == 1", "n is 1").status is Status.BROKEN
    found = [judged(bench, "core.py", "    file.close()\n", "") for _ in range(2)]
    assert found[0].status is Status.KILLED and found[0] == found[1]


# -------------------------------------------------------------------------- what becomes of tests that passed

FATES = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "core.py": (
        "def ready(n):\n    return n > 5\n\n\n"
        "def squares(n):\n    return [(i, i * i) for i in range(n)]\n\n\n"
        "def half(n):\n    return n // 2\n\n\ndef limit():\n    return 9\n"
    ),
    "test_gate.py": (
        "import pytest\nfrom core import ready\n\n"
        "pytestmark = pytest.mark.skipif(not ready(6), reason='not here')\n\n"
        "def test_one():\n    assert True\n\ndef test_two():\n    assert True\n"
    ),
    "test_squares.py": (
        "import pytest\nfrom core import squares\n\n@pytest.mark.parametrize(('i', 'square'), squares(4))\n"
        "def test_square(i, square):\n    assert square == i * i\n"
    ),
    "test_half.py": (
        "import pytest\nfrom core import half, limit\n\ndef test_half():\n    assert half(4) == 2\n\n"
        "@pytest.mark.xfail\ndef test_odd():\n    assert half(3) == 1.5\n\n"
        "@pytest.mark.xfail(strict=True)\ndef test_odd_strictly():\n    assert half(5) == 2.5\n\n"
        "@pytest.mark.xfail(run=False)\ndef test_not_run():\n    assert half(7) == 3.5\n\n"
        "def test_limit():\n    assert limit() == 8\n"
    ),
}


@pytest.fixture(scope="module")
def fates(laboratory: Make) -> Laboratory:
    return laboratory(FATES)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("n > 5", "n > 6", {"test_gate.py::test_one", "test_gate.py::test_two"}),
        ("in range(n)", "in range(n - 1)", {"test_squares.py::test_square[3-9]"}),
        ("i * i) for", "(i + 1) * i) for", None),
    ],
    ids=["all skipped", "fewer", "renamed"],
)
def test_tests_that_passed_and_now_do_not_run_are_lost(
    fates: Laboratory, old: str, new: str, lost: set[str] | None
) -> None:
    found = judged(fates, "core.py", old, new)
    if lost is None:
        renamed = {f"test_squares.py::test_square[{i}-{i * i}]" for i in (1, 2, 3)}
        assert set(found.lost) == renamed and not renamed & set(found.pass_to_pass)
    else:
        assert (found.status, set(found.lost), found.fail_to_pass) == (Status.LOST, lost, ())


def test_a_change_that_does_what_an_expected_failure_waits_for_is_not_bad(fates: Laboratory) -> None:
    found = judged(fates, "core.py", "n // 2", "n / 2")
    assert (found.status, found.fail_to_pass) == (Status.SURVIVED, ())
    worse = judged(fates, "core.py", "n // 2", "n // 2 + 1")
    assert worse.fail_to_pass == ("test_half.py::test_half",)


def test_a_change_that_mends_a_red_test_is_not_bad(fates: Laboratory) -> None:
    assert fates.set_aside >= {"test_half.py::test_limit"}
    found = judged(fates, "core.py", "return 9", "return 8")
    assert (found.status, found.fail_to_pass, found.lost) == (Status.SURVIVED, (), ())
