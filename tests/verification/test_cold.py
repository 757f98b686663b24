"""The cold runner against plain pytest, and against suites that do their worst."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.records import Ending, Outcome, Run, Status
from bebug.verification import Laboratory, Limits, judge

DATA = Path(__file__).parent.parent / "data"
Make = Callable[..., Laboratory]
BELOW = b"def below(i, n):\n    return i <= n\n\n\ndef name(x):\n    return x.strip()\n"
CORE = "tests/test_core.py::"


def by_plain_pytest(tree: Path, scratch: Path, overlay: dict[str, bytes]) -> dict[str, set[str]]:
    """Test names by what an independent run's JUnit report says of them."""
    copy = scratch / "copy"
    shutil.copytree(tree, copy)
    for name, content in overlay.items():
        (copy / name).write_bytes(content)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junitxml",
        scratch / "junit.xml",
    ]
    env = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=copy, env=env, capture_output=True)
    found: dict[str, set[str]] = {"failure": set(), "error": set(), "skipped": set(), "passed": set()}
    for case in ElementTree.parse(scratch / "junit.xml").iter("testcase"):
        kinds = {child.tag for child in case if child.tag in found} or {"passed"}
        for kind in kinds:
            found[kind].add(case.get("name") or "")
    return found


def names(run: Run, *outcomes: Outcome) -> set[str]:
    return {test.split("::", 1)[1] for test, outcome in run.outcomes.items() if outcome in outcomes}


@pytest.mark.parametrize("overlay", [{}, {"pkg/core.py": BELOW}], ids=["untouched", "changed"])
def test_outcomes_are_those_of_plain_pytest(
    laboratory: Make, tmp_path: Path, overlay: dict[str, bytes]
) -> None:
    run = laboratory("plain").run(overlay)
    plain = by_plain_pytest(DATA / "plain", tmp_path, overlay)
    assert run.ending is Ending.FINISHED
    assert names(run, Outcome.FAILED) == plain["failure"]
    assert names(run, Outcome.ERROR) == plain["error"]
    assert names(run, Outcome.SKIPPED, Outcome.XFAILED) == plain["skipped"]
    assert names(run, Outcome.PASSED, Outcome.XPASSED) == plain["passed"] - plain["error"]


def test_every_kind_of_outcome_has_its_word(laboratory: Make) -> None:
    run = laboratory("plain").run({})
    words = {
        test.split("::")[1]: str(outcome) for test, outcome in run.outcomes.items() if "outcomes" in test
    }
    assert words == {
        "test_red": "failed",
        "test_set_up_fails": "error",
        "test_tear_down_fails": "error",
        "test_skipped": "skipped",
        "test_expected": "xfailed",
        "test_expected_strictly": "xfailed",
        "test_unexpected": "xpassed",
        "test_unexpected_strictly": "failed",
        "test_never_run": "xfailed",
    }
    assert run.collected == len(run.outcomes) == 17
    assert set(run.durations) == set(run.outcomes)


def test_a_failure_says_what_where_and_how(laboratory: Make) -> None:
    failures = {failure.test: failure for failure in laboratory("plain").run({"pkg/core.py": BELOW}).failures}
    below = failures[CORE + "test_below"]
    assert (below.exception, below.frame) == ("AssertionError", "tests/test_core.py:7 in test_below")
    assert below.message.startswith("assert (True and not True)")
    none = failures[CORE + "test_none"]
    assert (none.exception, none.frame) == ("AttributeError", "pkg/core.py:6 in name")


def test_a_suite_that_hides_its_result_is_read_all_the_same(laboratory: Make) -> None:
    bench = laboratory("hostile")
    base = bench.run({})
    assert base.ending is Ending.FINISHED
    assert list(base.outcomes) == [
        CORE + name
        for name in (
            "test_flood",
            "test_child",
            "test_child_again",
            "test_patches",
            "test_moves",
            "test_closes_everything",
            "test_last",
        )
    ]
    assert set(base.outcomes.values()) == {Outcome.PASSED}
    source = bench.read("pkg/core.py").replace(b"i < n", b"i <= n")
    changed = bench.run({"pkg/core.py": source})
    assert names(changed, Outcome.FAILED) == {"test_closes_everything"}


def test_a_forked_child_that_runs_on_is_not_heard(laboratory: Make) -> None:
    code = (
        "import os, time\n"
        "def test_child():\n"
        "    pid = os.fork()\n"
        "    if not pid: time.sleep(.3)\n"
        "    assert pid\n"
        "def test_last(): time.sleep(1.2)\n"
    )
    run = laboratory({"test_a.py": code}).run({})
    assert run.outcomes == {"test_a.py::test_child": Outcome.PASSED, "test_a.py::test_last": Outcome.PASSED}
    assert run.failures == ()


