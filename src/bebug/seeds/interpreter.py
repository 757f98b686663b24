"""An interpreter, asked: which Python it is, what it has installed, and whether it can run tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import SeedError

QUESTION = """
import sys; sys.path.pop(0)
import importlib.metadata as m, importlib.util as u, json, os, platform, re
names = {(re.sub(r"[-_.]+", "-", d.metadata["Name"] or "").lower(), d.version) for d in m.distributions()}
base = os.path.realpath(getattr(sys, "_base_executable", sys.executable) or sys.executable)
print(json.dumps({"path": sys.executable, "version": platform.python_version(), "base": base,
    "packages": sorted(n + "==" + str(v) for n, v in names if n),
    "pytest": u.find_spec("pytest") is not None, "coverage": u.find_spec("coverage") is not None}))
"""
# The first line takes the current folder off the module path: a user's json.py is not to answer.


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """What a Python said of itself. *base*: the interpreter below a virtual environment."""

    path: Path
    version: str
    base: str
    packages: tuple[str, ...]
    has_pytest: bool
    has_coverage: bool


def ask(python: Path) -> Interpreter:
    """Run *python* once and note what it is; `SeedError` where it does not run.

    It is asked in the environment in which tests will run: without any `PYTHON*` variable of the user's.
    """
    command = [str(python), "-c", QUESTION]
    try:
        done = subprocess.run(
            command, env=plain_environment(), capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
        said = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise SeedError(f"{python} is no Python that runs: mend it, or give another with --python") from None
    return Interpreter(
        path=Path(said["path"]),
        version=said["version"],
        base=said["base"],
        packages=tuple(said["packages"]),
        has_pytest=said["pytest"],
        has_coverage=said["coverage"],
    )


def plain_environment() -> dict[str, str]:
    """The user's environment without what bends a Python: its `PYTHON*` variables, an active environment."""
    bending = ("PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX", "__PYVENV_LAUNCHER__")
    return {name: value for name, value in os.environ.items() if not name.startswith(bending)}


def given_python(python: Path) -> Path:
    """The interpreter that the user meant: a path, a command in PATH, or the folder of an environment.

    The path is made absolute but links are kept: a virtual environment's Python is a link.
    """
    found = shutil.which(python) if python.name == str(python) and not python.exists() else None
    path = Path(found or python).expanduser().absolute()
    if path.is_dir():
        path = path / "bin" / "python"
    if not path.exists():
        raise SeedError(f"--python {python} does not exist: give the path of an interpreter that has pytest")
    return path


def with_pytest(python: Path) -> Interpreter:
    """Ask *python*, which is not ours to change, and insist on pytest: the `SeedError` says how to get it."""
    interpreter = ask(python)
    if not interpreter.has_pytest:
        raise SeedError(
            f"{python} has no pytest: run `uv pip install --python {python} pytest` "
            f"(or `{python} -m pip install pytest`), or choose another with --python"
        )
    return interpreter


def satisfies(version: str, wanted: str) -> bool:
    """Whether a version such as "3.12.1" meets *wanted*: `>=3.A`, or `>=3.A,<3.B`."""
    minor = int(version.split(".")[1])
    low, _, high = wanted.removeprefix(">=").partition(",<")
    return int(low.split(".")[1]) <= minor and (not high or minor < int(high.split(".")[1]))


def meets(version: str, wanted: str) -> bool:
    """Whether a version such as "3.12.1" meets a `requires-python`; a clause of another form is met."""
    here = [int(part) for part in re.findall(r"\d+", version)[:3]]
    for clause in wanted.split(","):
        found = re.fullmatch(r"\s*(>=|<=|==|!=|~=|>|<)\s*(\d+(?:\.\d+)*)(\.\*)?\s*", clause)
        if found and not _holds(here, found[1], [int(part) for part in found[2].split(".")], bool(found[3])):
            return False
    return True


def _holds(here: list[int], operator: str, there: list[int], any_after: bool) -> bool:
    if any_after or operator == "~=":
        like = here[: len(there)] == there if any_after else here[: len(there) - 1] == there[:-1]
        return not like if operator == "!=" else like and here >= there
    there = [*there, 0, 0][:3]
    return {
        ">=": here >= there,
        "<=": here <= there,
        ">": here > there,
        "<": here < there,
        "==": here == there,
        "!=": here != there,
    }[operator]
