"""Listing: the sites that a recipe would plant in, without running a test, and an estimate of the time."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug.pipeline.building import survey_recipe
from bebug.pipeline.observer import Observer
from bebug.pipeline.recipe import Recipe
from bebug.seeds import is_path, open_workspace
from bebug.verification import Laboratory, Limits

RUNS_A_MUTANT = 2.5  # two whole runs where it is killed, one where it survives, and a share of the controls


@dataclass(slots=True)
class Listing:
    """One row for each mutant, in source order; *reasons* says why places were left out."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    arid: Counter[str] = field(default_factory=Counter)
    unreadable: dict[str, str] = field(default_factory=dict)

    @property
    def sites(self) -> int:
        return len({(row["seed"], row["path"], row["rule"], row["start"]) for row in self.rows})

    @property
    def reasons(self) -> dict[str, int]:
        return {**self.arid, **Counter(self.unreadable.values())}


def listing(recipe: Recipe, *, python: Path | None, observer: Observer) -> Listing:
    """Every mutant of *recipe*'s classes; no test is run, no environment built for a user's repository."""
    found = Listing()
    for spec in recipe.seeds:
        reader = python or (Path(sys.executable) if is_path(spec) else None)
        with open_workspace(spec, python=reader, notify=observer.note) as workspace:
            mined = survey_recipe(workspace, recipe, observer)
            name = workspace.seed.name
            for mutant in (mutant for mutant in mined.mutants if mutant.site.operator in recipe.classes):
                site = mutant.site
                found.rows.append(
                    {
                        "seed": name,
                        "path": site.path,
                        "line": site.start_line,
                        "start": mutant.edits[0].start,
                        "function": site.function,
                        "rule": f"{site.operator}/{site.rule}",
                        "note": mutant.note,
                    }
                )
            found.arid.update(mined.skipped)
            found.unreadable.update({f"{name}/{path}": why for path, why in mined.unreadable.items()})
    return found


def estimate(
    recipe: Recipe, found: Listing, *, python: Path | None, limits: Limits, jobs: int, observer: Observer
) -> float:
    """Minutes to prove what was *found*: each seed's suite is run once and timed."""
    seconds = 0.0
    for spec in recipe.seeds:
        with (
            open_workspace(spec, python=python, notify=observer.note) as workspace,
            Laboratory(workspace, limits=limits, notify=observer.note) as laboratory,
        ):
            observer.stage(f"{workspace.seed.name}: one run of the suite", 1)
            run = laboratory.run({})
            observer.step(run.ending.value)
            rows = [row for row in found.rows if row["seed"] == workspace.seed.name]
            tried = (
                len(rows) if recipe.limit is None else min(len(rows), 2 * recipe.limit * len(recipe.classes))
            )
            seconds += tried * RUNS_A_MUTANT * run.seconds / jobs
    return seconds / 60
