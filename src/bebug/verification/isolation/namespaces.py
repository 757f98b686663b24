"""Namespaces: the walls of bubblewrap, put up by util-linux's `unshare` and a script of bebug's own.

For machines without `bwrap` where users may make namespaces.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from bebug.verification.isolating import TEMPORARY, Tier, Unavailable, Walls

INSIDE = Path(__file__).with_name("_inside.py")


def program() -> str:
    """The path of `unshare`; `Unavailable` where there is none."""
    found = shutil.which("unshare")
    if found is None:
        raise Unavailable("there is no `unshare`")
    return found


def wrap(argv: Sequence[str], walls: Walls) -> list[str]:
    """*argv* behind *walls*."""
    unshare = program()
    plan = {
        "system": str(walls.system),
        "temporary": TEMPORARY,
        "readable": [str(path) for path in walls.readable],
        "writable": [str(path) for path in walls.writable],
        "cwd": str(walls.cwd),
        "apart": walls.apart,
        "root": os.geteuid() == 0,
    }
    words = [unshare, "--user", "--map-root-user", "--mount", "--net", "--ipc"]
    if walls.apart:
        words += ["--pid", "--fork", "--kill-child"]
    words += ["--", sys.executable, "-I", "-S", str(INSIDE), json.dumps(plan)]
    if os.geteuid():  # inside it is root for as long as it mounts; then it is who it was, without any right
        words += [unshare, "--user", f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}", "--"]
    return [*words, *argv]


tier = Tier(
    strength=1,
    wrap=wrap,
    monitored=True,
    private=("/dev/shm",),
    step="install util-linux, where users may make namespaces; or run bebug in a container",
)
