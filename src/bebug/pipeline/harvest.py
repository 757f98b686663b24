"""One seed's harvest: its mutants proved in the order of the draw, and the proven ones made cases."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

from bebug import __version__
from bebug.corpus.cases import paired, planted, preserved, rejected, repaired, strengthened, weakened
from bebug.corpus.journal import Journal
from bebug.corpus.rows import stored
from bebug.corpus.store import Store
from bebug.errors import SeedError
from bebug.mutation.diffs import unified
from bebug.mutation.operator import Operator
from bebug.pipeline.drafts import Draft, candidate, drafted
from bebug.pipeline.mining import Field, drawn
from bebug.pipeline.observer import Observer
from bebug.pipeline.recipe import Recipe
from bebug.pipeline.screening import unfit
from bebug.records import Case, Claim, Evidence, Label, Mutant, Seed, Status, digest
from bebug.registry import load
from bebug.seeds import shelf
from bebug.verification import Laboratory
from bebug.verification.forks import COLD
from bebug.verification.witness import DICE, EXAMPLES

SESSIONS = 2  # in which forks are asked about a batch, whatever the number of workers
TOGETHER = {Claim.WEAKENS: (12, 12), Claim.BREAKS: (20, 200)}  # mutants to a session: some wanted, or all
BELOW = "below_tier"  # a control whose evidence is less than is asked for
UNPROVED = "unproved_by_tests"  # a fault that an input shows, and no test notices
PROVED = "proved"  # the outcome of a mutant that became a case
TRIED = {
    Status.KILLED.value: "noticed",
    Status.SURVIVED.value: "not noticed",
    COLD: "to be asked in runs of their own",
}


@dataclass(slots=True)
class Harvest:
    """What came of one seed. *sites* counts by class; *tally* by class and what became of each mutant tried.

    That is `PROVED`, where a case was made, else the reason why there is none: the parts sum to the mutants.
    """

    seed: Seed
    cases: list[Case] = field(default_factory=list)
    rejected: list[dict[str, Any]] = field(default_factory=list)  # rows of rejected.jsonl
    tally: Counter[tuple[str, str]] = field(default_factory=Counter)  # (class, outcome) → n
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
        self._calibrate()
        self.environment = self._environment()
        self.unfit = unfit(self.laboratory, self.field.mutants)
        self.laboratory.forking()
        doubts = None
        while doubts != self.laboratory.doubts:  # a doubt is known late, and when must not matter: once more
            if doubts is not None:
                self.store.forget(self.environment)
            doubts = self.laboratory.doubts
            found = self._gathered()
        if wrong := self.laboratory.disturbed():
            self.store.forget(self.environment)
            raise SeedError(
                f"{found.seed.name}: {wrong[0]} fails on the untouched seed after mutants ran, though it "
                "passed before: tests leave something behind outside their copy (a file, a lock, a server); "
                "no label of this run is kept"
            )
        return found

    def _calibrate(self) -> None:
        name = self.laboratory.seed.name
        remark = "in each file an edit that tests must notice, and comments that they must not"
        self.observer.stage(f"{name}: calibration ({remark})", None)
        self.laboratory.crowd()
        self.laboratory.calibrate(self.field.sources)

    def _gathered(self) -> Harvest:
        found = Harvest(seed=self.laboratory.seed)
        weakening = [each for each in self.recipe.operators if each.claim is Claim.WEAKENS]
        for operator in self.recipe.operators:  # source first: weakened tests wait long for the matrix
            if operator not in weakening:
                self._plant(operator, found)
        if weakening:
            with self._armed():
                for operator in weakening:
                    self._plant(operator, found)
        self._add_controls(found)
        return found

    def _environment(self) -> str:
        """A digest of all that an old result must share with a new one to stand for it."""
        laboratory = self.laboratory
        workspace = laboratory.workspace
        return digest(
            __version__,
            repr(laboratory.seed),
            repr(laboratory.limits),
            laboratory.confirm,
            repr((laboratory.searches, EXAMPLES, DICE)),
            workspace.python_version,
            "\n".join(workspace.packages),
            "\n".join(sorted(laboratory.set_aside)),
            "\n".join(sorted(laboratory.source_readers)),
        )

    @contextmanager
    def _armed(self) -> Iterator[None]:
        """The laboratory with a kill matrix of the field's faults, kept where the next run finds it."""
        rows = Journal(shelf(self.laboratory.workspace) / "kills.sqlite", {"rows": 4})
        try:
            self.laboratory.arm(
                self.field.faults, shelf=rows, environment=self.environment, patch=self._fault_patch
            )
            self._fill()
            yield
        finally:
            rows.close()

    def _fill(self) -> None:
        """Try the faults by which a weakened test is told, and say how each went in words of `TRIED`."""
        name, faults = self.laboratory.seed.name, self.laboratory.faults
        self.observer.stage(f"{name}: coverage (which test reaches which line)", None)
        total = faults.fillable
        self.observer.stage(f"{name}: kill matrix (which tests notice which fault)", total)
        faults.fill(self.laboratory.jobs, lambda word: self.observer.step(TRIED.get(word, word)))

    def _fault_patch(self, fault: Mutant) -> Any:
        before = self.laboratory.read(fault.site.path)
        return stored(unified(fault.site.path, before, fault.apply(before)))

    # ------------------------------------------------------------------------------------------- claims

    def _plant(self, operator: Operator, found: Harvest) -> None:
        """Prove the mutants of one class: a proven one gives a bad case and, unless spoilt, its twin."""
        weakens = operator.claim is Claim.WEAKENS
        make, mend = (weakened, strengthened) if weakens else (planted, repaired)
        for evidence, draft, bad in self._made(operator.name, found, make, self.recipe.limit):
            if self.recipe.controls and not evidence.gained and bad.evidence["proof"] != "witness":
                twin = draft.twin
                good = mend(bad, base_patch=twin.base_patch, diff=twin.diff, span=twin.span)
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
            found.cases += [case for *_, case in self._made(control.name, found, preserved, target)]

    def _made(
        self, name: str, found: Harvest, make: Callable[..., Case], target: int | None
    ) -> Iterator[tuple[Evidence, Draft, Case]]:
        """The first *target* cases (None: all) that mutants of *name* make, in the order of the draw."""
        mutants = self.field.of(name)
        starts = {(mutant.site.path, mutant.site.rule, mutant.edits[0].start) for mutant in mutants}
        found.sites[name] = len(starts)
        if target is not None and target < len(mutants):
            self.observer.stage(
                f"{found.seed.name}: {name} (until {target} {'is' if target == 1 else 'are'} proved)", None
            )
        else:
            self.observer.stage(f"{found.seed.name}: {name}", len(mutants))
        kept = 0
        with closing(self._in_order(drawn(mutants, self.recipe.rng), every=target is None)) as proved:
            while kept != target and (pair := next(proved, None)) is not None:
                mutant, evidence = pair
                made = self._case(mutant, evidence, found, make)
                if made is not None:
                    kept += 1
                    yield evidence, *made

    # ------------------------------------------------------------------------------------------ proving

    def _in_order(self, mutants: Sequence[Mutant], *, every: bool) -> Generator[tuple[Mutant, Evidence]]:
        """`_proved`, with forks asked about many at once before each is proved by itself."""
        asking = bool(mutants) and mutants[0].claim in TOGETHER
        step = SESSIONS * TOGETHER[mutants[0].claim][every] if asking else max(1, len(mutants))
        for at in range(0, len(mutants), step):
            batch = mutants[at : at + step]
            if asking:
                with ThreadPoolExecutor(self.laboratory.jobs) as pool:
                    list(pool.map(self._prepare, [batch[number::SESSIONS] for number in range(SESSIONS)]))
            yield from self._proved(batch)

    def _prepare(self, mutants: Sequence[Mutant]) -> None:
        fresh = [mutant for mutant in mutants if self._known(mutant) is None]
        drafts = [(mutant, drafted(self.laboratory, mutant)) for mutant in fresh]
        asked = [
            candidate(mutant, draft, self.recipe.faults) for mutant, draft in drafts if draft is not None
        ]
        if asked:
            self.oracles[fresh[0].claim].prepare(self.laboratory, asked)

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
                    self.observer.step(
                        outcome_of(mutant.claim, evidence, self.recipe.control_tier).replace("_", " ")
                    )
                    yield mutant, evidence
            except KeyboardInterrupt:
                self.laboratory.close()  # ends the runs under way, for which the pool would wait
                raise
            finally:
                for _, future in ahead:
                    future.cancel()

    def _examine(self, mutant: Mutant) -> Evidence:
        if (known := self._known(mutant)) is not None:
            return known
        draft = drafted(self.laboratory, mutant)
        if draft is None:
            return Evidence(status=Status.NOT_APPLICABLE, detail="without the test, another takes its name")
        oracle = self.oracles[mutant.claim]
        evidence: Evidence = oracle.examine(self.laboratory, candidate(mutant, draft, self.recipe.faults))
        self.store.remember(self._key(mutant), self.environment, evidence_row(evidence))
        return evidence

    def _known(self, mutant: Mutant) -> Evidence | None:
        """What is known of *mutant* without any run."""
        if (idle := self.laboratory.idle(mutant.site.path)) is not None:
            return Evidence(status=Status.NO_TESTS, detail=idle.reason)
        if mutant.key in self.unfit:
            return self.unfit[mutant.key]
        row = self.store.recall(self._key(mutant), self.environment)
        return None if row is None else evidence_of(row)

    def _key(self, mutant: Mutant) -> str:
        return digest(self.laboratory.seed.name, mutant.key)

    # -------------------------------------------------------------------------------------------- cases

    def _case(
        self, mutant: Mutant, evidence: Evidence, found: Harvest, make: Callable[..., Case]
    ) -> tuple[Draft, Case] | None:
        """What *mutant* makes where its claim held; else it is entered among the rejected."""
        draft = drafted(self.laboratory, mutant)
        evidence = self._accepted(evidence)
        reason = reason_of(mutant.claim, evidence, self.recipe.control_tier)
        if draft is not None and evidence.proof is not None and reason != BELOW:
            patch = draft.patch
            base = {draft.path: draft.after if draft.undone else draft.base}
            if draft.adds:
                evidence = with_reference(evidence, stored(draft.twin.diff))
            if self.laboratory.reverts(patch.diff, base):
                case = make(
                    found.seed,
                    mutant,
                    evidence,
                    base_patch=patch.base_patch,
                    diff=patch.diff,
                    span=patch.span,
                )
                found.tally[mutant.site.operator, PROVED] += 1
                return draft, case
            reason = "does_not_apply"
        found.tally[mutant.site.operator, reason] += 1
        diff = draft.patch.diff if draft is not None else b""
        found.rejected.append({**rejected(found.seed, mutant, evidence, diff=diff), "reason": reason})
        return None

    def _accepted(self, evidence: Evidence) -> Evidence:
        """*evidence* of a change that no test notices, as a proof where a witness is accepted as one."""
        shown = evidence.proof is None and evidence.status is Status.SURVIVED and evidence.witness is not None
        if not shown or "witness" not in self.recipe.accept:
            return evidence
        return replace(evidence, proof={"proof": "witness", "witness": evidence.witness})


