"""The detection-loss oracle: a test is weaker where a fault that it noticed goes unnoticed afterwards.

The suite is green on both sides of such a change, so that running it proves nothing. What proves it is a
fault in the source that, of all tests, only the ones at hand notice: with the change, nothing notices it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bebug.errors import UsageError
from bebug.records import Claim, Evidence, Failure, Files, Mutant, Outcome, Run, Status
from bebug.verification.candidate import Weakening
from bebug.verification.cold import Shot
from bebug.verification.events import Hit
from bebug.verification.forks import HOT, key_of
from bebug.verification.matrix import Gallery, Matrix, made_from
from bebug.verification.oracles._whole import differ
from bebug.verification.verdicts import Judged, judge

TRIED = 24  # faults that one weakened test is tried with
PROVED = 3  # of those that it misses, how many whole runs may be asked about
STRIPPED = 40  # faults that a stripped test must not notice any more, but by a crash
KILLED, SURVIVED = "killed", "survived"  # of a hit
ASSERTING = frozenset(("AssertionError", "Failed", "Exit"))


class Range(Gallery, Protocol):
    """A bench with faults to shoot with."""

    @property
    def faults(self) -> Matrix: ...


class DetectionLoss:
    """Examines candidates that are claimed to weaken a test."""

    claim = Claim.WEAKENS

    def examine(self, laboratory: Range, candidate: Weakening) -> Evidence:
        """Evidence with a `proof` of kind `detection-loss`, or the status and why there is none."""
        return Trial(laboratory, candidate).held()

    def prepare(self, laboratory: Range, candidates: Sequence[Weakening]) -> None:
        """Ask about all of *candidates* in one session; `examine` then finds the answers there."""
        trials = (Trial(laboratory, each) for each in candidates)
        laboratory.faults.shoot([shot for trial in trials for shot in trial.first_shots()])


@dataclass
class Trial:
    """One weakened test before the faults that it might have noticed."""

    bench: Range
    weak: Weakening
    seconds: float = 0.0
    tiers: tuple[str, ...] = ()
    greens: tuple[Run, ...] = ()  # whole runs with the change

    def __post_init__(self) -> None:
        base, weak = self.bench.current, self.weak
        here = made_from(base.places, weak.original, weak.path, weak.line)
        self.target = tuple(test for test in base.green if test in here)
        self.salt = f"{weak.path}:{weak.line}"
        lone = not set(base.order_dependent) & here
        self.selected = self.target if lone else None  # what runs where only these tests matter
        self.trusting = not self.bench.confirms(self.after())  # that forked runs confirm each other

    def held(self) -> Evidence:
        codes = self.bench.compile(self.weak.path, [self.weak.original, self.weak.base, self.weak.after])
        if None in codes:
            return self.verdict(Status.UNVIABLE, "the change does not compile on the seed's interpreter")
        if codes[0] == codes[2]:
            return self.verdict(Status.EQUIVALENT, "the change compiles to the same code")
        if not self.target:
            return self.verdict(Status.NO_TESTS, "no test that counts is made from this function")
        alone = self.alone()
        if not alone:
            return self.verdict(Status.SURVIVED, "no fault is known that this test alone notices")
        return self.shot_at(alone)

    def alone(self) -> list[Mutant]:
        """The faults to try: those that the tests at hand alone notice, and not by reading the source."""
        faults, readers = self.bench.faults, set(self.bench.source_readers)
        found = faults.alone(self.target, self.salt)
        return [fault for fault in found if not readers.issuperset(faults.row(fault).killers)][:TRIED]

    def overlays(self, faults: Sequence[Mutant]) -> list[Files]:
        return [self.after(), *({**self.bench.faults.planted(each), **self.after()} for each in faults)]

    def shot_at(self, faults: Sequence[Mutant]) -> Evidence:
        """Try *faults*, many in one session; the first that whole runs confirm proves the loss."""
        unharmed, *hits = self.hits(self.overlays(faults))
        if unharmed.status == KILLED:
            test = unharmed.failures[0].test
            return self.verdict(Status.KILLED, f"{test} does not pass with the change: not weaker but broken")
        missed = [fault for fault, hit in zip(faults, hits, strict=True) if hit.status == SURVIVED]
        why = f"{len(faults)} faults that this test alone notices, and with the change it still does"
        for fault in missed[:PROVED]:
            proof = self.proof(fault)
            if isinstance(proof, str):
                why = proof
                continue
            still = self.still_killed() if self.weak.adds else 0
            if isinstance(still, str):
                return self.verdict(Status.SURVIVED, still)
            proof = {**proof, "still_killed": still}
            return Evidence(status=Status.SURVIVED, proof=proof, seconds=self.seconds, tiers=self.tiers)
        return self.verdict(Status.SURVIVED, f"no fault shows a loss: {why}")

    def hits(self, overlays: Sequence[Files]) -> list[Hit]:
        """What the tests at hand say over each of *overlays*: in one session, else in a run of its own."""
        shots = self.shots(overlays)
        found = self.bench.faults.shoot(shots)
        if any(hit is not None for hit in found):
            self.tiers += (HOT,)
        return [
            hit if hit is not None else self.cold(shot.overlay)
            for shot, hit in zip(shots, found, strict=True)
        ]

    def shots(self, overlays: Sequence[Files]) -> list[Shot]:
        patience = self.bench.faults.patience(self.target)
        return [
            Shot(key=key_of(overlay), overlay=overlay, tests=self.target, **patience) for overlay in overlays
        ]

    def first_shots(self) -> list[Shot]:
        """What `held` will ask first, so that many weakened tests can be asked about at once."""
        faults = self.alone()
        return self.shots(self.overlays(faults)) if faults else []

    def cold(self, overlay: Files) -> Hit:
        run = self.run(overlay, self.selected, warm=True)
        wrong = self.unhappy(run, self.target)
        failures = tuple(failure for failure in run.failures if failure.test in wrong)
        return Hit(KILLED if wrong else SURVIVED, failures or tuple(map(nameless, wrong)))

    # ------------------------------------------------------------------------------------------------- proof

    def proof(self, fault: Mutant) -> dict[str, Any] | str:
        """The proof that whole runs give, or what speaks against it."""
        caught = self.bench.faults.whole(fault)
        if differ(*caught) or caught[0].status is not Status.KILLED or caught[0].lost:
            return "whole runs with the fault alone do not agree"
        if not set(caught[0].fail_to_pass) <= set(self.target):
            return "in a whole run other tests notice the fault too"
        return self.green_twice() or self.missed_twice(fault) or self.row(fault, caught[0])

    def green_twice(self) -> str:
        """Why the seed is not green with the change; "" where it is, in two runs."""
        self.greens = (self.run(self.after(), warm=True), self.run(self.after(), warm=self.trusting))
        for run in self.greens:
            found = judge(self.bench.current, run)
            if found.status is not Status.SURVIVED:
                return f"the suite is not green with the change: {found.status}"
        return ""

    def missed_twice(self, fault: Mutant) -> str:
        """Why the fault is still noticed with the change, or without the test at all; "" where it is not."""
        planted = self.bench.faults.planted(fault)
        passed = passed_in(*self.greens)
        for warm in (True, self.trusting):
            if found := self.unhappy(self.run({**planted, **self.after()}, warm=warm), passed):
                return f"{found[0]} still notices the fault"
        if not self.weak.adds:
            return ""
        base = {self.weak.path: self.weak.base}
        bare = self.run(base, warm=self.trusting)
        if judge(self.bench.current, bare, green=self.others()).status is not Status.SURVIVED:
            return "without the test the suite is not green"
        if set(bare.outcomes) & set(self.target):
            return "without the test another one takes its name"
        passed = passed_in(bare)
        for warm in (True, self.trusting):
            if found := self.unhappy(self.run({**planted, **base}, warm=warm), passed):
                return f"{found[0]} notices the fault without the test"
        return ""

    def row(self, fault: Mutant, caught: Judged) -> dict[str, Any]:
        return {
            "proof": "detection-loss",
            "fault": {
                "diff": self.bench.faults.patch(fault),
                "operator": f"{fault.site.operator}/{fault.site.rule}",
                "path": fault.site.path,
                "line": fault.site.start_line,
            },
            "killed_by": sorted(caught.fail_to_pass),
            "reference_diff": "",
            "removed_tests": [],
        }

    def still_killed(self) -> int | str:
        """How many faults the stripped test notices by a crash; a reason where it is by an assertion."""
        faults = self.bench.faults.noticed(self.target, self.salt)[:STRIPPED]
        hits = self.hits([{**self.bench.faults.planted(each), **self.after()} for each in faults])
        if any(self.asserted(failure) for hit in hits for failure in hit.failures):
            return "something in it still asserts: a helper, a fixture or its teardown"
        return sum(hit.status != SURVIVED for hit in hits)

    def asserted(self, failure: Failure) -> bool:
        """Whether *failure* is by an assertion, or may be: whose it is cannot be told for certain.

        A `raise` that stands in a test or in a helper of tests asserts, whatever it raises.
        """
        if failure.exception in ASSERTING or not failure.exception:
            return True
        path, _, line = failure.frame.partition(" in ")[0].rpartition(":")
        if not path or path in self.bench.faults.files:
            return False
        try:
            source = self.after().get(path) or self.bench.read(path)
        except UsageError:  # a file that the tests have made
            return True
        return raises_at(source, int(line))

    # ------------------------------------------------------------------------------------------------- tools

    def after(self) -> Files:
        return {self.weak.path: self.weak.after}

    def others(self) -> tuple[str, ...]:
        gone = set(self.target)
        return tuple(test for test in self.bench.current.green if test not in gone)

    def run(self, overlay: Files, tests: tuple[str, ...] | None = None, *, warm: bool = False) -> Run:
        run = self.bench.run(overlay, tests=tests, warm=warm)
        self.seconds += run.seconds
        self.tiers += (run.tier,)
        return run

    def unhappy(self, run: Run, tests: Collection[str]) -> list[str]:
        """Those of *tests* that do not pass in *run*; all of them where it did not end as it should."""
        found = judge(self.bench.current, run, green=tuple(tests))
        if found.status in (Status.SURVIVED, Status.KILLED, Status.LOST):
            return [*found.fail_to_pass, *found.lost]
        return list(tests)

    def verdict(self, status: Status, detail: str) -> Evidence:
        return Evidence(status=status, detail=detail, seconds=self.seconds, tiers=self.tiers)


def passed_in(*runs: Run) -> list[str]:
    """The tests that passed in each of *runs*, set aside or not."""
    first = runs[0].outcomes
    return [test for test in first if all(run.outcomes.get(test) is Outcome.PASSED for run in runs)]


def nameless(test: str) -> Failure:
    return Failure(test=test, exception="", message="", frame="")


def raises_at(source: bytes, line: int) -> bool:
    """Whether a `raise` statement stands at *line* of *source*; a file that cannot be read may hold one."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return True
    found = (each for each in ast.walk(tree) if isinstance(each, ast.Raise))
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in found)


oracle = DetectionLoss()
