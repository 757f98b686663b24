"""One guarded process: its own session, limits set before it starts, output capped, nothing left behind."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import MachineError
from bebug.verification.limits import Limits

TOKEN = "BEBUG_TOKEN"
KEPT = 64 << 10
SLICE = 0.02  # seconds between two looks where the kernel offers no descriptor for a process
LOOK = 0.25  # seconds between two looks at how much a run has become
RARELY = 50  # and so many times what a look costs, where there are thousands of processes to look at
LAUNCHER = (
    "import os, resource, signal, sys\n"
    "for word in sys.argv[1].split(','):\n"
    "    name, _, value = word.partition('=')\n"
    "    try: resource.setrlimit(getattr(resource, 'RLIMIT_' + name.upper()), (int(value), int(value)))\n"
    "    except (AttributeError, OSError, ValueError): pass\n"
    "for number in (signal.SIGPIPE, signal.SIGXFSZ): signal.signal(number, signal.SIG_DFL)\n"
    "os.execv(sys.argv[2], sys.argv[2:])\n"
)
"""Limits itself and becomes another program, which is to get the signals that Python ignores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended: *code* as subprocess has it (negative: a signal), and the end of its output.

    *stopped* is the limit of ours that ended it: `time`, `processor time`, `processes`; "" where none did.
    """

    code: int
    stopped: str
    output: bytes
    seconds: float
    tier: str = "cold"

    @property
    def timed_out(self) -> bool:
        """Whether a limit of ours ended it: what it said until then proves nothing."""
        return bool(self.stopped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A process as /proc shows it. *dead*: it has ended, and nobody has waited for it.

    *processor*: the seconds that it took, with those of the children that it has waited for.
    """

    parent: int
    session: int
    processor: float
    dead: bool


class Tail:
    """The last bytes of a stream that may be endless."""

    def __init__(self, kept: int = KEPT) -> None:
        self.kept, self.size, self.parts = kept, 0, deque[bytes]()

    def add(self, data: bytes) -> None:
        self.parts.append(data)
        self.size += len(data)
        while self.size - len(self.parts[0]) >= self.kept:
            self.size -= len(self.parts.popleft())

    def bytes(self) -> bytes:
        return b"".join(self.parts)[-self.kept :]


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A process under guard: *done* says whether it has ended, *wait* gives its code.

    *output* is read to its end and closed. Where *wakes* is a descriptor, it becomes readable at the end.
    """

    pid: int
    output: int
    done: Callable[[], bool]
    wait: Callable[[], int]
    wakes: int | None = None


def execute(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    seconds: float,
    limits: Limits,
    token: str,
    started: Callable[[int], None] = lambda pid: None,
) -> Ended:
    """Run *argv* to its end, or to a limit; then kill whatever it started, found by session and *token*."""
    begun = time.monotonic()
    command = limited(argv, limits.resources(seconds))
    read, write = os.pipe()
    try:
        process = spawn(command, cwd, {**env, TOKEN: token}, write)
    except OSError as error:
        os.close(read)
        raise MachineError(f"cannot start {command[0]}: {error.strerror}") from None
    finally:
        os.close(write)
    ending = open_descriptor(process.pid)
    child = Child(
        pid=process.pid,
        output=read,
        done=lambda: process.poll() is not None,
        wait=process.wait,
        wakes=ending,
    )
    try:
        return guard(
            child,
            begun=begun,
            seconds=seconds,
            limits=limits,
            mark=mark_of(token),
            ready=lambda: started(process.pid),
        )
    finally:
        if ending is not None:
            os.close(ending)


def resolved(argv: Sequence[str | Path]) -> list[str]:
    """*argv* as words, the program by its path. Raises `MachineError` where there is none."""
    program = shutil.which(argv[0])
    if program is None:
        raise MachineError(f"cannot start {argv[0]}: it is no program; check the path of the interpreter")
    return [program, *map(str, argv[1:])]


def limited(argv: Sequence[str | Path], resources: Mapping[str, int]) -> list[str]:
    """*argv* as a program that limits itself to *resources* and then becomes it: nothing runs unlimited."""
    words = resolved(argv)
    if setter := shutil.which("prlimit"):
        return [setter, *(f"--{name}={value}" for name, value in resources.items()), "--", *words]
    given = ",".join(f"{name}={value}" for name, value in resources.items())
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, given, *words]


def guard(
    child: Child,
    *,
    begun: float,
    seconds: float,
    limits: Limits,
    mark: bytes,
    ready: Callable[[], None] = lambda: None,
    spared: frozenset[int] = frozenset(),
) -> Ended:
    """Let *child* come to its end, or to a limit; then kill whatever it started.

    That is all of its session, its descendants and all that carry *mark*, but for the processes *spared*.
    """
    tail = Tail()

    def excess() -> str:
        return exceeded(family(child.pid, mark, spared), limits, seconds)

    try:
        ready()
        os.set_blocking(child.output, False)
        stopped = watch(child, tail, begun + seconds, excess)
    finally:
        kill_tree(child.pid, mark, spared)
        try:
            code = child.wait()
        finally:
            drain(child.output, tail)
            os.close(child.output)
    return Ended(code=code, stopped=stopped, output=tail.bytes(), seconds=time.monotonic() - begun)


def exceeded(run: Mapping[int, Seen], limits: Limits, seconds: float) -> str:
    """The limit that the processes of a *run* are beyond, "" where they keep to all."""
    if len(run) > limits.processes:
        return "processes"
    if sum(each.processor for each in run.values()) > limits.processor_seconds(seconds):
        return "processor time"
    return ""


def spawn(
    argv: Sequence[str | Path], cwd: Path, env: Mapping[str, str], output: int
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(part) for part in argv],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def watch(child: Child, tail: Tail, deadline: float, excess: Callable[[], str] = lambda: "") -> str:
    """Drain the output of *child* until it ends, and say which limit ended it: "" where it ended by itself.

    *excess* is asked now and then whether the run has become too much.
    """
    poll = select.poll()
    poll.register(child.output, select.POLLIN)
    if child.wakes is not None:
        poll.register(child.wakes, select.POLLIN)
    open_output, look = True, time.monotonic() + LOOK
    while not child.done():
        now = time.monotonic()
        if now >= deadline:
            return "time"
        if now >= look:
            if why := excess():
                return why
            cost = time.monotonic() - now
            look = now + max(LOOK, RARELY * cost)
        left = min(deadline, look) - now
        poll.poll(1000 * max(0.0, left if child.wakes is not None else min(left, SLICE)))
        if open_output and not drain(child.output, tail):
            open_output = False
            poll.unregister(child.output)
    return ""


def open_descriptor(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def drain(output: int, tail: Tail) -> bool:
    """Take what is there, at most a mebibyte; False at the end of the stream."""
    for _ in range(16):
        try:
            data = os.read(output, KEPT)
        except BlockingIOError:
            return True
        if not data:
            return False
        tail.add(data)
    return True


def mark_of(token: str) -> bytes:
    """How *token* stands in a process's environment; whole, so that run 1 is not taken for run 10."""
    return f"{TOKEN}={token}\0".encode()


