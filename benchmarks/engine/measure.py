"""Clocks: the wall and processor time of work with all the processes that it starts; and the machine."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
PR_SET_CHILD_SUBREAPER = 36
BUSY = 0.5  # load above which a machine is too busy to be measured on
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ran to its end, or was stopped: times in seconds, and all that it printed."""

    code: int
    wall: float
    cpu: float
    output: str


def spent() -> float:
    """Processor seconds of this process and of all its descendants, also dead ones that have a parent."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    total = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    return total + sum(ticks for _, ticks in family().values()) / TICK


def family() -> dict[int, tuple[int, int]]:
    """Every living descendant: its parent, and the ticks that it and the children it waited for have had."""
    known = dict[int, tuple[int, int]]()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            known[int(entry.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    found, more = set[int](), {os.getpid()}
    while more := {pid for pid, (parent, _) in known.items() if parent in found | more} - found:
        found |= more
    return {pid: known[pid] for pid in found}


def clocked(act: Callable[[], T]) -> tuple[list[float], T]:
    """[wall seconds, processor seconds] of *act*, and what it gave."""
    begun, before = time.perf_counter(), spent()
    result = act()
    return [time.perf_counter() - begun, spent() - before], result


def run_program(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    seconds: float = 1800.0,
    memory: int = 0,
) -> Ran:
    """Run *argv* for *seconds* at most, each of its processes under *memory* bytes of address space (0: any).

    Orphans that it leaves are ended, and their time counts. No other child of this process may be there.
    """
    adopt_orphans()
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(word) for word in argv],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None,
        )
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        process.wait()
        signal.setitimer(signal.ITIMER_REAL, 0)
        wall = time.perf_counter() - begun
        bury_orphans()
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(process.returncode, wall, cpu, text)


def adopt_orphans() -> None:
    """From now on be the parent of descendants whose own has ended: no clock sees them otherwise."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bury_orphans() -> None:
    """End and wait for every child that is left."""
    with suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                for pid in family():
                    with suppress(OSError):
                        os.kill(pid, signal.SIGKILL)
                time.sleep(0.01)


def machine() -> dict[str, Any]:
    """What this machine is, and how busy it is now."""
    load = os.getloadavg()[0]
    model = platform.processor() or platform.machine()
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        model = next(
            (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model
        )
    return {
        "cores": os.cpu_count(),
        "model": model,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(load, 2),
        "busy": load > BUSY,
    }
