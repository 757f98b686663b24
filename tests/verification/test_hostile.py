"""Hostile mutants in each of the three ways of running: nothing outside changes, and the next is unaffected.

A mutant that has done its deed raises `RuntimeError`: so what its run says tells a deed from an attempt.
What a tier does not keep a run from is skipped; see the table in docs/commands.md.
"""

from __future__ import annotations

import os
import signal
import socket
import termios
import textwrap
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bebug.records import Ending, Files, Run, Status
from bebug.seeds.tree import tree_digest
from bebug.seeds.workspace import untouched
from bebug.verification import Laboratory, Limits, isolating, judge
from bebug.verification.cold import Shot
from bebug.verification.events import Hit
from bebug.verification.warm import Standing

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")

Make = Callable[..., Any]
WAYS = ("shot", "forked", "cold")
FILE = 1 << 20  # bytes that a file may have
PATH = "pkg/core.py"
CORE = "def below(i, n):\n    return i < n\n\n\ndef above(i, n):\n    return i > n\n"
TESTS = """
import os, pathlib, signal, socket, tempfile, threading
from pkg.core import above, below

OURS = tempfile.TemporaryDirectory()

def test_below(): assert below(1, 2) and not below(2, 2)

def test_above(): assert above(2, 1) and not above(2, 2)

def test_world():
    assert os.listdir(os.environ["HOME"]) == []
    assert os.listdir(tempfile.gettempdir()) == [os.path.basename(OURS.name)]
    assert sorted(os.listdir()) == ["data.txt", "pkg", "tests"]
    assert pathlib.Path("data.txt").read_text() == "data"
    assert not os.path.exists("/dev/shm/hostile")
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and not signal.pthread_sigmask(0, [])
    assert os.fstat(1) and os.fstat(2) and threading.active_count() == 1
    with socket.socket(socket.AF_UNIX) as address:
        address.bind("\\0" + os.environ["ADDRESS"])
"""
NAMES = ("below", "above", "world")
BELOW, ABOVE, WORLD = GREEN = tuple(f"tests/test_core.py::test_{name}" for name in NAMES)

BODIES = {
    "deletes HOME": "shutil.rmtree(os.environ['HOME'])",
    "deletes the HOME of its user": "shutil.rmtree(os.environ['USERS_HOME'])",
    "writes into the seed": "Path(os.environ['SEED'], 'data.txt').write_text('spoilt')",
    "writes into its copy of the seed": "Path('data.txt').write_text('spoilt')",
    "fills the disk": f"""
        for folder in ('.', os.environ['TMPDIR']):
            with open(folder + '/big', 'wb', buffering=0) as file:
                try:
                    while file.write(bytes(65536)): assert file.tell() <= {FILE}
                except OSError:
                    assert file.tell() == {FILE}
        """,
    "fills the shared memory": "Path('/dev/shm/hostile').write_bytes(bytes(65536))",
    "opens a socket": """
        socket.create_server(('127.0.0.1', 0)).detach()
        with socket.socket() as ours:
            ours.settimeout(5)
            ours.connect(('127.0.0.1', int(os.environ['PORT'])))
        """,
    "changes signal handlers": """
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
        """,
    "closes stdout": "os.close(0); os.close(1); os.close(2)",
    "closes all but what a child holds open": """
        os.fork() or (os.setsid(), time.sleep(1.5), os._exit(0))
        os.closerange(0, 65536)
        """,
    "leaves threads": """
        for daemon in (True, False):
            threading.Thread(target=time.sleep, args=(60,), daemon=daemon).start()
        """,
    "leaves children": """
        address = socket.socket(socket.AF_UNIX)
        address.bind('\\0' + os.environ['ADDRESS'])
        os.fork() or (time.sleep(60), os._exit(0))
        os.fork() or (os.setsid(), time.sleep(60), os._exit(0))
        """,
    "forks without end": """
        while True:
            os.fork() or (os.setsid(), time.sleep(30), os._exit(0))
            time.sleep(0.002)
        """,
}
"""What the function of a mutant does before it raises."""
ELUSIVE = """
    code = 'import os, time; end = time.time() + 2; print(flush=True); os.fork()'
    code += chr(10) + 'while time.time() < end: os.fork() and os._exit(0)'
    command = [sys.executable, '-I', '-S', '-c', code]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True)
    first.stdout.read(1)
    raise type(f'Group{first.pid}', (RuntimeError,), {})
"""
"""Two at a time that are not there for long, in a group of processes that lasts; its exception names it."""

