"""One guarded process: its own session, limits from outside, output capped, nothing left behind."""

from __future__ import annotations

import os
import select
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

if sys.platform != "win32":  # where it is missing, bebug says so before it comes to this
    import resource

TOKEN = "BEBUG_TOKEN"
KEPT = 64 << 10
SLICE = 0.02  # seconds between two looks where the kernel offers no descriptor for a process


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a process ended: *code* as subprocess has it (negative: a signal), and the end of its output."""

    code: int
    timed_out: bool
    output: bytes
    seconds: float


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
    memory: int,
    token: str,
    started: Callable[[int], None] = lambda pid: None,
) -> Ended:
    """Run *argv* to its end, or to *seconds*; then kill whatever it started, found by session and *token*."""
    begun = time.monotonic()
    read, write = os.pipe()
    try:
        process = spawn(argv, cwd, {**env, TOKEN: token}, write)
    except OSError as error:
        os.close(read)
        raise MachineError(
            f"cannot start {argv[0]}: {error.strerror}; check the path of the interpreter"
        ) from None
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

    def ready() -> None:
        started(process.pid)
        restrict(process.pid, memory)

    try:
        return guard(child, begun=begun, seconds=seconds, mark=mark_of(token), ready=ready)
    finally:
        if ending is not None:
            os.close(ending)


def guard(
    child: Child,
    *,
    begun: float,
    seconds: float,
    mark: bytes,
    ready: Callable[[], None] = lambda: None,
    spared: frozenset[int] = frozenset(),
) -> Ended:
    """Let *child* come to its end, or to *seconds* after *begun*; then kill whatever it started.

    That is all of its session, its descendants and all that carry *mark*, but for the processes *spared*.
    """
    tail = Tail()
    try:
        ready()
        os.set_blocking(child.output, False)
        timed_out = not watch(child, tail, begun + seconds)
    finally:
        kill_tree(child.pid, mark, spared)
        try:
            code = child.wait()
        finally:
            drain(child.output, tail)
            os.close(child.output)
    return Ended(code=code, timed_out=timed_out, output=tail.bytes(), seconds=time.monotonic() - begun)


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


def restrict(pid: int, memory: int) -> None:
    """Limit address space and core dumps, from outside: no code of ours runs between fork and exec."""
    if hasattr(resource, "prlimit"):
        with suppress(OSError, ValueError):
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
            resource.prlimit(pid, resource.RLIMIT_AS, (memory, memory))


def watch(child: Child, tail: Tail, deadline: float) -> bool:
    """Drain the output of *child* until it ends, and say whether it did so before *deadline*."""
    poll = select.poll()
    poll.register(child.output, select.POLLIN)
    if child.wakes is not None:
        poll.register(child.wakes, select.POLLIN)
    open_output = True
    while not child.done():
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        poll.poll(1000 * (left if child.wakes is not None else min(left, SLICE)))
        if open_output and not drain(child.output, tail):
            open_output = False
            poll.unregister(child.output)
    return True


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
    found, parents = set[int](), dict[int, int]()
    spared |= {os.getpid()}
    for entry in Path("/proc").glob("[0-9]*") if Path("/proc/self/stat").exists() else ():
        with suppress(OSError, ValueError, IndexError):
            pid = int(entry.name)
            state, parent, _group, session = (entry / "stat").read_bytes().rpartition(b")")[2].split()[:4]
            if pid in spared or state in (b"Z", b"X"):
                continue
            parents[pid] = int(parent)
            if int(session) == root or mark in (entry / "environ").read_bytes():
                found.add(pid)
    return found | descendants(found, parents)


def descendants(found: set[int], parents: Mapping[int, int]) -> set[int]:
    grown = set(found)
    while more := {pid for pid, parent in parents.items() if parent in grown} - grown:
        grown |= more
    return grown
