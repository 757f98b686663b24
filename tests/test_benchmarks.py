"""The benchmark of the engine runs, its clocks see all processes, and its page tells what did not run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(__file__).parent.parent / "benchmarks" / "engine"

CLOCKS = """
import json, sys, time
from pathlib import Path
from measure import clocked, run_program
busy = "import time\\nwhile time.process_time() < 0.4: pass"
lines = [
    "import os, subprocess, sys",
    f"orphan = subprocess.Popen([sys.executable, '-c', {busy!r}], start_new_session=True)",
    "os.waitid(os.P_PID, orphan.pid, os.WEXITED | os.WNOWAIT)",
    "os._exit(0)",  # the other has ended, and nobody waited for it
]
waits = "\\n".join(lines)
here = Path.cwd()
cost, ran = clocked(lambda: run_program([sys.executable, "-c", waits], cwd=here))
endless = run_program([sys.executable, "-c", "while True: pass"], cwd=here, seconds=0.5)
glutton = run_program([sys.executable, "-c", "bytearray(3 << 30)"], cwd=here, memory=1 << 30)
print(json.dumps([ran.cpu, cost[1], endless.code, glutton.code, "MemoryError" in glutton.output]))
"""


def engine(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ENGINE), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


def test_a_trial_of_mining_and_of_runs_measures_them(tmp_path: Path) -> None:
    kept = tmp_path / "results.json"
    done = engine("--quick", "--only", "B,C", "--rounds", "2", "--json", str(kept), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    parts = json.loads(kept.read_text("utf-8"))["parts"]
    assert list(parts) == ["B", "C"]
    runs = parts["B"]["seeds"]["ledger"]
    assert [len(runs[name]) for name in ("cold", "warm")] == [2, 2]
    assert all(cost > 0 for name in ("cold", "warm") for costs in runs[name] for cost in costs)
    assert min(cpu for _, cpu in parts["C"]["positions"]) > min(cpu for _, cpu in parts["C"]["parse"]) > 0
    assert parts["C"]["mutants"] > 1000
    for told in ("A trial run", "| ledger |", "bebug: all mutants"):
        assert told in done.stdout, done.stdout


@pytest.mark.parametrize("arguments", [("--only", "Z"), ("--quick", "--out", "page.md")])
def test_what_cannot_be_meant_is_refused(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert engine(*arguments, cwd=tmp_path).returncode == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are told by what Linux says of processes")
def test_the_clocks_see_orphans_and_stop_what_takes_too_much(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CLOCKS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ENGINE)},
    )
    assert done.returncode == 0, done.stderr
    cpu, outside, endless, glutton, refused = json.loads(done.stdout)
    assert cpu >= 0.4
    assert outside == pytest.approx(cpu, abs=0.3)
    assert (endless, glutton, refused) == (-9, 1, True)


def test_a_peer_that_does_not_run_has_a_reason_and_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ENGINE)
    from page import page

    text: str = page(
        results_of({"bebug": [OURS], "other": [PEER], "broken": [{"failed": "it has | no wheel"}]})
    )
    row = next(line for line in text.splitlines() if line.startswith("| other |"))
    assert row.split(" | ")[2:] == [
        "2",
        "50",
        "80 %",
        "not told",
        "20.0",
        "30.0",
        "2.50",
        "600",
        "4.00",
        "3.00 |",
    ]
    assert "| broken | it has \\| no wheel |" in text
    assert text.count("broken") == 1


OURS = {"parts": {"start": [1.0, 2.0], "shots": [9.0, 18.0]}, "mutants": 100, "mined": 110, "workers": 2}
OURS |= {"words": {"killed": 90, "timeout": 1, "survived": 9, "cold": 4}}
PEER = {"cost": [20.0, 30.0], "mutants": 50, "words": {"killed": 40, "survived": 10}, "workers": 2}


def results_of(rounds: dict[str, list[Any]]) -> dict[str, Any]:
    part = {
        "count": 1,
        "tier": "limits",
        "seed": "toolz",
        "file": "toolz/itertoolz.py",
        "given": "toolz/tests",
        "tests": 3,
        "python": "3.12",
        "versions": {},
        "rounds": rounds,
    }
    part["peers"] = {name: {"how": "as it comes"} for name in rounds if name != "bebug"}
    facts = {
        "cores": 2,
        "model": "m",
        "system": "s",
        "python": "3.11",
        "load": 0.1,
        "busy": False,
        "quick": False,
    }
    return {**facts, "date": "2026-11-30", "parts": {"A": part}}