REFUSED = ("deletes the HOME of its user", "writes into the seed", "opens a socket")
WALLED = (*REFUSED, "fills the shared memory")  # without walls a run does so
ERRORS = ("FileNotFoundError", "PermissionError", "ConnectionRefusedError", "OSError")
DONE = "RuntimeError"
SAID = dict.fromkeys(REFUSED, ("refused", "refused")) | {
    "closes all but what a child holds open": ("crash", "aborted"),
    "leaves threads": (DONE, "timeout"),
    "forks without end": ("no answer", "timeout"),  # all of a session ends with it
}
"""What comes of a mutant as a shot, and in a run, where that is not its deed."""


def mutant(body: str) -> Files:
    """The seed with a function that does *body*."""
    deed = "import os, shutil, signal, socket, subprocess, sys, threading, time\nfrom pathlib import Path\n"
    deed = textwrap.indent(deed + textwrap.dedent(body).strip() + "\nraise RuntimeError\n", "    ")
    return {PATH: CORE.replace("    return i < n\n", deed).encode()}


INNOCENT: Files = {PATH: CORE.replace("i > n", "i >= n").encode()}
RIGHT = (Status.KILLED.value, (ABOVE,))  # which one test notices, and no other


@dataclass(kw_only=True)
class Scene:
    """A laboratory, and what lies outside of it."""

    bench: Laboratory
    home: Path
    listener: socket.socket
    sessions: dict[str, dict[str, Hit]] = field(default_factory=dict)

    @property
    def walls(self) -> bool:
        return self.bench.sandbox.tier != "limits"

    def state(self) -> dict[str, Any]:
        """All that is to stay as it is; a session that stands ready may come or go."""
        rooms = {each.room.folder for each in self.standing}
        return {
            "home": contents(self.home),
            "seed": contents(self.bench.workspace.tree),
            "rooms": sorted(set(self.bench.sandbox.folder.iterdir()) - rooms),
            "left": self.left(0.05),
            "connected": self.connected(),
            **ourselves(len(rooms)),
        }

    @property
    def standing(self) -> list[Standing]:
        return self.bench._warm._standing if self.bench._warm else []

    def left(self, seconds: float) -> bool:
        """Whether, in *seconds* of looking, a process with a token of ours is seen, other than a server."""
        end = time.monotonic() + seconds
        servers = {pid for each in self.standing for pid in each.server.pids}
        while time.monotonic() < end:
            if not servers.issuperset(marked(self.bench.sandbox.token)):
                return True
        return False

    def connected(self) -> bool:
        try:
            self.listener.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def ran(self, overlay: Files, way: str) -> Run:
        if way == "forked" and self.bench.forking() is None:
            pytest.skip(f"no forked runs with this interpreter: {self.bench.distrusted}")
        return self.bench.run(overlay, warm=way == "forked")

    def fired(self, **overlays: Files) -> dict[str, Hit]:
        shots = [Shot(key=key, overlay=each, tests=GREEN, seconds=1.0) for key, each in overlays.items()]
        return dict(self.bench.shoot(shots))

    def session(self, body: str) -> dict[str, Hit]:
        """What came of the mutant and, next to it in one session, of the innocent one; fired once."""
        if body not in self.sessions:
            self.sessions[body] = self.fired(hostile=mutant(body), innocent=INNOCENT)
        return self.sessions[body]

    def told(self, body: str, way: str) -> str:
        """What comes of the mutant: the exception in its test, or how the run ended."""
        if way == "shot":
            hit = self.session(body).get("hostile", Hit("no answer"))
            ending, failures = hit.status, hit.failures
        else:
            run = self.ran(mutant(body), way)
            ending = "killed" if run.ending is Ending.FINISHED else run.ending.value
            failures = run.failures
        raised = {each.test: each.exception for each in failures}.get(BELOW, "nothing")
        return ending if ending != "killed" else "refused" if raised in ERRORS else raised

    def innocent(self, way: str) -> tuple[str, tuple[str, ...]]:
        """What now comes of the innocent mutant: its status, and the tests that fail."""
        if way == "shot":
            return outcome(self.fired(innocent=INNOCENT)["innocent"])
        judged = judge(self.bench.current, self.ran(INNOCENT, way))
        return judged.status.value, judged.fail_to_pass


def outcome(hit: Hit) -> tuple[str, tuple[str, ...]]:
    return hit.status, tuple(failure.test for failure in hit.failures)


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    paths = (folder, *folder.rglob("*"))
    return {str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"") for path in paths}


