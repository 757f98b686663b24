"""The warm tier, children forked of a server, against its slow twin: a process of its own for each run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bebug.pipeline.building import build
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Ending, Outcome, Run, Seed, Status, Workspace
from bebug.registry import load
from bebug.verification import Candidate, Laboratory, Limits
from bebug.verification.cold import ColdRunner
from bebug.verification.process import related
from bebug.verification.warm import WarmRunner

DATA = Path(__file__).parent.parent / "data"
BELOW = (DATA / "plain/pkg/core.py").read_bytes().replace(b" < ", b" <= ")

HABITS = """
import atexit, os, random, resource, signal, sys, tempfile, threading, time, uuid

import pytest

SEEN = []


def test_arguments():
    assert sys.argv[0].endswith("pytest/__main__.py") and sys.argv[1] == "-q"

def test_main_module():
    main = sys.modules["__main__"]
    assert main.__file__.endswith("pytest/__main__.py") and main.__spec__.name == "pytest.__main__"

def test_first_on_the_path():
    assert sys.path[0] == os.getcwd()

def test_no_path_twice():
    assert not [each for each in sys.path if "guest" in each][1:]

def test_environment():
    assert os.environ["PWD"] == os.getcwd()
    assert os.path.expanduser("~") == os.environ["HOME"]
    assert tempfile.gettempdir() == os.environ["TMPDIR"]
    assert not [name for name in os.environ if name.startswith("BEBUG_") and name != "BEBUG_TOKEN"]

def test_session_of_its_own():
    assert os.getsid(0) == os.getpgid(0) == os.getpid()

def test_signals():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL

def test_limits():
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == 4 << 30
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == (1 << 30, 1 << 30)
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
    assert 10 < resource.getrlimit(resource.RLIMIT_CPU)[0] < 10**6

def test_main_thread():
    assert threading.current_thread() is threading.main_thread() and threading.active_count() == 1

def test_standard_streams():
    assert os.read(0, 1) == b""
    sys.__stdout__.write("to the output\\n")

def test_fork_and_wait():
    pid = os.fork()
    if pid == 0:
        os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3

def test_nothing_of_the_seed_was_there_before():
    assert not SEEN
    SEEN.append(1)
