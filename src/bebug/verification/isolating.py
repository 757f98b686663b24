"""Tiers of isolation: what a test run may write to and talk to, and the strongest that works here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bebug.errors import SandboxError, UsageError
from bebug.registry import load

OURS = Path(__file__).parent.parent
AUTO = "auto"
PATIENCE = 60.0  # seconds for a trial, and for an interpreter that is asked where it lies
TEMPORARY = tuple(
    dict.fromkeys(os.path.realpath(each) for each in ("/tmp", "/var/tmp") if Path(each).is_dir())
)
"""The system's temporary folders, which a walled run has to itself."""

SESSION = (
    "import os, signal, sys\n"
    "os.setsid()\n"
    "for number in (signal.SIGPIPE, signal.SIGXFSZ): signal.signal(number, signal.SIG_DFL)\n"
    "os.execv(sys.argv[1], sys.argv[1:])\n"
)
PROBE = """
import os, socket, sys

room, *outside = sys.argv[1:]
open(os.path.join(room, "written"), "w").close()
open(os.path.join({temporary!r}, "written"), "w").close()
open(os.devnull, "w").close()
for folder in outside:
    if os.access(folder, os.W_OK):
        sys.exit("it lets a run write to " + folder)
try:
    socket.socket(type=socket.SOCK_DGRAM).connect(("192.0.2.1", 9))  # asks for a way there, and sends nothing
except OSError:
    pass
else:
    sys.exit("it lets a run reach the network")
with socket.create_server(("127.0.0.1", 0)) as server:
    socket.create_connection(server.getsockname(), 5).close()
os.fork() or os._exit(0)
os.wait()
"""


class Unavailable(Exception):
    """A tier that cannot be had here, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walls:
    """What one run is shut in by.

    It may write below *writable* and nowhere else; *system* is its own folder in place of the system's
    temporary ones, in which *readable* and *writable* stay to be seen. It begins in *cwd*. Where it is
    *apart*, it sees no process but its own, and all of them end with it.
    """

    system: Path
    writable: Sequence[Path]
    readable: Sequence[Path]
    cwd: Path
    apart: bool = True

    @property
    def kept(self) -> set[str]:
        """The names in *system* that only stand for what lies elsewhere."""
        shown = (*self.readable, *self.writable)
        return {
            path.relative_to(folder).parts[0]
            for folder in TEMPORARY
            for path in shown
            if path.is_relative_to(folder)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One way of walling off: *wrap* turns a command into one that runs behind `Walls`.

    *wrap* raises `Unavailable`. Of those that work, the one of most *strength* is taken by itself; *step*
    says what to do where one does not. Where *monitored*, a program stands between that tells the end by
    signal N as exit code 128 + N. *private* are folders that are made anew behind the walls, and last as long
    as what runs there.
    """

    strength: int
    wrap: Callable[[Sequence[str], Walls], list[str]]
    step: str
    monitored: bool = False
    private: tuple[str, ...] = ()


def tiers() -> dict[str, Tier]:
    """Every tier by name, the strongest first."""
    return dict(sorted(load("tiers").items(), key=lambda item: (-item[1].strength, item[0])))


def choose(name: str = AUTO) -> str:
    """The name of the tier that *name* means here: `auto` is the strongest that works.

    Raises `SandboxError` where the one that is asked for does not work.
    """
    known = tiers()
    if name == AUTO:
        return next(each for each in known if not trial(each))
    if name not in known:
        raise UsageError(f"there is no sandbox {name!r}; known: {', '.join([AUTO, *known])}")
    if why := trial(name):
        raise SandboxError(f"the sandbox {name} does not work here: {why}; {known[name].step}")
    return name


@cache
def trial(name: str) -> str:
    """Why the tier *name* does not work on this machine, "" where it does: by a run that tries its walls."""
    tier = tiers()[name]
    if not tier.strength:
        return ""
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="bebug-trial-")))
    room, system = folder / "room", folder / "room" / "system"
    system.mkdir(parents=True)
    outside = ["/", str(Path.home()), str(OURS)]
    probe = PROBE.format(temporary=TEMPORARY[0])
    command = [sys.executable, "-I", "-S", "-c", probe, str(room), *outside]
    try:
        for apart in (True, False):
            walls = Walls(
                system=system, writable=[room], readable=needed(Path(sys.executable)), cwd=room, apart=apart
            )
            done = subprocess.run(
                tier.wrap(command, walls),
                cwd=room,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE,
                start_new_session=True,
            )
            if done.returncode:
                said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
                return said.splitlines()[-1]
    except Unavailable as why:
        return str(why)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""


@cache
def needed(python: Path) -> tuple[Path, ...]:
    """The folders of *python* and of bebug below the system's temporary ones: a run has to see them."""
    code = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, *sys.path]))"
    asked: list[str] = []
    try:
        run = subprocess.run(
            [str(python), "-I", "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        asked = json.loads(run.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        pass  # what is wrong with it is told where it is to run tests
    own = [sys.prefix, sys.base_prefix, *sys.path, str(OURS)]
    paths = {Path(os.path.abspath(each)) for each in (*asked, *own, str(python.parent)) if each}  # noqa: PTH100
    paths |= {Path(os.path.realpath(path)) for path in paths}
    found = {
        path for path in paths if path.exists() and any(Path(folder) in path.parents for folder in TEMPORARY)
    }
    return tuple(sorted(path for path in found if not any(other in path.parents for other in found)))


def own_session(argv: Sequence[str]) -> list[str]:
    """*argv* as the leader of a session of its own, as a run without walls is."""
    if found := shutil.which("setsid"):
        return [found, *argv]
    return [sys.executable, "-I", "-S", "-c", SESSION, *argv]
