"""Building a corpus: every seed of a recipe mined, proved and written, and the sum of it told."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus.files import CASES, keep_previous
from bebug.corpus.licences import Licences
from bebug.corpus.licences import store as store_licences
from bebug.corpus.manifest import build as build_manifest
from bebug.corpus.manifest import seed_entry
from bebug.corpus.store import Store
from bebug.errors import NothingFound, SeedError, UsageError
from bebug.pipeline.auditing import unsound
from bebug.pipeline.harvest import PROVED, UNPROVED, Harvest, Harvester
from bebug.pipeline.mining import Field, survey
from bebug.pipeline.observer import Observer
from bebug.pipeline.recipe import Recipe
from bebug.records import Claim, Status, Workspace
from bebug.seeds import is_path, licences, open_workspace, untouched
from bebug.verification import Laboratory, Limits

BASELINE = "baseline (three or more whole runs of the untouched suite)"


@dataclass(slots=True)
class Summary:
    """What `mutate` tells at the end; every number in it was counted."""

    folder: Path
    sites: int = 0
    mutants: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)  # what became of the mutants: they are the sum
    killed: int = 0  # mutants of source classes that the suite was proved to notice
    by_class: dict[str, Counter[str]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)  # why there is no case, controls and all
    refused: Counter[str] = field(default_factory=Counter)  # of these, those of controls beside the classes
    unreadable: dict[str, str] = field(default_factory=dict)
    arid: Counter[str] = field(default_factory=Counter)
    cases: int = 0
    controls: int = 0
    twins: int = 0
    seconds: float = 0.0
    failed_seeds: dict[str, str] = field(default_factory=dict)

    @property
    def holes(self) -> int:
        """Source mutants that no test notices."""
        return self.outcomes[Status.SURVIVED] + self.outcomes[UNPROVED]

    def as_json(self) -> dict[str, Any]:
        """The summary as `--json` prints it: `outcomes`, and those of each class, sum up to its mutants."""
        return {
            "corpus": str(self.folder),
            "sites": self.sites,
            "mutants": self.mutants,
            "proved": self.outcomes[PROVED],
            "killed": self.killed,
            "survived": self.holes,
            "shown_by_an_input_alone": self.outcomes[UNPROVED],
            "timeouts": self.outcomes[Status.TIMEOUT],
            "broken": self.outcomes[Status.BROKEN],
            "outcomes": dict(sorted(self.outcomes.items())),
            "cases": self.cases,
            "controls": self.controls,
            "seconds": round(self.seconds, 1),
            "by_class": {name: dict(sorted(tally.items())) for name, tally in sorted(self.by_class.items())},
            "rejections": dict(sorted(self.reasons.items())),
            "unreadable_files": self.unreadable,
            "arid": dict(sorted(self.arid.items())),
            "failed_seeds": self.failed_seeds,
        }


def build(
    recipe: Recipe, folder: Path, *, jobs: int, python: Path | None, limits: Limits, observer: Observer
) -> Summary:
    """Mine, prove and write the corpus of *recipe* to *folder*.

    A seed that cannot serve ends the work where it is the only one; among several it is named in the summary
    and the others go on. Raises `NothingFound`, with the reasons, where not a single case came out.
    """
    started = time.monotonic()
    summary = Summary(folder=folder)
    harvests: list[Harvest] = []
    entries: list[dict[str, Any]] = []
    notices: dict[str, Mapping[str, bytes]] = {}
    # Told apart now: once the corpus's own folder is there, a name could be taken for it.
    by_path = {spec: is_path(spec) for spec in recipe.seeds}
    with Store(folder, recipe.as_json(), notify=observer.note) as store:
        for spec in recipe.seeds:
            opened = open_workspace(
                spec,
                python=python,
                pytest_args=recipe.pytest_args,
                by_path=by_path[spec],
                notify=observer.note,
            )
            try:
                with opened as workspace:
                    refuse_namesake(workspace.seed.name, entries)
                    harvest, entry = _one_seed(workspace, recipe, store, jobs, limits, observer, summary)
                    notices[workspace.seed.name] = licences(workspace)
            except (SeedError, NothingFound) as error:
                if len(recipe.seeds) == 1:
                    raise
                summary.failed_seeds[spec] = error.message
                observer.note(f"{spec}: left out: {error.message}")
            else:
                harvests.append(harvest)
                entries.append(entry)
        _count(summary, harvests, recipe)
        _write(store, folder, recipe, harvests, entries, notices, observer)
    if not summary.cases + summary.controls:
        raise NothingFound(_why_nothing(summary, folder), reasons=summary.reasons)
    if recipe.controls and not summary.controls:
        bad = f"{summary.cases} bad cases are in {folder}"
        raise NothingFound(f"{bad}, but no control was proved: nothing there tells a critic that fails all")
    summary.seconds = time.monotonic() - started
    return summary


def refuse_namesake(name: str, entries: Sequence[Mapping[str, Any]]) -> None:
    """Ids begin with a seed's name: two seeds of one name cannot stand in one corpus."""
    if any(name == entry["name"] for entry in entries):
        raise UsageError(f"two seeds are called {name}: make a corpus of each, under --out")


