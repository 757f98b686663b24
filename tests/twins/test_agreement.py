"""Forks, forked runs and processes of their own say the same of the same mutants."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

AGREEMENT = Path(__file__).parents[2] / "benchmarks" / "agreement.py"


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["measures", "flatfile", "errands"])
def test_the_ways_of_running_agree(seed: str, tmp_path: Path) -> None:
    command = [sys.executable, str(AGREEMENT), seed, "--mutants", "40"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    cells = next(line for line in done.stdout.splitlines() if line.startswith(f"| {seed} ")).split(" | ")
    both, differ, warm_both, warm_differ = (int(cells[number]) for number in (2, 3, 6, 7))
    assert both >= 30 and warm_both >= 30, done.stdout
    assert (differ, warm_differ) == (0, 0), done.stdout
