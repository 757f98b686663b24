"""The environment and the arguments of a test run: nothing of the caller's that changes what tests do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from bebug.records import Seed
from bebug.verification.sandbox import Room

FOREIGN = ("PYTHON", "PYTEST", "COVERAGE", "COV_CORE", "BEBUG_", "GIT_", "XDG_", "VIRTUAL_ENV", "CONDA_")
"""What steers Python and pytest, or leads a test to the caller's repository, folders and environments."""
GUEST = Path(__file__).with_name("guest")
PLUGIN = "bebug_report"


def of_run(caller: Mapping[str, str], seed: Seed, room: Room) -> dict[str, str]:
    """The environment of a test process in *room*: the seed's own settings win over ours."""
    env = cleaned(caller)
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    env |= {"HOME": str(room.home), "TMPDIR": str(room.temporary)}
    env |= {
        "PWD": os.path.normpath(room.tree / seed.cwd),
        "GIT_CEILING_DIRECTORIES": str(room.folder),
        **seed.env,
    }
    roots = [os.path.normpath(room.tree / root) for root in seed.source_roots]
    return env | {"PYTHONPATH": os.pathsep.join([str(GUEST), *roots])}


def cleaned(caller: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment less what is foreign to a private copy."""
    return {
        name: value
        for name, value in caller.items()
        if not name.startswith(FOREIGN) and name not in ("PWD", "OLDPWD")
    }


def arguments(seed: Seed) -> list[str]:
    """The arguments of pytest for *seed*, its effective ones last."""
    return ["-q", "-p", "no:cacheprovider", "-p", PLUGIN, *seed.test_argv]
