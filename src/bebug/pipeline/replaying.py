"""Replaying: the labels of a corpus proved again from the record alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug.corpus import load
from bebug.errors import CorpusError, SeedError, UsageError
from bebug.pipeline.observer import Observer
from bebug.pipeline.reopening import Entry, entries, overrides, reopened
from bebug.pipeline.reproof import Prover
from bebug.records import Case, Ending, digest
from bebug.verification import Laboratory, Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One label that was tried; *why* it is not proved, "" where it is."""

    id: str
    label: str
    defect_class: str
    operator: str
    proof: str
    why: str

    def as_json(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("id", "label", "defect_class", "operator", "proof")},
            "proved": not self.why,
            "why": self.why,
        }


@dataclass(slots=True, kw_only=True)
class Replay:
    """What came of a replay; *total* is the number of cases in the corpus."""

    corpus: str
    total: int
    rows: list[Row] = field(default_factory=list)

    @property
    def unproved(self) -> list[Row]:
        return [row for row in self.rows if row.why]

    def table(self) -> list[tuple[str, str, int, int]]:
        """(label, class or operator, proved, tried), sorted."""
        tried, proved = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for row in self.rows:
            key = row.label, stratum_of(row.defect_class, row.operator)
            tried[key] += 1
            proved[key] += not row.why
        return [(*key, proved[key], n) for key, n in sorted(tried.items())]

    def as_json(self) -> dict[str, Any]:
        """The object that `bebug replay --json` prints."""
        return {
            "corpus": self.corpus,
            "cases": self.total,
            "tried": len(self.rows),
            "proved": len(self.rows) - len(self.unproved),
            "table": [
                {"label": label, "class": name, "proved": proved, "tried": tried}
                for label, name, proved, tried in self.table()
            ],
            "results": [row.as_json() for row in self.rows],
        }


def replay(
    folder: Path,
    *,
    names: Sequence[str] = (),
    sample: int | None = None,
    rng: int = 0,
    seeds: tuple[str, ...] = (),
    python: Path | None = None,
    jobs: int = 1,
    limits: Limits,
    observer: Observer,
) -> Replay:
    """Prove labels of the corpus in *folder* again: those that *names* begin, a *sample*, or all.

    *seeds* are `NAME=SPEC` words: where the tree of a seed is to be had. A seed that cannot serve ends the
    work where it is the only one; among several its cases are told as not proved.
    """
    corpus = load(folder)
    for warning in corpus.warnings:
        observer.note(warning)
    known = entries(corpus.manifest)
    given = overrides(seeds, known)
    chosen = sampled(asked_for(corpus.cases, names), sample, rng)
    if not chosen:
        raise UsageError(f"{folder} holds no case: nothing to prove")
    found = Replay(corpus=str(corpus.manifest.get("name", folder.name)), total=len(corpus.cases))
    for name, cases in by_seed(chosen, known).items():
        try:
            opened = reopened(
                known[name],
                given=given.get(name),
                python=python,
                limits=limits,
                jobs=jobs,
                notify=observer.note,
            )
            with opened as laboratory:
                found.rows += proved(laboratory, known[name], cases, observer)
        except SeedError as error:
            if len(known) == 1:
                raise
            observer.note(f"{name}: {error.message}")
            found.rows += [row_of(case, f"the seed cannot serve: {error.message}") for case in cases]
    found.rows.sort(key=lambda row: row.id)
    return found


def asked_for(cases: Sequence[Case], names: Sequence[str]) -> list[Case]:
    """The cases whose ids are or start with *names*, each of which must mean one; all where there is none."""
    if not names:
        return list(cases)
    found = {}
    for name in names:
        meant = [case for case in cases if case.id == name] or [
            case for case in cases if case.id.startswith(name)
        ]
        if len(meant) != 1:
            raise UsageError(f"{name!r} is the start of {len(meant)} ids of this corpus, and must be of one")
        found[meant[0].id] = meant[0]
    return list(found.values())


def sampled(cases: Sequence[Case], count: int | None, rng: int) -> list[Case]:
    """*count* of *cases*, evenly over label x class (for a good case: over what made it).

    The order of the draw is that of a digest: another case in the corpus changes no other's place.
    """
    if count is None or count >= len(cases):
        return list(cases)
    groups = defaultdict(list)
    for case in cases:
        groups[case.label.value, stratum_of(case.defect_class, case.operator)].append(case)
    ranked = [
        (place, digest(str(rng), case.id), case)
        for group in groups.values()
        for place, case in enumerate(sorted(group, key=lambda case: digest(str(rng), case.id)))
    ]
    return [case for *_, case in sorted(ranked, key=lambda row: row[:2])[:count]]


def stratum_of(defect_class: str, operator: str) -> str:
    """The class of a bad case; a good one has none, and counts by what made it."""
    return operator.partition("/")[0] if defect_class == "none" else defect_class


def by_seed(cases: Iterable[Case], known: dict[str, Entry]) -> dict[str, list[Case]]:
    """*cases* by the name of their seed, twins next to each other: their proofs share runs."""
    groups: dict[str, list[Case]] = {}
    for case in sorted(cases, key=lambda case: (min(case.id, case.twin or case.id), case.id)):
        name = str(case.seed.get("name"))
        if name not in known or case.seed.get("sha256") != known[name]["sha256"]:
            raise CorpusError(f"{case.id}: its seed {name!r} is not one that the manifest names")
        groups.setdefault(name, []).append(case)
    return dict(sorted(groups.items()))


def proved(laboratory: Laboratory, entry: Entry, cases: Sequence[Case], observer: Observer) -> list[Row]:
    """A row for each of *cases*, proved as many at a time as the laboratory has jobs."""
    prover = Prover(laboratory, entry["set_aside"])
    observer.stage(f"{entry['name']}: the untouched seed", None)
    base = prover.report({})
    if base.ending is not Ending.FINISHED or not base.passed:
        raise SeedError(
            f"{entry['name']}: the untouched suite does not pass ({base.ending}, {len(base.passed)} tests "
            f"passed): see `bebug seeds check {entry['name']}`"
        )
    laboratory.runner.slowest = base.seconds
    observer.stage(f"{entry['name']}: replay", len(cases))

    def tried(case: Case) -> Row:
        row = row_of(case, prover.fault(case) or "")
        if row.why:
            observer.note(f"not proved: {row.id} {row.label} {row.operator}: {row.why}")
        observer.step("not proved" if row.why else "proved")
        return row

    with ThreadPoolExecutor(laboratory.jobs) as pool:
        try:
            return list(pool.map(tried, cases))
        except BaseException:
            laboratory.close()  # ends the runs under way, for which the pool would wait
            pool.shutdown(cancel_futures=True)
            raise


def row_of(case: Case, why: str) -> Row:
    return Row(
        id=case.id,
        label=case.label.value,
        defect_class=case.defect_class,
        operator=case.operator,
        proof=str(case.evidence.get("proof", "")),
        why=why,
    )