def test_a_part_that_fails_fails_its_test_though_the_whole_passes(laboratory: Make) -> None:
    """As plugins for subtests do it: a failed report of a part, then a passed one of the whole."""
    parts = (
        "import copy, pytest\n"
        "@pytest.hookimpl(hookwrapper=True)\n"
        "def pytest_runtest_makereport(item, call):\n"
        "    report = (yield).get_result()\n"
        "    if report.when == 'call':\n"
        "        part = copy.copy(report)\n"
        "        part.outcome, part.longrepr = 'failed', 'one part failed'\n"
        "        item.ihook.pytest_runtest_logreport(report=part)\n"
    )
    run = laboratory({"conftest.py": parts, "test_a.py": "def test_parts(): pass\n"}).run({})
    assert run.outcomes == {"test_a.py::test_parts": Outcome.FAILED}
    assert [failure.message for failure in run.failures] == ["one part failed"]


def test_chosen_tests_run_by_their_whole_ids_in_suite_order(laboratory: Make) -> None:
    chosen = [
        CORE + "test_name[FAILED tests/x.py::y - z]",
        CORE + "test_name[]",
        CORE + "test_name[a - b [x]]",
    ]
    run = laboratory("plain").run({}, tests=chosen)
    assert list(run.outcomes) == [chosen[2], chosen[0], chosen[1]]
    assert laboratory("plain").run({}, tests=[]).outcomes == {}


def test_the_first_failure_can_end_it(laboratory: Make) -> None:
    run = laboratory("plain").run({"pkg/core.py": BELOW}, stop_at_first=True)
    assert list(run.outcomes.values()) == [Outcome.FAILED]
    assert run.ending is Ending.FINISHED


def test_a_shuffle_is_another_order_and_the_same_each_time(laboratory: Make) -> None:
    bench = laboratory("plain")
    plain, one, two = bench.run({}), bench.run({}, shuffle=7), bench.run({}, shuffle=7)
    assert list(one.outcomes) == list(two.outcomes) != list(plain.outcomes)
    assert one.outcomes == plain.outcomes


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("import os; os._exit(0)", Ending.ABORTED),
        ("import pytest; pytest.exit('enough')", Ending.ABORTED),
        ("raise KeyboardInterrupt", Ending.ABORTED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Ending.CRASH),
        ("import time; time.sleep(60)", Ending.TIMEOUT),
        ("import sys; sys.exit(0)", Ending.FINISHED),
    ],
)
def test_how_a_run_ends_is_told_apart(laboratory: Make, body: str, ending: Ending) -> None:
    files = {"test_a.py": f"def test_one(): pass\ndef test_two():\n    {body}\ndef test_three(): pass\n"}
    run = laboratory(files, limits=Limits(unmeasured=5)).run({})
    assert run.ending is ending
    assert run.outcomes["test_a.py::test_one"] is Outcome.PASSED


@pytest.mark.parametrize(
    ("files", "ending"),
    [
        ({"conftest.py": "raise ValueError(1)", "test_a.py": "def test_a(): pass"}, Ending.NOT_STARTED),
        ({"conftest.py": "def pytest_configure(): 1 / 0", "test_a.py": ""}, Ending.NOT_STARTED),
        ({"conftest.py": "def pytest_collection(): 1 / 0", "test_a.py": ""}, Ending.NOT_STARTED),
        ({"test_a.py": "import nothing_like_that"}, Ending.FINISHED),
        ({"test_a.py": "import sys; sys.exit(3)"}, Ending.NOT_STARTED),
    ],
)
def test_what_never_starts_is_no_run(laboratory: Make, files: dict[str, str], ending: Ending) -> None:
    run = laboratory({"test_b.py": "def test_b(): pass", **files}).runner.run({})
    assert run.ending is ending
    assert bool(run.collection_errors) == (ending is Ending.FINISHED)


def test_an_unprintable_failure_is_told_in_printable_words(laboratory: Make) -> None:
    code = (
        "import pytest, tempfile\n"
        "def test_a(): assert '\\ud800\\x1b[31m\\x00' == 'x' * 100000\n"
        "def test_b(tmp_path): raise ValueError(f'{object()} in {tmp_path}/a and {tempfile.mkdtemp()}')\n"
        "class Odd(Exception):\n    def __str__(self): raise RuntimeError('no')\n"
        "def test_c(): raise Odd\n"
    )
    run = laboratory({"test_a.py": code}).run({})
    messages = [failure.message for failure in run.failures]
    assert len(messages) == 3 and all(len(text) <= 500 and text.isprintable() for text in messages)
    assert "0x..." in messages[1] and "<tmp>/" in messages[1] and "bebug-" not in messages[1]
    assert messages[2] == "(no message: str() raised RuntimeError)"


