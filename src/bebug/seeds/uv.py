"""uv, run as a program: it makes environments and installs into them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import uv

from bebug.errors import FetchError, MachineError
from bebug.seeds.interpreter import plain_environment

COVERAGE = "coverage>=7.6"
HYPOTHESIS = "hypothesis>=6.100"
"""What every environment of ours has besides what the seed asks for."""


def run_uv(arguments: Sequence[str], *, cwd: Path, purpose: str, env: Mapping[str, str] | None = None) -> str:
    """Run uv and give what it printed; where it fails, `FetchError` has its last words.

    *purpose* says what failed.

    uv reads no pip configuration, so pip's index variable is handed on; settings of uv's own win. No
    interpreter is downloaded.
    """
    settings = {
        **plain_environment(),
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_PROGRESS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        **(env or {}),
    }
    if index := os.environ.get("PIP_INDEX_URL"):
        settings.setdefault("UV_DEFAULT_INDEX", index)
    done = subprocess.run(
        [uv_program(), "--color=never", *arguments],
        cwd=cwd,
        env=settings,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise FetchError(f"{purpose} failed", detail=last_lines(done.stderr + done.stdout))
    return done.stdout.decode("utf-8", "replace")


def uv_program() -> str:
    try:
        return uv.find_uv_bin()
    except FileNotFoundError:
        raise MachineError(
            "the program `uv` is missing: run `python -m pip install --force-reinstall uv`"
        ) from None


def make_environment(folder: Path, base: str) -> Path:
    """An empty virtual environment in *folder* on the interpreter *base*; its Python."""
    run_uv(
        ["venv", "--quiet", "--no-project", "--python", base, str(folder)],
        cwd=folder.parent,
        purpose=f"making an environment on {base}",
    )
    return folder / "bin" / "python"


def find_python(wanted: str, cwd: Path) -> str:
    """The path of an interpreter of this machine that meets *wanted* (`>=3.9,<3.11`), else ""."""
    try:
        arguments = ["python", "find", "--no-project", "--system", wanted]
        return run_uv(arguments, cwd=cwd, purpose=f"looking for Python {wanted}").strip()
    except FetchError:
        return ""


def last_lines(output: bytes, count: int = 30) -> str:
    """The end of a program's output, as text."""
    return "\n".join(output.decode("utf-8", "replace").strip().splitlines()[-count:])
