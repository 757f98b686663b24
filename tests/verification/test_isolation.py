"""Hostile tests behind each tier of isolation that works here, and what the outside looks like afterwards.

What a tier does not prevent is asserted too: the table in docs/commands.md is made of these tests.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bebug.records import Ending, Outcome, Run
from bebug.verification import Laboratory, Limits, isolating
from bebug.verification.process import related
from bebug.verification.warm import Standing, WarmRunner

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")

WALLS = ("bubblewrap", "namespaces")
WAYS = ("cold", "warm")
Hostile = Callable[..., Run]


@pytest.fixture(scope="module", params=[*WALLS, "limits"])
def tier(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if why := isolating.trial(name):
        pytest.skip(f"{name} does not work here: {why}")
    return name


@pytest.fixture(scope="module")
def bench(tier: str, laboratory: Callable[..., Laboratory]) -> Laboratory:
    """A seed with one test, and small limits."""
    limits = Limits(sandbox=tier, timeout=8, unmeasured=8, processes=60, file_size=1 << 20)
    files = {"test_a.py": "def test_a(): pass\n", "pkg/core.py": "x = 1\n"}
    return laboratory(files, limits=limits)


@pytest.fixture(params=WAYS)
def hostile(request: pytest.FixtureRequest, bench: Laboratory) -> Iterator[Hostile]:
    """`hostile(body)` runs a test of that *body*; afterwards nothing of it is left, and runs go well."""
    runner = bench.runner if request.param == "cold" else bench.forking()
    if runner is None:
        pytest.skip(f"no warm runs with this interpreter: {bench.distrusted}")
    assert isinstance(runner, WarmRunner) == (request.param == "warm")
    folders = rooms(bench)

    def run(body: str) -> Run:
        lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
        head = "import os, shutil, signal, socket, sys, time\nfrom pathlib import Path\n\ndef test_a():\n"
        return runner.run({"test_a.py": (head + lines).encode()})

    yield run
    assert rooms(bench) <= folders
    mark = f"BEBUG_TOKEN={bench.sandbox.token}-".encode()
    assert related(-1, mark) <= living_servers(bench)
    assert (bench.sandbox.pristine / "pkg" / "core.py").read_text() == "x = 1\n"
    assert runner.run({}).outcomes == {"test_a.py::test_a": Outcome.PASSED}


def standing(bench: Laboratory) -> list[Standing]:
    return bench._warm._standing if bench._warm else []


def living_servers(bench: Laboratory) -> set[int]:
    return {pid for each in standing(bench) for pid in each.server.pids}


def rooms(bench: Laboratory) -> set[Path]:
    """What lies in the scratch folder, but for the rooms of sessions that stand ready."""
    return set(bench.sandbox.folder.iterdir()) - {each.room.folder for each in standing(bench)}


def passed(run: Run) -> bool:
    return run.outcomes == {"test_a.py::test_a": Outcome.PASSED}


def test_it_deletes_its_home_and_the_folder_above_its_copy(hostile: Hostile, tmp_path: Path) -> None:
    hostile("shutil.rmtree(os.environ['HOME'])\nshutil.rmtree(Path.cwd().parent, ignore_errors=True)")
    assert tmp_path.exists() and Path.home().exists()


def test_it_writes_into_the_seed(hostile: Hostile, bench: Laboratory, tier: str) -> None:
    path = bench.sandbox.pristine / "new.py"
    try:
        run = hostile(f"Path({str(path)!r}).write_text('')")
        assert path.exists() == passed(run) == (tier not in WALLS)
    finally:
        path.unlink(missing_ok=True)


def test_it_writes_into_the_home_of_its_user(hostile: Hostile, tier: str) -> None:
    path = Path.home() / f".bebug-{uuid.uuid4().hex}"
    if not os.access(path.parent, os.W_OK):
        pytest.skip("this user may not write at home either")
    try:
        run = hostile(f"Path({str(path)!r}).write_text('')")
        assert path.exists() == passed(run) == (tier not in WALLS)
    finally:
        path.unlink(missing_ok=True)


def test_it_writes_into_the_temporary_folder_of_the_system(hostile: Hostile, tier: str) -> None:
    """That goes well everywhere; behind walls each run has one of its own."""
    path = Path("/tmp") / f"bebug-{uuid.uuid4().hex}"
    body = f"assert not Path({str(path)!r}).exists()\nPath({str(path)!r}).write_text('')"
    try:
        assert passed(hostile(body))
        assert path.exists() == (tier not in WALLS)
        assert passed(hostile(body)) == (tier in WALLS)
    finally:
        path.unlink(missing_ok=True)


def test_root_cannot_take_the_walls_down(hostile: Hostile, tier: str) -> None:
    """Nor write to what steers the machine, or to a device that is more than a void."""
    if tier not in WALLS:
        pytest.skip("there are no walls")
    body = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "assert libc.mount(None, b'/', None, 32 | 4096, None) == -1  # remounted for writing\n"
        "assert not os.access('/', os.W_OK)\n"
        "for name in ('/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/sys/kernel'):\n"
        "    assert not os.access(name, os.W_OK), name\n"
        "import stat\n"
        "disks = [each for each in os.scandir('/dev') if stat.S_ISBLK(os.lstat(each).st_mode)]\n"
        "for disk in disks:\n"
        "    try: os.close(os.open(disk.path, os.O_RDONLY))\n"
        "    except OSError: continue\n"
        "    raise AssertionError(disk.path)"
    )
    run = hostile(body)
    assert passed(run), run.tail


def test_it_forks_without_end(hostile: Hostile) -> None:
    """Bounded here, at twice of what it may."""
    run = hostile(
        "for _ in range(120):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        time.sleep(60)\n"
        "        os._exit(0)\n"
        "time.sleep(60)"
    )
    assert run.ending is Ending.TIMEOUT and run.seconds < 8


def test_it_fills_the_disk(hostile: Hostile) -> None:
    """A file grows to its limit, where writing fails. There is no limit on how many files there are."""
    run = hostile(
        "try:\n"
        "    with open('big', 'wb', buffering=0) as file:\n"
        "        for _ in range(100): file.write(b'x' * 65536)\n"
        "except OSError as error:\n"
        "    assert error.strerror == 'File too large'\n"
        "assert os.path.getsize('big') == 1 << 20"
    )
    assert passed(run), run.tail


def reached(address: tuple[str, int]) -> bool:
    """Whether there is a way to *address*; nothing is sent."""
    try:
        with socket.socket(type=socket.SOCK_DGRAM) as probe:
            probe.connect(address)
    except OSError:
        return False
    return True


def test_it_opens_sockets(hostile: Hostile, tier: str) -> None:
    """Behind walls there is no way out, and loopback is the run's own."""
    way_out = tier not in WALLS and reached(("192.0.2.1", 9))
    with socket.create_server(("127.0.0.1", 0)) as ours:
        run = hostile(
            "def reached(kind, address):\n"
            "    with socket.socket(type=kind) as probe:\n"
            "        probe.settimeout(5)\n"
            "        return probe.connect_ex(address) == 0\n"
            f"assert reached(socket.SOCK_DGRAM, ('192.0.2.1', 9)) is {way_out}\n"
            f"assert reached(socket.SOCK_STREAM, {ours.getsockname()!r}) is {tier not in WALLS}\n"
            "with socket.create_server(('127.0.0.1', 0)) as server:\n"
            "    assert reached(socket.SOCK_STREAM, server.getsockname())"
        )
    assert passed(run), run.tail