def with_reference(evidence: Evidence, diff: Any) -> Evidence:
    """*evidence* of a change that adds a test, with the *diff* that adds it with its assertions."""
    return replace(evidence, proof={**(evidence.proof or {}), "reference_diff": diff})


def outcome_of(claim: Claim, evidence: Evidence, control_tier: str) -> str:
    """What became of a mutant, in a word: `PROVED`, or why not."""
    reason = reason_of(claim, evidence, control_tier)
    return PROVED if evidence.proof is not None and reason != BELOW else reason


def reason_of(claim: Claim, evidence: Evidence, control_tier: str) -> str:
    """Why there is no case, in a word."""
    if claim is Claim.PRESERVES and evidence.proof is not None and evidence.proof["tier"] < control_tier:
        return BELOW
    if claim is Claim.BREAKS and evidence.status is Status.SURVIVED and evidence.witness is not None:
        return UNPROVED
    if claim is Claim.PRESERVES and evidence.status is Status.KILLED:
        return "refuted"
    if claim is Claim.WEAKENS:
        words = {Status.SURVIVED: "no_loss_shown", Status.KILLED: "not_green"}
        return words.get(evidence.status, evidence.status.value)
    return "unproved" if evidence.status is Status.KILLED else evidence.status.value


def evidence_row(evidence: Evidence) -> dict[str, Any]:
    """*evidence* as the journal keeps it."""
    return asdict(evidence)


def evidence_of(row: dict[str, Any]) -> Evidence:
    """The evidence that the journal kept as *row*."""
    listed = {name: tuple(row[name]) for name in ("gained", "tiers")}
    return Evidence(**{**row, **listed, "status": Status(row["status"])})