def test_a_plugin_that_runs_tests_again_counts_the_last_time(laboratory: Make) -> None:
    again = (
        "import pytest\n"
        "from _pytest.runner import runtestprotocol\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_protocol(item, nextitem):\n"
        "    for turn in range(3):\n"
        "        reports = runtestprotocol(item, nextitem=nextitem, log=False)\n"
        "        failed = any(report.failed for report in reports)\n"
        "        for report in reports:\n"
        "            if report.failed and turn < 2: report.outcome = 'rerun'\n"
        "            item.ihook.pytest_runtest_logreport(report=report)\n"
        "        if not failed: break\n"
        "    return True\n"
    )
    tests = "TRIES = []\ndef test_warm():\n    TRIES.append(1)\n    assert len(TRIES) > 1\n"
    tests += "def test_red(): assert 0\n"
    run = laboratory({"conftest.py": again, "test_a.py": tests}).run({})
    assert run.outcomes == {"test_a.py::test_warm": Outcome.PASSED, "test_a.py::test_red": Outcome.FAILED}


def test_the_caller_s_environment_does_not_leak_in(laboratory: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONOPTIMIZE", "PYTHONHASHSEED", "PYTEST_ADDOPTS", "COVERAGE_CORE", "COV_CORE_SOURCE"):
        monkeypatch.setenv(name, "1")
    code = (
        "import os, sys, pathlib\n"
        "def test_env():\n"
        "    assert os.environ['PYTHONHASHSEED'] == '0' and sys.flags.optimize == 0\n"
        "    left = {n for n in os.environ if n.startswith(('PYTEST', 'COV'))}\n"
        "    assert left <= {'PYTEST_CURRENT_TEST', 'PYTEST_VERSION', 'PYTEST_DISABLE_PLUGIN_AUTOLOAD'}\n"
        "    assert os.environ['MINE'] == 'yes' and 'BEBUG_PLAN' not in os.environ\n"
        "    home = pathlib.Path.home()\n"
        "    assert list(home.iterdir()) == [] and os.environ['TMPDIR'].startswith(str(home.parent))\n"
        "    assert not list(pathlib.Path.cwd().rglob('*.pyc'))\n"
    )
    env = {"MINE": "yes", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    bench = laboratory({"test_a.py": code}, env=env)
    assert bench.run({}).outcomes == {"test_a.py::test_env": Outcome.PASSED}


def test_a_nested_folder_can_be_where_tests_run(laboratory: Make) -> None:
    files = {
        "pytest.ini": "[pytest]\npythonpath = services/api/src\n",
        "services/api/src/api.py": "def below(i, n): return i < n\n",
        "services/api/tests/test_api.py": "from api import below\ndef test_below(): assert not below(2, 2)\n",
        "services/other/test_other.py": "raise RuntimeError('not mine')\n",
    }
    run = laboratory(files, cwd="services/api").run({})
    assert run.outcomes == {"services/api/tests/test_api.py::test_below": Outcome.PASSED}


def test_a_run_starts_from_the_pristine_tree_each_time(laboratory: Make) -> None:
    files = {
        "core.py": "def row(n): return [i for i in range(10) if i < n]\n",
        "test_a.py": (
            "import pathlib\nfrom core import row\nGOLD = pathlib.Path(__file__).with_name('gold.txt')\n"
            "def test_snapshot():\n"
            "    if not GOLD.exists(): GOLD.write_text(str(row(3)))\n"
            "    assert str(row(3)) == GOLD.read_text()\n"
        ),
    }
    bench = laboratory(files)
    base = bench.baseline()
    changed = {"core.py": b"def row(n): return [i for i in range(10) if i <= n]\n"}
    statuses: list[Any] = [judge(base, bench.run(overlay)).status for overlay in (changed, {}, changed)]
    assert statuses == [Status.SURVIVED] * 3


def test_the_tail_is_the_end_of_pytest_s_own_output(laboratory: Make) -> None:
    tail = laboratory("plain").run({}).tail
    assert "test_unexpected_strictly" in tail and len(tail) <= 4000
    assert "bebug-" not in tail and "\x1b" not in tail