def ourselves(sessions: int) -> dict[str, Any]:
    """The state of the process from which everything is started, less what *sessions* take of it."""
    return {
        "handlers": [signal.getsignal(number) for number in sorted(signal.valid_signals())],
        "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, []),
        "alarms": [signal.getitimer(kind) for kind in (signal.ITIMER_REAL, signal.ITIMER_PROF)],
        "terminals": [termios.tcgetattr(number) for number in (0, 1, 2) if os.isatty(number)],
        "children": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()) - sessions,
        "threads": threading.active_count(),
        "descriptors": len(list(os.scandir("/proc/self/fd"))) - sessions,
        "cwd": Path.cwd(),
    }


def marked(token: str) -> Iterator[int]:
    """Processes whose token begins with *token*, the newest first: some are not there for long."""
    for pid in sorted((int(entry.name) for entry in Path("/proc").glob("[0-9]*")), reverse=True):
        try:
            if f"BEBUG_TOKEN={token}-".encode() in Path(f"/proc/{pid}/environ").read_bytes():
                yield pid
        except OSError:
            continue


@pytest.fixture(scope="module", params=[isolating.AUTO, "limits"])
def scene(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, workspace: Make, write: Make
) -> Iterator[Scene]:
    """A seed whose last test looks at the world around it, under small limits."""
    tier = isolating.choose(str(request.param))
    if tier == "limits" and request.param == isolating.AUTO:
        pytest.skip("no tier with walls works here")
    files = {PATH: CORE, "pkg/__init__.py": "", "tests/test_core.py": TESTS, "data.txt": "data"}
    tree = write(tmp_path_factory.mktemp("hostile") / "seed", files)
    home = write(tmp_path_factory.mktemp("home"), {"kept/letter.txt": "dear"})
    limits = Limits(sandbox=tier, timeout=8, unmeasured=20, processes=40, memory=2 << 30, file_size=FILE)
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.MonkeyPatch.context() as patch:
        listener.setblocking(False)
        known = {"HOME": home, "USERS_HOME": home, "SEED": tree, "PORT": listener.getsockname()[1]}
        for name, value in {**known, "ADDRESS": uuid.uuid4().hex}.items():
            patch.setenv(name, str(value))
        made = workspace(tree)
        made = replace(made, seed=replace(made.seed, sha256=tree_digest(tree)))
        with Laboratory(made, limits=limits) as bench:
            assert bench.current.green == GREEN
            bench.forking()
            yield Scene(bench=bench, home=home, listener=listener)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", BODIES)
def test_nothing_is_harmed_and_the_next_is_unaffected(
    scene: Scene, name: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in WALLED and not scene.walls:
        pytest.skip(f"without walls it {name}")
    if name == "leaves threads" and way != "shot":  # one of them keeps the process
        for runner in filter(None, (scene.bench.runner, scene.bench._warm)):
            monkeypatch.setattr(runner, "limits", replace(scene.bench.limits, timeout=2))
    before = scene.state()
    assert not before["left"]
    assert scene.told(BODIES[name], way) == SAID.get(name, (DONE, DONE))[way != "shot"]
    monkeypatch.undo()
    assert scene.state() == before
    assert scene.innocent(way) == RIGHT
    assert scene.state() == before and not scene.bench.distrusted


@pytest.mark.parametrize("name", BODIES)
def test_the_next_shot_of_a_session_is_unaffected(scene: Scene, name: str) -> None:
    if name in WALLED and not scene.walls:
        pytest.skip(f"without walls it {name}")
    assert outcome(scene.session(BODIES[name])["innocent"]) == RIGHT


@pytest.mark.parametrize("way", WAYS)
def test_what_forks_and_is_gone_without_end_is_ended(scene: Scene, way: str) -> None:
    """Where it is numbered as we are, its group can be asked for; no other look is sure to see it."""
    apart = scene.walls and way != "forked"
    if not scene.walls and way == "cold":
        pytest.skip("without walls it lives on")
    group = int(scene.told(ELUSIVE, way).removeprefix("Group"))
    try:
        assert apart or gone(group, 0.3)
        assert not scene.left(0.3)
        assert scene.innocent(way) == RIGHT
    finally:
        assert apart or gone(group, 5)  # it ends by itself


def gone(group: int, seconds: float) -> bool:
    """Whether within *seconds* there is no process left in *group*."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_the_tree_under_test_is_checked_afterwards(scene: Scene) -> None:
    """What a mutant could do to the seed, for want of walls, is found: by its digest, and by its tests."""
    workspace = scene.bench.workspace
    assert scene.bench.disturbed() == () and untouched(workspace)
    scene.told(BODIES["writes into the seed"], "cold")
    try:
        assert scene.bench.disturbed() == (() if scene.walls else (WORLD,))
        assert untouched(workspace) == scene.walls
    finally:
        (workspace.tree / "data.txt").write_text("data")
    assert scene.bench.disturbed() == () and untouched(workspace)