def test_it_ignores_and_changes_signals(hostile: Hostile) -> None:
    run = hostile(
        "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_DFL)\n"
        "os.fork() or time.sleep(60)\n"
        "while True: time.sleep(60)"
    )
    assert run.ending is Ending.TIMEOUT


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGTERM, signal.SIGKILL])
def test_it_dies_by_a_signal(hostile: Hostile, number: signal.Signals) -> None:
    assert hostile(f"os.kill(os.getpid(), {int(number)})").ending is Ending.CRASH


def test_it_closes_its_output(hostile: Hostile) -> None:
    assert passed(hostile("os.close(1); os.close(2)"))


def test_it_leaves_threads_and_children(hostile: Hostile) -> None:
    run = hostile(
        "import threading, subprocess\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=True)"
    )
    assert passed(run)


def test_it_leaves_a_daemon_that_hides(bench: Laboratory, tier: str) -> None:
    """It has left session, parent and environment: a pid namespace, or a server that adopts it, ends it."""
    for way in WAYS:
        runner = bench.runner if way == "cold" else bench.forking()
        if runner is None:
            pytest.skip(f"no warm runs with this interpreter: {bench.distrusted}")
        name = f"daemon-{uuid.uuid4().hex}"
        body = (
            "import os, sys, time\ndef test_a():\n    if os.fork() == 0:\n        os.setsid()\n"
            "        if os.fork() == 0:\n"
            f"            code = 'import time; time.sleep(60)'\n"
            f"            os.execve(sys.executable, [sys.executable, '-c', code, {name!r}], {{}})\n"
            "        os._exit(0)\n    os.wait()\n    time.sleep(0.7)\n"
        )
        assert passed(runner.run({"test_a.py": body.encode()}))
        left = called(name)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert bool(left) == (way == "cold" and tier not in WALLS), way


