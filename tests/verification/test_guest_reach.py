"""The map that coverage gives of the toy seed `reach`, against what can be read off its tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.corpus.journal import Journal
from bebug.mutation.engine import mine
from bebug.registry import load
from bebug.verification import Laboratory, Reach


@pytest.fixture(scope="module")
def bench(laboratory: Callable[..., Laboratory]) -> Laboratory:
    return laboratory("reach")


def at(bench: Laboratory, text: str) -> tuple[Reach, int]:
    """The map, and the only line that holds *text*."""
    lines = [
        number
        for number, line in enumerate(bench.read("pkg/core.py").decode().split("\n"), 1)
        if text in line
    ]
    return bench.reach, lines[0]


@pytest.mark.parametrize(
    ("text", "offset", "tests"),
    [
        ("def direct", 1, {"test_direct", "test_fixture"}),
        ("def threaded", 1, {"test_thread"}),
        ("        < n", 0, {"test_spanning"}),
    ],
)
def test_a_line_has_the_tests_that_ran_it(bench: Laboratory, text: str, offset: int, tests: set[str]) -> None:
    reach, line = at(bench, text)
    seen = reach.seen("pkg/core.py", line + offset, line + offset)
    assert {test.split("::")[1] for test in seen.tests} == tests
    assert seen.executed and not seen.shared


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("def direct", False),
        ("range(10)", False),
        ('log.append("end")', False),
        ("OPERATIONS", True),
        ("    n=2,", False),
    ],
)
def test_what_runs_for_all_tests_is_shared(bench: Laboratory, text: str, early: bool) -> None:
    """A wider fixture's lines are; those that run at import are too, and before the first test.

    The header of a function runs then, but what it changes shows only where its body runs.
    """
    reach, line = at(bench, text)
    seen = reach.seen("pkg/core.py", line, line)
    assert (seen.shared, seen.early) == (True, early)


@pytest.mark.parametrize("text", ["pair[0]", "len(argv)", "x + 1"])
def test_what_ran_elsewhere_or_never_is_not_seen_nor_called_silent(bench: Laboratory, text: str) -> None:
    reach, line = at(bench, text)
    assert not reach.seen("pkg/core.py", line, line).executed
    assert reach.tests("pkg/core.py", line, line) is None
    assert not reach.silent("pkg/core.py", line, line)


def test_those_that_start_processes_come_along(bench: Laboratory) -> None:
    hidden = {"tests/test_hidden.py::test_pool", "tests/test_hidden.py::test_command"}
    assert bench.reach.always == hidden
    reach, line = at(bench, "def direct")
    assert hidden <= (reach.tests("pkg/core.py", line + 1, line + 1) or set())


def test_another_core_and_the_seed_s_own_settings_do_not_matter(
    laboratory: Callable[..., Laboratory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COVERAGE_CORE", "sysmon")
    monkeypatch.setenv("COVERAGE_PROCESS_START", "/nowhere/.coveragerc")
    bench = laboratory("reach", env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COVERAGE_CORE": "sysmon"})
    reach, line = at(bench, "def direct")
    assert {test.split("::")[1] for test in reach.seen("pkg/core.py", line + 1, line + 1).tests} == {
        "test_direct",
        "test_fixture",
    }


def test_what_the_project_leaves_out_of_its_own_measurement_is_measured(
    laboratory: Callable[..., Laboratory],
) -> None:
    files = {
        "pytest.ini": "[pytest]\npythonpath = .\n",
        ".coveragerc": (
            "[run]\nomit = core.py\nparallel = true\ndata_file = mine.data\ndynamic_context = none\n"
            "[report]\nexclude_also =\n    if x is None\n"
        ),
        "core.py": "def f(x):\n    if x is None:  # pragma: no cover\n        return 0\n    return x\n",
        "test_core.py": (
            "from core import f\n\ndef test_none():\n    assert f(None) == 0\n\n"
            "def test_one():\n    assert f(1) == 1\n"
        ),
    }
    bench = laboratory(files)
    assert bench.reach.seen("core.py", 2, 2).tests == {"test_core.py::test_none", "test_core.py::test_one"}
    assert bench.reach.seen("core.py", 3, 3).tests == {"test_core.py::test_none"}


def test_a_test_that_takes_the_tracer_away_is_told(laboratory: Callable[..., Laboratory]) -> None:
    files = {
        "pytest.ini": "[pytest]\npythonpath = .\n",
        "core.py": "def f(x):\n    return x\n",
        "test_core.py": (
            "import sys\nfrom core import f\n"
            "def test_steals():\n    sys.settrace(None)\n    assert f(1)\n"
            "def test_after():\n    assert f(1)\n"
        ),
    }
    reach = laboratory(files).reach
    assert reach.always == {"test_core.py::test_steals"}
    assert reach.seen("core.py", 2, 2).tests == {"test_core.py::test_after"}


def test_the_kill_matrix_does_not_ask_forks_what_other_processes_do(
    bench: Laboratory, tmp_path: Path
) -> None:
    faults = mine("pkg/core.py", bench.read("pkg/core.py"), list(load("faults").values())).mutants
    bench.arm(faults, shelf=Journal(tmp_path / "rows", {}), environment="", patch=lambda fault: None)
    bench.faults.fill(1, lambda word: None)
    killers: dict[str, set[str]] = {}
    for fault in faults:
        if (row := bench.faults.known(fault)) is not None:
            killers.setdefault(fault.site.function, set()).update(test.split("::")[1] for test in row.killers)
    assert killers["direct"] == {"test_direct", "test_fixture"}
    assert killers["by_session"] >= {"test_rows"}
    assert not {"main", "unused", "forked"} & set(killers)