"""


@pytest.fixture(scope="module")
def laboratories() -> Iterator[dict[str, Laboratory]]:
    opened: dict[str, Laboratory] = {}
    yield opened
    for each in opened.values():
        each.close()


def laboratory(
    laboratories: dict[str, Laboratory], tree: Path, limits: Limits | None = None, **seed: Any
) -> Laboratory:
    key = str(tree)
    if key not in laboratories:
        given: dict[str, Any] = {"env": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, **seed}
        described = Seed(name="tree", version="1", source="path", sha256="0" * 64, licence="MIT", **given)
        python = Path(sys.executable)
        workspace = Workspace(seed=described, tree=tree, python=python, python_version="", packages=())
        laboratories[key] = Laboratory(workspace, limits=limits)
    return laboratories[key]


def files(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def both(bench: Laboratory, overlay: dict[str, bytes], **how: Any) -> tuple[Run, Run]:
    runner = bench.forking()
    assert isinstance(runner, WarmRunner), bench.distrusted
    return bench.runner.run(overlay, **how), runner.run(overlay, **how)


def alike(run: Run) -> Run:
    return replace(run, seconds=0.0, durations=dict.fromkeys(run.durations, 0.0), tail="", tier="")


@pytest.mark.parametrize("name", ["plain", "hostile", "reach"])
@pytest.mark.parametrize("how", [{}, {"shuffle": 7}, {"stop_at_first": True}, {"contexts": True}], ids=str)
def test_both_say_the_same(laboratories: dict[str, Laboratory], name: str, how: dict[str, Any]) -> None:
    cold, warm = both(laboratory(laboratories, DATA / name), {}, **how)
    assert alike(warm) == alike(cold)
    assert cold.ending is Ending.FINISHED


def test_both_say_the_same_of_a_change(laboratories: dict[str, Laboratory]) -> None:
    bench = laboratory(laboratories, DATA / "plain")
    cold, warm = both(bench, {"pkg/core.py": BELOW})
    assert alike(warm) == alike(cold)
    assert Outcome.FAILED in warm.outcomes.values()


@pytest.mark.parametrize(
    "body",
    [
        "import os; os._exit(3)",
        "import os; os.abort()",
        "raise SystemExit(9)",
        "import pytest; pytest.exit('x', 4)",
    ],
)
def test_both_end_in_the_same_way(laboratories: dict[str, Laboratory], tmp_path: Path, body: str) -> None:
    test = f"def test_one(): pass\ndef test_two():\n    if OFF: {body}\n"
    bench = laboratory(laboratories, files(tmp_path, test_a=f"OFF = 0\n{test}"))
    cold, warm = both(bench, {"test_a.py": f"OFF = 1\n{test}".encode()})
    assert alike(warm) == alike(cold)
    assert (warm.ending is Ending.FINISHED) == ("SystemExit" in body)


def test_an_exit_handler_may_change_the_status_in_both(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    late = "import atexit, os\natexit.register(os._exit, 0)\ndef test_a(): assert {}\n"
    bench = laboratory(laboratories, files(tmp_path, test_a=late.format(1)))
    cold, warm = both(bench, {"test_a.py": late.format(0).encode()})
    assert alike(warm) == alike(cold)
    assert warm.outcomes["test_a.py::test_a"] is Outcome.FAILED


def test_a_child_is_what_a_process_of_its_own_is(laboratories: dict[str, Laboratory], tmp_path: Path) -> None:
    bench = laboratory(laboratories, files(tmp_path, test_habits=HABITS))
    cold, warm = both(bench, {})
    assert set(cold.outcomes.values()) == {Outcome.PASSED}, cold.failures
    assert set(warm.outcomes.values()) == {Outcome.PASSED}, warm.failures


def test_a_child_holds_no_more_open_files(laboratories: dict[str, Laboratory], tmp_path: Path) -> None:
    """How many there are is told in the failure, which both are to share."""
    text = "import os\nLEFT = os.listdir\ndef test_a(): assert {} or len(LEFT('/proc/self/fd')) == 0\n"
    bench = laboratory(laboratories, files(tmp_path, test_a=text.format(1)))
    cold, warm = both(bench, {"test_a.py": text.format(0).encode()})
    assert alike(warm) == alike(cold)
    assert "== 0" in warm.failures[0].message


MESSES = [
    "open('pkg/core.py', 'w').write('')",
    "open('left.txt', 'w').close()",
    "open('../left.txt', 'w').close()",
    "open(os.path.expanduser('~/left.txt'), 'w').close()",
    "open(os.environ['TMPDIR'] + '/left.txt', 'w').close()",
    "os.makedirs('left/__pycache__'); open('left/__pycache__/core.pyc', 'w').close()",
    "os.remove('pkg/core.py')",
    "shutil.rmtree('pkg')",
    "shutil.rmtree('pkg'); open('pkg', 'w').close()",
    "os.remove('pkg/core.py'); os.symlink('/dev/null', 'pkg/core.py')",
    "os.chmod('pkg/core.py', 0o755); os.chmod('pkg', 0o500)",
    "os.utime('pkg/core.py', (1, 1))",
    "[open(f'left{n}', 'w').close() for n in range(300)]",
]
LISTING = """
import os, pathlib, shutil

OWN = "home tmp tree system plan.json events.jsonl session.json ready.json ready.jsonl changed".split()

def listing():
    found = [name for name in os.listdir("..") if name not in OWN]
    for root in (".", os.environ["HOME"], os.environ["TMPDIR"]):
        for path in (pathlib.Path(root), *sorted(pathlib.Path(root).rglob("*"))):
            status = path.lstat()
            time = 0 if path.is_dir() or path.name == "test_a.py" else int(status.st_mtime)
            found.append(f"{path.name} {status.st_mode:o} {time}")
    return " ".join(found)

def test_a():
    BODY