def _write(
    store: Store,
    folder: Path,
    recipe: Recipe,
    harvests: Sequence[Harvest],
    entries: Sequence[Mapping[str, Any]],
    notices: Licences,
    observer: Observer,
) -> None:
    """Finish the corpus; where nothing was proved, one that lies there already stays."""
    cases = [case for harvest in harvests for case in harvest.cases]
    rows = [row for harvest in harvests for row in harvest.rejected]
    if not cases and (folder / CASES).exists() and (folder / CASES).stat().st_size:
        return
    made = build_manifest(
        name=folder.resolve().name,
        version=__version__,
        recipe=recipe.as_json(),
        seeds=entries,
        cases=cases,
        rejected=rows,
    )
    for name, why in unsound(cases):
        observer.note(f"{name} is not what a case should be: {why}")
    keep_previous(folder, recipe.as_json(), observer.note)
    store_licences(folder, notices)
    store.finish(made, cases, rows)


def _one_seed(
    workspace: Workspace,
    recipe: Recipe,
    store: Store,
    jobs: int,
    limits: Limits,
    observer: Observer,
    summary: Summary,
) -> tuple[Harvest, dict[str, Any]]:
    field = survey_recipe(workspace, recipe, observer)
    summary.unreadable.update(
        {f"{workspace.seed.name}/{path}": why for path, why in field.unreadable.items()}
    )
    summary.arid.update(field.skipped)
    for rule, n in field.failed.items():
        observer.note(f"{workspace.seed.name}: {n} rewrites of {rule} could not be written and are left out")
    if not field.mutants:
        raise NothingFound(
            f"{workspace.seed.name}: no site of {', '.join(recipe.classes)} in {len(field.files)} files",
            reasons=Counter({**field.skipped, **Counter(field.unreadable.values())}),
        )
    with Laboratory(
        workspace,
        jobs=jobs,
        limits=limits,
        confirm=recipe.confirm,
        searches=recipe.witness,
        notify=observer.note,
    ) as laboratory:
        observer.stage(f"{workspace.seed.name}: {BASELINE}", None)
        base = laboratory.baseline()
        observer.note(
            f"{workspace.seed.name}: {len(base.green)} of {base.collected} tests count; "
            f"a whole run takes {base.seconds:.1f} s"
        )
        harvest = Harvester(laboratory, field, recipe, store, observer=observer).harvest()
        entry = seed_entry(
            laboratory.seed,
            laboratory.baseline(),  # with what the calibration set aside
            python=workspace.python_version,
            packages=workspace.packages,
            sandbox=laboratory.sandbox.tier,
        )
    if not untouched(workspace):
        observer.note(
            f"{workspace.origin} is not what it was at the start: "
            "you changed it, or a test reaches out of its copy"
        )
    return harvest, entry


def survey_recipe(workspace: Workspace, recipe: Recipe, observer: Observer) -> Field:
    """All sites of *recipe*'s classes and controls in a seed."""
    return survey(
        workspace,
        [*recipe.operators, *recipe.preserving],
        faults=recipe.faults,
        globs=recipe.paths,
        keep_arid=recipe.keep_arid,
        observer=observer,
    )


def _count(summary: Summary, harvests: Sequence[Harvest], recipe: Recipe) -> None:
    """Sum up; sites, mutants and outcomes are those of the classes asked for, not of controls beside them."""
    breaking = {each.name for each in recipe.operators if each.claim is Claim.BREAKS}
    for harvest in harvests:
        summary.sites += sum(harvest.sites[name] for name in recipe.classes)
        for (name, outcome), n in harvest.tally.items():
            summary.by_class.setdefault(name, Counter())[outcome] += n
            if name in recipe.classes:
                summary.mutants += n
                summary.outcomes[outcome] += n
            elif outcome != PROVED:
                summary.refused[outcome] += n
            if name in breaking and outcome == PROVED:
                summary.killed += n
        summary.reasons.update(row["reason"] for row in harvest.rejected)
        bad = sum(case.label == "bad" for case in harvest.cases)
        summary.cases += bad
        summary.controls += len(harvest.cases) - bad
        summary.twins += sum(case.twin is not None and case.label == "good" for case in harvest.cases)


def _why_nothing(summary: Summary, folder: Path) -> str:
    if summary.failed_seeds:
        return (
            f"no case: {len(summary.failed_seeds)} seeds could not serve, and nothing was proved in the rest"
        )
    if summary.holes == summary.mutants:
        return (
            f"no case: the suite noticed none of {summary.mutants} mutants; "
            f"`bebug show --survivors --corpus {folder}` lists them"
        )
    return f"no case out of {summary.mutants} mutants"
