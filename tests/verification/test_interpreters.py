"""The guest in other interpreters and older pytests, as far as this machine has them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bebug.verification import Laboratory

DATA = Path(__file__).parent.parent / "data"
PYTESTS = {
    "3.9": "pytest==7.4.4",
    "3.10": "pytest==8.0.2",
    "3.11": "pytest==8.2.2",
    "3.12": "pytest",
    "3.13": "pytest==8.3.4",
}


def usable(version: str) -> str | None:
    """The path of that interpreter, where there is one that starts."""
    found = shutil.which(f"python{version}")
    if found is None:
        return None
    asked = subprocess.run([found, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
    return asked.stdout.strip() or None


FOUND = {version: path for version in PYTESTS if (path := usable(version))}


@pytest.mark.network
@pytest.mark.parametrize("version", FOUND)
def test_outcomes_and_reach_are_the_same_everywhere(
    version: str, tmp_path: Path, workspace: Callable[..., Any]
) -> None:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "-q", "--python", FOUND[version], tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run(
        [*uv, "pip", "install", "-q", "--python", python, PYTESTS[version], "coverage"], check=True
    )
    for name, counts in {"plain": (8, 8, 17), "hostile": (7, 0, 7), "reach": (9, 0, 9)}.items():
        with Laboratory(replace(workspace(DATA / name), python=python)) as bench:
            base = bench.baseline()
            assert (len(base.green), len(base.set_aside), base.collected) == counts
            assert bench.reach.known
            if name == "reach":
                seen = bench.reach.seen("pkg/core.py", 2, 2)
                assert {test.split("::")[1] for test in seen.tests} == {"test_direct", "test_fixture"}
                assert bench.reach.seen("pkg/core.py", 10, 10).shared
                assert {test.split("::")[1] for test in bench.reach.always} == {"test_pool", "test_command"}