"""


@pytest.mark.parametrize("mess", MESSES)
def test_a_child_finds_nothing_of_what_another_did(
    laboratories: dict[str, Laboratory], tmp_path: Path, mess: str
) -> None:
    """The listing of all that it may write to stands in a failure, which both are to share."""
    (tmp_path / "pkg").mkdir()
    files(tmp_path / "pkg", core="x = 1\n")
    bench = laboratory(laboratories, files(tmp_path, test_a=LISTING.replace("BODY", "pass")))
    runner = bench.forking()
    assert isinstance(runner, WarmRunner)
    assert runner.run({"test_a.py": LISTING.replace("BODY", mess).encode()}).ending is Ending.FINISHED
    cold, warm = both(bench, {"test_a.py": LISTING.replace("BODY", "assert listing() == ''").encode()})
    assert alike(warm) == alike(cold)
    assert "core.py" in warm.failures[0].message and warm.tier == "warm"


def test_children_do_not_share_their_dice(laboratories: dict[str, Laboratory], tmp_path: Path) -> None:
    """The number that a child draws is told in a failure; two children draw two."""
    dice = "import random\ndef test_a(): assert {} or not random.random()\n"
    bench = laboratory(laboratories, files(tmp_path, test_a=dice.format(1)))
    runner = bench.forking()
    assert runner is not None
    drawn = {runner.run({"test_a.py": dice.format(0).encode()}).failures[0].message for _ in range(3)}
    assert len(drawn) == 3


def test_a_hang_ends_and_takes_what_it_started_along(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    """A stray that left session and parent and never called `exec` carries the mark of the server alone."""
    stray = (
        "import os, time\n"
        "def test_a():\n"
        "    if OFF:\n"
        "        if os.fork() == 0:\n"
        "            os.setsid()\n"
        "            if os.fork() == 0:\n"
        "                time.sleep(300)\n"
        "            os._exit(0)\n"
        "        time.sleep(300)\n"
    )
    bench = laboratory(laboratories, files(tmp_path, test_a=f"OFF = 0\n{stray}"))
    runner = bench.forking()
    assert isinstance(runner, WarmRunner)
    runner = WarmRunner(
        **{each.name: getattr(runner, each.name) for each in fields(ColdRunner)}
        | {"limits": Limits(timeout=3), "slowest": 1.0}
    )
    try:
        run = runner.run({"test_a.py": f"OFF = 1\n{stray}".encode()})
        assert run.ending is Ending.TIMEOUT
        mark = f"BEBUG_TOKEN={bench.sandbox.token}-".encode()
        standing = [*runner._standing, *bench.forking()._standing]
        servers = {pid for each in standing for pid in each.server.pids}
        assert related(-1, mark) <= servers
        assert runner.run({}).ending is Ending.FINISHED  # and the server goes on
    finally:
        runner.close()


def test_too_many_processes_end_both_alike(laboratories: dict[str, Laboratory], tmp_path: Path) -> None:
    body = (
        "import os, time\n"
        "def test_a():\n"
        "    for _ in range(60 * OFF):\n"
        "        os.fork() or (time.sleep(60), os._exit(0))\n"
        "    time.sleep(60 * OFF)\n"
    )
    bench = laboratory(laboratories, files(tmp_path, test_a=f"OFF = 0\n{body}"), limits=Limits(processes=30))
    cold, warm = both(bench, {"test_a.py": f"OFF = 1\n{body}".encode()})
    assert alike(warm) == alike(cold)
    assert warm.ending is Ending.TIMEOUT and warm.seconds < 10


def test_a_test_that_kills_the_server_gets_a_process_of_its_own(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    body = (
        "def test_a():\n"
        "    if OFF and 'bebug_server' in open(f'/proc/{os.getppid()}/cmdline').read():\n"
        "        os.kill(os.getppid(), 9)\n"
        "    assert not OFF\n"
    )
    bench = laboratory(laboratories, files(tmp_path, test_a="import os\nOFF = 0\n" + body))
    cold, warm = both(bench, {"test_a.py": ("import os\nOFF = 1\n" + body).encode()})
    assert alike(warm) == alike(cold)
    assert warm.outcomes["test_a.py::test_a"] is Outcome.FAILED


def test_a_module_that_pytest_would_take_for_its_own_is_no_case_for_children(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    texts = {"test_a": "def test_a(): pass\n", "shlex": "def split(*args, **options): return []\n"}
    bench = laboratory(laboratories, files(tmp_path, **texts))
    assert bench.forking() is None
    assert "shlex" in bench.distrusted


def test_a_seed_that_changes_files_as_it_is_collected_is_no_case_for_children(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    """Each child would find what the first one made."""
    made = "import pathlib\npathlib.Path('made').touch()\ndef test_a(): pass\n"
    bench = laboratory(laboratories, files(tmp_path, test_a=made))
    assert bench.forking() is None
    assert "changes files" in bench.distrusted


TOLD_APART = {
    "core": (
        "import sys\nFORKED = 'bebug_server' in ' '.join(sys.orig_argv)\n\n\n"
        "def below(i, n):\n    return i < n\n\n\ndef above(i, n):\n    return i > n\n\n\n"
        "ALREADY = below(1, 2)  # so that no fork with swapped code is asked\n"
    ),
    "test_core": (
        "from core import FORKED, above, below\n\n\n"
        "def test_below():\n    assert below(1, 2) and not (FORKED and below(2, 2))\n\n\n"
        "def test_above():\n    assert above(2, 1) and not above(2, 2)\n"
    ),
}


def test_what_only_children_notice_proves_nothing(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    bench = laboratory(laboratories, files(tmp_path, **TOLD_APART))
    before = TOLD_APART["core"].encode()
    after = before.replace(b"i < n", b"i <= n")
    candidate = Candidate(path="core.py", before=before, after=after, lines=(6, 6))
    evidence = load("oracles")["kill"].examine(bench, candidate)
    assert (evidence.status, evidence.proof) == (Status.SURVIVED, None)
    assert bench.distrusted and bench.forking() is None


@pytest.mark.parametrize("jobs", [1, 2])
def test_where_children_differ_all_is_proved_without_them(tmp_path: Path, jobs: int) -> None:
    (tmp_path / "repo").mkdir()
    seed = files(tmp_path / "repo", **TOLD_APART)
    (seed / "pytest.ini").write_text("[pytest]\n")
    recipe = Recipe(classes=("off-by-one",), seeds=(str(seed),))
    heard = Heard()
    build(recipe, tmp_path / "out", jobs=jobs, python=Path(sys.executable), limits=Limits(), observer=heard)
    assert any("process of its own" in note for note in heard.notes)
    cases = [json.loads(line) for line in (tmp_path / "out/cases.jsonl").read_text().splitlines()]
    assert {case["function"] for case in cases} == {"above"}


class Heard(Silent):
    """Keeps the notes."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_plugins_are_loaded_as_in_a_process_of_its_own(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    """pytest warns of a plugin that was there before it could rewrite its assertions."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    bench = laboratory(laboratories, files(tmp_path, test_a="def test_a(): pass\n"), env={})
    cold, warm = both(bench, {})
    assert alike(warm) == alike(cold)
    assert list(cold.outcomes.values()) == [Outcome.PASSED], cold.tail


def test_where_no_further_server_can_be_had_a_process_of_its_own_does(
    laboratories: dict[str, Laboratory], tmp_path: Path
) -> None:
    bench = laboratory(laboratories, files(tmp_path, test_a="def test_a(): pass\n"))
    runner = bench.forking()
    assert isinstance(runner, WarmRunner)
    runner.close()
    files(tmp_path, shlex="def split(*args, **options): return []\n")  # which no server may take for its own
    assert runner.run({}).ending is Ending.FINISHED


def test_what_is_closed_leaves_no_server(tmp_path: Path) -> None:
    opened: dict[str, Laboratory] = {}
    bench = laboratory(opened, files(tmp_path, test_a="def test_a(): pass\n"))
    runner = bench.forking()
    assert isinstance(runner, WarmRunner)
    pid = runner._standing[0].server.pid
    os.kill(pid, 0)
    bench.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
