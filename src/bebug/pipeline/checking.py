"""Checking a seed: how it is run, and what its untouched suite does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bebug.pipeline.observer import Observer
from bebug.seeds import describe, open_workspace
from bebug.verification import Laboratory, Limits


def check(
    spec: str, *, python: Path | None, observer: Observer, run: bool, limits: Limits | None = None
) -> dict[str, Any]:
    """What a manifest says of the seed *spec*, with `tree` and `python`; where *run*, its baseline too."""
    with open_workspace(spec, python=python, notify=observer.note) as workspace:
        facts = describe(workspace)
        if not run:
            return facts
        with Laboratory(workspace, limits=limits, notify=observer.note) as laboratory:
            observer.stage(f"{workspace.seed.name}: baseline", None)
            baseline = laboratory.baseline()
            return {
                **facts,
                "test_argv": list(laboratory.seed.test_argv),
                "tests_collected": baseline.collected,
                "green": len(baseline.green),
                "set_aside": list(baseline.set_aside),
                "order_dependent": list(baseline.order_dependent),
                "collection_errors": list(baseline.collection_errors),
                "seconds": round(baseline.seconds, 2),
                "sandbox": laboratory.sandbox.tier,
                "notes": list(baseline.notes),
            }
