"""Which systems bebug runs tests on: asked at one place, before anything is fetched, built or run."""

from __future__ import annotations

import sys

from bebug.errors import MachineError


def system() -> str:
    """The system's name as Python gives it: `linux`, `darwin`, `win32`, ..."""
    return sys.platform


def insist_on_posix() -> None:
    """`MachineError` on Windows, where no process can be fenced in as proofs need it."""
    if system() == "win32":
        raise MachineError(
            "bebug does not run tests on Windows: it needs process groups, limits and file locks that are "
            "missing there; use WSL 2 or a Linux container (reading and scoring a corpus work here)"
        )