def kill_tree(root: int, mark: bytes, spared: frozenset[int] = frozenset()) -> None:
    """SIGKILL *root*'s session, its descendants, and all that carry *mark*, until none is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(root, signal.SIGKILL)
    for attempt in range(200):
        members = related(root, mark, spared)
        if not members:
            return
        for pid in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(min(0.002 * (attempt + 1), 0.05))


def related(root: int, mark: bytes, spared: frozenset[int] = frozenset()) -> set[int]:
    """Living processes of *root*'s session, those that carry *mark*, and all their descendants (Linux)."""
    return {pid for pid, seen in family(root, mark, spared).items() if not seen.dead}


def family(root: int, mark: bytes, spared: frozenset[int] = frozenset()) -> dict[int, Seen]:
    """As `related`, with what is known of each, and with the dead that nobody has waited for."""
    found, there = set[int](), dict[int, Seen]()
    spared |= {os.getpid()}
    for entry in Path("/proc").glob("[0-9]*") if Path("/proc/self/stat").exists() else ():
        with suppress(OSError, ValueError, IndexError):
            pid = int(entry.name)
            if pid in spared:
                continue
            there[pid] = seen = seen_in((entry / "stat").read_bytes())
            if seen.session == root or (not seen.dead and mark in (entry / "environ").read_bytes()):
                found.add(pid)
    found = descendants(found, {pid: seen.parent for pid, seen in there.items()})
    return {pid: there[pid] for pid in found}


def seen_in(stat: bytes) -> Seen:
    fields = stat.rpartition(b")")[2].split()
    return Seen(
        parent=int(fields[1]),
        session=int(fields[3]),
        processor=sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"),
        dead=fields[0] in (b"Z", b"X"),
    )


def descendants(found: set[int], parents: Mapping[int, int]) -> set[int]:
    grown = set(found)
    while more := {pid for pid, parent in parents.items() if parent in grown} - grown:
        grown |= more
    return grown
