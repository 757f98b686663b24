"""Guarded processes: limits from outside, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.errors import MachineError
from bebug.verification.limits import Limits
from bebug.verification.process import Ended, Tail, execute, mark_of, related

GIB = 1 << 30
linux = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Ended]:
    def run(code: str, *, seconds: float = 30, token: str = "", **limits: float) -> Ended:
        argv, limited = [sys.executable, "-c", code], Limits(**limits)  # type: ignore[arg-type]
        token = token or uuid.uuid4().hex
        return execute(argv, cwd=tmp_path, env=dict(os.environ), seconds=seconds, limits=limited, token=token)

    return run


def alive(token: str) -> set[int]:
    return related(-1, mark_of(token))


def test_code_and_output_are_told(python: Callable[..., Ended]) -> None:
    ended = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (ended.code, ended.timed_out) == (3, False)
    assert b"out" in ended.output and b"err" in ended.output


def test_a_signal_is_a_negative_code(python: Callable[..., Ended]) -> None:
    assert python("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)").code == -11


def test_an_endless_flood_of_output_ends_at_the_limit_and_is_capped(python: Callable[..., Ended]) -> None:
    ended = python("import os\nwhile True: os.write(1, b'x' * 65536)", seconds=1)
    assert ended.timed_out and ended.seconds < 10
    assert len(ended.output) == 64 << 10


def test_closing_its_output_does_not_end_the_wait(python: Callable[..., Ended]) -> None:
    ended = python("import os, sys, time\nos.close(1); os.close(2); time.sleep(.3); os._exit(5)")
    assert ended.code == 5 and ended.seconds > 0.25


def test_a_child_that_holds_the_pipe_does_not_hold_us(python: Callable[..., Ended]) -> None:
    ended = python(
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])"
    )
    assert not ended.timed_out and ended.seconds < 20


@linux
def test_strays_in_sessions_of_their_own_are_killed(python: Callable[..., Ended]) -> None:
    token = uuid.uuid4().hex
    code = (
        "import subprocess, sys\n"
        "chain = 'import subprocess, sys, time; depth = int(sys.argv[1]);"
        ' depth and subprocess.Popen([sys.executable, "-c", sys.argv[2], str(depth - 1), sys.argv[2]],'
        " start_new_session=True); time.sleep(60)'\n"
        "subprocess.Popen([sys.executable, '-c', chain, '3', chain], start_new_session=True)\n"
        "import time; time.sleep(1.5)"
    )
    ended = python(code, token=token)
    assert ended.code == 0
    assert alive(token) == set()


@linux
def test_a_stray_that_dropped_its_environment_goes_with_the_session(python: Callable[..., Ended]) -> None:
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], env={})\n"
        "print(p.pid)"
    )
    pid = int(python(code).output.split()[-1])
    for _ in range(50):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the stray lives on")


def test_ignored_signals_do_not_help_against_the_limit(python: Callable[..., Ended]) -> None:
    code = "import signal, collections, itertools\n"
    code += "for n in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM): signal.signal(n, signal.SIG_IGN)\n"
    code += "collections.deque(itertools.repeat(0), maxlen=0)"
    ended = python(code, seconds=1)
    assert ended.timed_out and ended.code == -9


@linux
def test_memory_is_limited(python: Callable[..., Ended]) -> None:
    code = "import mmap\ntry: mmap.mmap(-1, 3 << 30)\nexcept OSError: print('no memory')"
    assert b"no memory" in python(code, memory=GIB).output
    assert b"no memory" not in python(code, memory=8 * GIB).output


@linux
@pytest.mark.parametrize("launcher", ["prlimit", "python"])
def test_limits_are_there_before_the_first_line_runs(
    python: Callable[..., Ended], launcher: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same where there is no `prlimit`, and inherited by what the run starts."""
    if launcher == "python":
        monkeypatch.setenv("PATH", str(tmp_path))
    elif not shutil.which("prlimit"):
        pytest.skip("there is no prlimit here")
    code = (
        "import resource as r\n"
        "print([r.getrlimit(getattr(r, 'RLIMIT_' + n)) for n in ('AS', 'FSIZE', 'CORE', 'CPU')])"
    )
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {code!r}])"
    ended = python(code, seconds=10, memory=GIB, file_size=5000, processor=0.5)
    cpu = Limits(processor=0.5).resources(10)["cpu"]
    assert ended.output.decode().strip() == str([(each, each) for each in (GIB, 5000, 0, cpu)])


def test_no_file_grows_beyond_its_limit(python: Callable[..., Ended], tmp_path: Path) -> None:
    code = "f = open('big', 'wb')\ntry:\n    while True: f.write(b'x' * 65536)\n"
    code += "except OSError as error: print(error.strerror)"
    ended = python(code, file_size=1 << 20)
    assert b"File too large" in ended.output
    assert (tmp_path / "big").stat().st_size <= 1 << 20


FORKS = """
import os, time
for _ in range(60):
    if os.fork() == 0:
        if {apart}: os.setsid()
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""


@linux
@pytest.mark.parametrize("apart", [False, True])
def test_too_many_processes_end_the_run(python: Callable[..., Ended], apart: bool) -> None:
    token = uuid.uuid4().hex
    ended = python(FORKS.format(apart=apart), processes=30, token=token)
    assert ended.stopped == "processes" and ended.timed_out and ended.seconds < 20
    assert alive(token) == set()


@linux
def test_the_dead_that_nobody_waits_for_are_processes_too(python: Callable[..., Ended]) -> None:
    code = "import os, time\nfor _ in range(60):\n    if os.fork() == 0: os._exit(0)\ntime.sleep(30)"
    assert python(code, processes=30).stopped == "processes"


@linux
def test_as_many_processes_as_are_granted_end_nothing(python: Callable[..., Ended]) -> None:
    code = "import os, time\nfor _ in range(20):\n    if os.fork() == 0: time.sleep(.8); os._exit(0)\n"
    ended = python(code + "time.sleep(.8)", processes=30)
    assert (ended.code, ended.stopped) == (0, "")


@linux
def test_processor_time_is_limited_for_all_processes_of_a_run_together(python: Callable[..., Ended]) -> None:
    code = "import os\nos.fork()\nos.fork()\nwhile True: pass"
    share = 0.8 / 30 / (os.cpu_count() or 1)
    ended = python(code, processor=share)
    assert ended.stopped == "processor time" and ended.seconds < 20


@linux
def test_one_run_is_not_taken_for_another(python: Callable[..., Ended]) -> None:
    base = uuid.uuid4().hex
    other = os.fork()
    if other == 0:
        os.execve(
            sys.executable,
            [sys.executable, "-c", "import time; time.sleep(60)"],
            {**os.environ, "BEBUG_TOKEN": f"{base}-10"},
        )
    try:
        time.sleep(0.3)
        python("pass", token=f"{base}-1")
        assert alive(f"{base}-10") == {other}
    finally:
        os.kill(other, 9)
        os.waitpid(other, 0)


def test_an_interpreter_that_is_not_there_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot start /no/such/python"):
        execute(["/no/such/python"], cwd=tmp_path, env={}, seconds=1, limits=Limits(), token="t")


def test_the_tail_keeps_the_end() -> None:
    tail = Tail(kept=10)
    for part in (b"abcdefgh", b"ijkl", b"m"):
        tail.add(part)
    assert tail.bytes() == b"defghijklm"
