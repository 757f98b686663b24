"""Baselines of seeds of every kind, and what a laboratory says of one that cannot serve."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.errors import SeedError, UsageError
from bebug.records import Status
from bebug.verification import Laboratory, Limits, judge

Make = Callable[..., Laboratory]
CORE = "def below(i, n):\n    return i < n\n"
TEST = "from core import below\ndef test_below():\n    assert below(1, 2) and not below(2, 2)\n"
STEP = {"core.py": CORE.replace("<", "<=").encode()}


def noted(bench: Laboratory, text: str) -> str:
    return next((note for note in bench.baseline().notes if text in note), "")


def test_a_red_suite_goes_on_with_what_passes(laboratory: Make) -> None:
    bench = laboratory("plain")
    base = bench.baseline()
    assert {test.split("::")[1].split("[")[0] for test in base.green} == {
        "test_below",
        "test_name",
        "test_none",
    }
    aside = {test.split("::")[1] for test in base.set_aside}
    assert aside == {
        "test_red",
        "test_set_up_fails",
        "test_tear_down_fails",
        "test_expected",
        "test_expected_strictly",
        "test_unexpected",
        "test_unexpected_strictly",
        "test_never_run",
    }
    assert base.collected == 17 and base.order_dependent == () and base.collection_errors == ()
    assert noted(bench, "failing on the untouched seed") and noted(bench, "expected to fail")


@pytest.mark.parametrize(
    "addopts",
    [
        "-n 2 --dist loadfile -p xdist -p no:randomly",
        "--cov=core --cov-branch --cov-fail-under=100 --cov-report=term-missing --lf --lfnf=all",
        "-x --maxfail=1 --strict-markers -p no:terminal",
        "--strict-config -W error",
    ],
)
def test_settings_that_steer_the_run_are_neutralised(laboratory: Make, addopts: str) -> None:
    ini = f"[pytest]\naddopts = {addopts}\ncache_dir = .cache\n"
    bench = laboratory({"core.py": CORE, "test_core.py": TEST, "pytest.ini": ini})
    assert bench.baseline().green == ("test_core.py::test_below",)
    assert judge(bench.current, bench.run(STEP)).fail_to_pass == ("test_core.py::test_below",)


def test_what_was_dropped_is_said(laboratory: Make) -> None:
    bench = laboratory(
        {"core.py": CORE, "test_core.py": TEST, "pytest.ini": "[pytest]\naddopts = -n 2 -k below\n"}
    )
    assert noted(bench, "not passed on") == "not passed on to pytest: -n 2"
    assert bench.seed.test_argv[:2] == ("-o", "addopts=-k below")


def test_the_effective_arguments_alone_give_the_same_result(laboratory: Make, tmp_path: Path) -> None:
    """Whoever has only the manifest must see what we saw."""
    ini = "[pytest]\naddopts = -n 2 -k 'below or other'\n"
    bench = laboratory({"core.py": CORE, "test_core.py": TEST, "pytest.ini": ini})
    for name, content in {**STEP, "test_core.py": TEST.encode(), "pytest.ini": ini.encode()}.items():
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", *bench.seed.test_argv]
    env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "FAILED test_core.py::test_below" in done.stdout


COUNTER = "import itertools\nIDS = itertools.count(1)\ndef new():\n    return next(IDS)\n"


def test_a_test_that_leans_on_the_order_counts_but_never_alone(laboratory: Make) -> None:
    tests = "".join(f"def test_{n}():\n    assert new() == {n}\n" for n in range(1, 6))
    bench = laboratory({"core.py": COUNTER, "test_core.py": "from core import new\n" + tests})
    base = bench.baseline()
    assert len(base.green) == 5 and base.set_aside == ()
    assert len(base.order_dependent) >= 2
    assert noted(bench, "never run alone")
    changed = judge(base, bench.run({"core.py": COUNTER.replace("1", "2").encode()}))
    assert changed.fail_to_pass == base.green


def test_a_coin_flip_is_set_aside(laboratory: Make) -> None:
    coins = "".join(f"def test_coin{n}():\n    assert os.urandom(1)[0] < 128\n" for n in range(30))
    bench = laboratory({"core.py": CORE, "test_core.py": "import os\n" + TEST + coins})
    base = bench.baseline()
    assert "test_core.py::test_below" in base.green
    assert len(base.set_aside) > 20
    assert len(base.order_dependent) < 5


def test_names_that_change_from_run_to_run_are_left_out(laboratory: Make) -> None:
    tests = (
        TEST + "import os, pytest\n"
        "@pytest.mark.parametrize('x', [os.urandom(4).hex()])\ndef test_odd(x): pass\n"
        "@pytest.mark.parametrize('x', [object()], ids=repr)\ndef test_address(x): pass\n"
        "@pytest.mark.parametrize('x', ['a', 'b'])\ndef test_fine(x): pass\n"
    )
    bench = laboratory({"core.py": CORE, "test_core.py": tests})
    base = bench.baseline()
    assert {test.split("::")[1] for test in base.green} == {"test_below", "test_fine[a]", "test_fine[b]"}
    assert base.set_aside == () and base.collected == 3
    argv = bench.seed.test_argv
    assert (
        "test_core.py::test_odd[" in argv and argv[argv.index("test_core.py::test_odd[") - 1] == "--deselect"
    )
    assert "test_core.py::test_odd[" in noted(bench, "left out")


def test_a_file_that_cannot_be_collected_is_named_and_the_rest_goes_on(laboratory: Make) -> None:
    bench = laboratory({"core.py": CORE, "test_core.py": TEST, "test_opt.py": "import no_such_package\n"})
    base = bench.baseline()
    assert base.collection_errors == ("test_opt.py",) and base.green == ("test_core.py::test_below",)
    assert noted(bench, "cannot be collected") == "cannot be collected: test_opt.py"
    assert judge(base, bench.run(STEP)).status is Status.KILLED


@pytest.mark.parametrize(
    ("files", "seed", "words"),
    [
        ({"test_a.py": "def test_a(): assert 0"}, {}, "no test passes"),
        ({"a.py": "x = 1"}, {}, "pytest collects no test"),
        ({"test_a.py": "import no_such_package"}, {}, "test_a.py cannot be imported"),
        ({"test_a.py": "", "pytest.ini": "[pytest]\naddopts = --no-such-option"}, {}, "--no-such-option"),
        ({"test_a.py": "", "pytest.ini": "[pytest]\naddopts = -p no_such_plugin"}, {}, "no_such_plugin"),
        ({"test_a.py": "", "pytest.ini": "[pytest]\nrequired_plugins = no-such-one"}, {}, "no-such-one"),
        ({"conftest.py": "import no_such_package", "test_a.py": ""}, {}, "no_such_package"),
        ({"test_a.py": ""}, {"test_argv": ("no_such_folder",)}, "no_such_folder"),
        ({"test_a.py": "import os\ndef test_a(): os._exit(0)"}, {}, "ends before all tests have run"),
        ({"test_a.py": "import os\ndef test_a(): os.kill(os.getpid(), 11)"}, {}, "killed by a signal"),
    ],
)
def test_a_seed_that_cannot_serve_is_told_why(
    laboratory: Make, files: dict[str, str], seed: dict[str, Any], words: str
) -> None:
    with pytest.raises(SeedError, match=words) as raised:
        laboratory(files, **seed).baseline()
    assert raised.value.detail or "before" in words  # `os._exit` loses what was not yet written
    assert "\n" not in raised.value.message


def test_a_suite_that_hangs_is_told_so(laboratory: Make) -> None:
    bench = laboratory(
        {"test_a.py": "import time\ndef test_a(): time.sleep(60)"}, limits=Limits(unmeasured=3)
    )
    with pytest.raises(SeedError, match="do not end"):
        bench.baseline()


def test_an_interpreter_without_pytest_is_told_so(tmp_path: Path, workspace: Callable[..., Any]) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    (tmp_path / "seed").mkdir()
    bare = workspace(tmp_path / "seed")
    object.__setattr__(bare, "python", tmp_path / "bare" / "bin" / "python")
    with Laboratory(bare) as bench, pytest.raises(SeedError, match="has no pytest: install it there"):
        bench.baseline()


def test_the_limit_follows_the_baseline(laboratory: Make) -> None:
    bench = laboratory({"core.py": CORE, "test_core.py": TEST}, limits=Limits(floor=2, factor=1))
    slowest = bench.baseline().seconds
    assert bench.limits.seconds(bench.runner.slowest) == 2 + slowest
    run = bench.run({"core.py": b"import time\ntime.sleep(120)\n"})
    assert judge(bench.current, run).status is Status.TIMEOUT
    assert run.seconds < 60


def test_limits_have_a_documented_formula() -> None:
    assert Limits().seconds(None) == 900
    assert Limits().seconds(0.5) == 12
    assert Limits(timeout=5).seconds(100) == 5


def test_the_seed_s_own_files_are_read_and_others_refused(laboratory: Make) -> None:
    bench = laboratory("plain")
    assert bench.read("pkg/core.py").startswith(b"def below")
    with pytest.raises(UsageError, match="leads out"):
        bench.read("../hostile/pkg/core.py")
    with pytest.raises(UsageError, match=r"cannot read pkg/none\.py"):
        bench.read("pkg/none.py")


def test_a_missing_coverage_is_no_failure_but_no_map(laboratory: Make) -> None:
    files = {"coverage.py": "raise ImportError('hidden')\n", "core.py": CORE, "test_core.py": TEST}
    bench = laboratory(files)
    assert not bench.reach.known
    assert bench.reach.tests("core.py", 2, 2) is None
