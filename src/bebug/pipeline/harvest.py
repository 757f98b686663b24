"""One seed's harvest: its mutants proved in the order of the draw, and the proven ones made cases."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

from bebug import __version__
from bebug.corpus.cases import paired, planted, preserved, rejected, repaired
from bebug.corpus.store import Store
from bebug.errors import SeedError
from bebug.mutation.diffs import spans, unified
from bebug.pipeline.mining import Field, drawn
from bebug.pipeline.observer import Observer
from bebug.pipeline.recipe import Recipe
from bebug.pipeline.screening import unfit
from bebug.records import Case, Claim, Evidence, Label, Mutant, Seed, Status, digest
from bebug.registry import load
from bebug.verification import Candidate, Laboratory


@dataclass(slots=True)
class Harvest:
    """What came of one seed. *sites* and *tally* count by class; *tally* by status too."""

    seed: Seed
    cases: list[Case] = field(default_factory=list)
    rejected: list[dict[str, Any]] = field(default_factory=list)  # rows of rejected.jsonl
    tally: Counter[tuple[str, str]] = field(default_factory=Counter)  # (class, status) → n
    sites: Counter[str] = field(default_factory=Counter)


class Harvester:
    """Proves a field's mutants, as many at once as the laboratory bears; the result does not depend on it."""

    def __init__(
        self,
        laboratory: Laboratory,
        field: Field,
        recipe: Recipe,
        store: Store,
        *,
        observer: Observer,
    ) -> None:
        self.laboratory, self.field, self.recipe, self.store = laboratory, field, recipe, store
        self.observer = observer
        self.oracles = {oracle.claim: oracle for oracle in load("oracles").values()}
        self.unfit: dict[str, Evidence] = {}
        self.environment = ""

    def harvest(self) -> Harvest:
        """Calibrate the instrument, prove, and make cases.

        Raises `SeedError` where the untouched seed no longer passes afterwards: its tests leave something
        behind outside their copy, and a label may be due to what another mutant left.
        """
        self.laboratory.crowd()
        self.laboratory.calibrate(sorted({mutant.site.path for mutant in self.field.mutants}))
        seed = self.laboratory.seed
        self.environment = self._environment()
        self.unfit = unfit(self.laboratory, self.field.mutants)
        found = Harvest(seed=seed)
        for operator in self.recipe.operators:
            self._plant(operator.name, found)
        self._add_controls(found)
        if wrong := self.laboratory.disturbed():
            self.store.forget(self.environment)
            raise SeedError(
                f"{seed.name}: {wrong[0]} fails on the untouched seed after mutants ran, though it passed "
                "before: tests leave something behind outside their copy (a file, a lock, a server); "
                "no label of this run is kept"
            )
        return found

    def _environment(self) -> str:
        """A digest of all that an old result must share with a new one to stand for it."""
        laboratory = self.laboratory
        workspace = laboratory.workspace
        return digest(
            __version__,
            repr(laboratory.seed),
            repr(laboratory.limits),
            workspace.python_version,
            "\n".join(workspace.packages),
            "\n".join(sorted(laboratory.set_aside)),
            "\n".join(sorted(laboratory.source_readers)),
        )

    # ------------------------------------------------------------------------------------------- claims

    def _plant(self, name: str, found: Harvest) -> None:
        """Prove the mutants of one class: a proven one gives a bad case and, unless spoilt, its twin."""
        for mutant, evidence, bad in self._made(name, found, planted, self.recipe.limit):
            if self.recipe.controls and not evidence.gained:
                reverse = unified(mutant.site.path, self._after(mutant), self._before(mutant))
                good = repaired(bad, diff=reverse, span=self._span(mutant, back=True))
                found.cases += [paired(bad, good), good]
            else:
                found.cases.append(bad)

    def _add_controls(self, found: Harvest) -> None:
        """Prove preserving changes: those asked for by name, else one for every two bad cases."""
        controls = self.recipe.preserving
        named = any(control.name in self.recipe.classes for control in controls)
        bad = sum(case.label is Label.BAD for case in found.cases)
        for control in controls:
            target = self.recipe.limit if named else math.ceil(bad / (2 * len(controls)))
            found.cases += [case for _, _, case in self._made(control.name, found, preserved, target)]

    def _made(
        self, name: str, found: Harvest, make: Callable[..., Case], target: int | None
    ) -> Iterator[tuple[Mutant, Evidence, Case]]:
        """The first *target* cases (None: all) that mutants of *name* make, in the order of the draw."""
        mutants = self.field.of(name)
        starts = {(mutant.site.path, mutant.site.rule, mutant.edits[0].start) for mutant in mutants}
        found.sites[name] = len(starts)
        self.observer.stage(f"{found.seed.name}: {name}", min(len(mutants), target or len(mutants)))
        kept = 0
        with closing(self._proved(drawn(mutants, self.recipe.rng))) as proved:
            while kept != target and (pair := next(proved, None)) is not None:
                mutant, evidence = pair
                case = self._case(mutant, evidence, found, make)
                if case is not None:
                    kept += 1
                    yield mutant, evidence, case

    # ------------------------------------------------------------------------------------------ proving

    def _proved(self, mutants: Sequence[Mutant]) -> Generator[tuple[Mutant, Evidence]]:
        """Each mutant with what was found, in the order given.

        A few are always under way ahead of the one that is handed out. Where the taker stops, what they find
        is dropped (the journal keeps it), so that the outcome is that of one worker.
        """
        ahead: deque[tuple[Mutant, Future[Evidence]]] = deque()
        waiting = iter(mutants)
        jobs = self.laboratory.jobs
        with ThreadPoolExecutor(jobs) as pool:
            try:
                while True:
                    for mutant in islice(waiting, 2 * jobs - len(ahead)):
                        ahead.append((mutant, pool.submit(self._examine, mutant)))
                    if not ahead:
                        return
                    mutant, future = ahead.popleft()
                    evidence = future.result()
                    self.observer.step("proved" if evidence.proof else evidence.status.value)
                    yield mutant, evidence
            except KeyboardInterrupt:
                self.laboratory.close()  # ends the runs under way, for which the pool would wait
                raise
            finally:
                for _, future in ahead:
                    future.cancel()

    def _examine(self, mutant: Mutant) -> Evidence:
        if (idle := self.laboratory.idle(mutant.site.path)) is not None:
            return Evidence(status=Status.NO_TESTS, detail=idle.reason)
        if mutant.key in self.unfit:
            return self.unfit[mutant.key]
        key = digest(self.laboratory.seed.name, mutant.key)
        if (known := self.store.recall(key, self.environment)) is not None:
            return evidence_of(known)
        candidate = Candidate(
            path=mutant.site.path,
            before=self._before(mutant),
            after=self._after(mutant),
            lines=(mutant.site.start_line, mutant.site.end_line),
        )
        evidence: Evidence = self.oracles[mutant.claim].examine(self.laboratory, candidate)
        self.store.remember(key, self.environment, evidence_row(evidence))
        return evidence

    # -------------------------------------------------------------------------------------------- cases

    def _case(
        self, mutant: Mutant, evidence: Evidence, found: Harvest, make: Callable[..., Case]
    ) -> Case | None:
        """The case that *mutant* makes where its claim held; else it is entered among the rejected."""
        diff = unified(mutant.site.path, self._before(mutant), self._after(mutant))
        found.tally[mutant.site.operator, evidence.status.value] += 1
        reason = evidence.status.value
        if evidence.proof is not None:
            if self.laboratory.reverts(diff):
                return make(found.seed, mutant, evidence, diff=diff, span=self._span(mutant))
            reason = "does_not_apply"
        elif mutant.claim is Claim.PRESERVES and evidence.status is Status.KILLED:
            reason = "refuted"
        elif evidence.status is Status.KILLED:
            reason = "unproved"
        found.rejected.append({**rejected(found.seed, mutant, evidence, diff=diff), "reason": reason})
        return None

    def _before(self, mutant: Mutant) -> bytes:
        return self.laboratory.read(mutant.site.path)

    def _after(self, mutant: Mutant) -> bytes:
        return mutant.apply(self._before(mutant))

    def _span(self, mutant: Mutant, *, back: bool = False) -> tuple[int, int]:
        old, new = spans(self._before(mutant), self._after(mutant))
        span = old if back else new
        return span.start_line, span.end_line


def evidence_row(evidence: Evidence) -> dict[str, Any]:
    """*evidence* as the journal keeps it."""
    return asdict(evidence)


def evidence_of(row: dict[str, Any]) -> Evidence:
    """The evidence that the journal kept as *row*."""
    return Evidence(**{**row, "status": Status(row["status"]), "gained": tuple(row["gained"])})