def called(name: str) -> list[int]:
    """The processes with *name* among their arguments."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if name.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_it_changes_modes(hostile: Hostile) -> None:
    """The folder that holds its messages to us, too, and these themselves."""
    hostile("for name in ['pkg', *os.scandir('..'), '..']:\n    os.chmod(os.path.abspath(name), 0)")


def test_it_deletes_all_that_it_may_write_to(hostile: Hostile, bench: Laboratory) -> None:
    """Without walls that is the whole scratch folder; a session that has lost its room is replaced."""
    scratch = bench.sandbox.folder
    hostile(f"for each in os.scandir({str(scratch)!r}): shutil.rmtree(each.path, ignore_errors=True)")
    assert scratch.exists()


def test_it_deletes_its_copy_and_kills_its_parent(hostile: Hostile, bench: Laboratory) -> None:
    """In a warm run that is the server, and there is nothing left to run the test in again."""
    run = hostile(
        "shutil.rmtree(Path.cwd().parent, ignore_errors=True)\n"
        "name = Path(f'/proc/{os.getppid()}/cmdline').read_text()\n"
        "os.kill(os.getppid() if 'bebug_server' in name else os.getpid(), signal.SIGKILL)"
    )
    assert run.ending is not Ending.FINISHED and not run.outcomes


def test_what_a_run_needs_may_lie_below_the_temporary_folder(
    tier: str, laboratory: Callable[..., Laboratory], tmp_path: Path
) -> None:
    """An interpreter there is reached by its own path, through links, with all that is installed in it."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "here.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    bench = laboratory(
        {
            "test_a.py": "import sys\ndef test_a(): assert sys.prefix == PREFIX\n".replace(
                "PREFIX", repr(str(environment))
            )
        },
        limits=Limits(sandbox=tier),
    )
    bench.runner.python = environment / "bin" / "python"
    run = bench.runner.run({})
    assert passed(run), run.tail


def command(*words: str, path: Path) -> subprocess.CompletedProcess[str]:
    """`mutate` as a user types it, with only the programs of *path*."""
    script = [sys.executable, "-c", "from bebug.cli.mutate import main; main()", "--class", "off-by-one"]
    env = {**os.environ, "PATH": str(path)}
    return subprocess.run([*script, *words], env=env, capture_output=True, text=True, timeout=60)


def test_a_tier_that_is_asked_for_and_does_not_work_is_one_line_with_its_own_code(tmp_path: Path) -> None:
    found = command("--seed", str(tmp_path), "--sandbox", "namespaces", path=tmp_path)
    assert found.returncode == 18
    assert found.stderr.startswith(
        "error: the sandbox namespaces does not work here: there is no `unshare`; "
    )
    assert "install util-linux" in found.stderr and found.stderr.count("\n") == 1


def test_a_tier_that_there_is_not_is_a_usage_error(tmp_path: Path) -> None:
    found = command("--seed", str(tmp_path), "--sandbox", "steel", path=tmp_path)
    assert found.returncode == 2
    assert "there is no sandbox 'steel'; known: auto, bubblewrap, namespaces, limits" in found.stderr


def test_the_strongest_that_works_is_taken_and_there_is_always_one() -> None:
    works = [name for name in isolating.tiers() if not isolating.trial(name)]
    assert works[-1] == "limits"
    assert isolating.choose() == works[0]
