"""The detection-loss oracle: a test is weaker where a fault that it noticed goes unnoticed afterwards.

The suite is green on both sides of such a change, so that running it proves nothing. What proves it is a
fault in the source that, of all tests, only the ones at hand notice: with the change, nothing notices it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from bebug.records import Claim, Evidence, Files, Mutant, Outcome, Run, Status
from bebug.verification.candidate import Weakening
from bebug.verification.matrix import Matrix, made_from
from bebug.verification.oracles._whole import Bench, differ
from bebug.verification.verdicts import FAILING, Judged, judge

TRIED = 40  # faults aimed at one test before it is given up
STRIPPED = 8  # faults that a stripped test must not notice any more, but by a crash
ASSERTING = frozenset(("AssertionError", "Failed", "Exit"))


class Range(Bench, Protocol):
    """A bench with faults to shoot with."""

    @property
    def faults(self) -> Matrix: ...


class DetectionLoss:
    """Examines candidates that are claimed to weaken a test."""

    claim = Claim.WEAKENS

    def examine(self, laboratory: Range, candidate: Weakening) -> Evidence:
        """Evidence with a `proof` of kind `detection-loss`, or the status and why there is none."""
        return Trial(laboratory, candidate).held()


@dataclass
class Trial:
    """One weakened test before the faults that it might have noticed."""

    bench: Range
    weak: Weakening
    seconds: float = 0.0
    greens: tuple[Run, ...] = ()  # whole runs with the change

    def __post_init__(self) -> None:
        base, weak = self.bench.current, self.weak
        here = made_from(base.places, weak.original, weak.path, weak.line)
        self.target = tuple(test for test in base.green if test in here)
        lone = not set(base.order_dependent) & here
        self.selected = self.target if lone else None  # what runs where only these tests matter

    def held(self) -> Evidence:
        codes = self.bench.compile(self.weak.path, [self.weak.original, self.weak.base, self.weak.after])
        if None in codes:
            return self.verdict(Status.UNVIABLE, "the change does not compile on the seed's interpreter")
        if codes[0] == codes[2]:
            return self.verdict(Status.EQUIVALENT, "the change compiles to the same code")
        if not self.target:
            return self.verdict(Status.NO_TESTS, "no test that counts is made from this function")
        return self.shot_at()

    def shot_at(self) -> Evidence:
        """Try the faults one by one; the first that shows the loss proves it."""
        aimed = self.bench.faults.aimed_at(self.target, f"{self.weak.path}:{self.weak.line}")[:TRIED]
        alone, why = 0, ""
        for number, fault in enumerate(aimed):
            if not self.is_alone(fault):
                continue
            alone += 1
            if alone == 1 and (broken := self.unhappy(self.run(self.after(), self.selected), self.target)):
                detail = f"{broken[0]} does not pass with the change: it is not weaker but broken"
                return self.verdict(Status.KILLED, detail)
            with_fault = {**self.bench.faults.planted(fault), **self.after()}
            if self.unhappy(self.run(with_fault, self.selected), self.target):
                continue
            proof = self.proof(fault)
            if isinstance(proof, str):
                why = proof
                continue
            still = self.still_killed(aimed[: max(STRIPPED, number + 1)]) if self.weak.adds else 0
            if isinstance(still, str):
                return self.verdict(Status.SURVIVED, still)
            return Evidence(
                status=Status.SURVIVED, proof={**proof, "still_killed": still}, seconds=self.seconds
            )
        told = f"; {why}" if why else ""
        return self.verdict(
            Status.SURVIVED,
            f"no fault shows a loss: {len(aimed)} tried, {alone} of them noticed by this test alone{told}",
        )

    def is_alone(self, fault: Mutant) -> bool:
        """Whether, of all tests, only those at hand notice *fault*, and not by reading the source."""
        row = self.bench.faults.row(fault)
        if row.status is not Status.KILLED or not set(row.killers) <= set(self.target):
            return False
        return not set(row.killers) <= set(self.bench.source_readers)

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
        self.greens = (self.run(self.after()), self.run(self.after()))
        for run in self.greens:
            found = judge(self.bench.current, run)
            if found.status is not Status.SURVIVED:
                return f"the suite is not green with the change: {found.status}"
        return ""

    def missed_twice(self, fault: Mutant) -> str:
        """Why the fault is still noticed with the change, or without the test at all; "" where it is not."""
        planted = self.bench.faults.planted(fault)
        passed = passed_in(*self.greens)
        for _ in range(2):
            if found := self.unhappy(self.run({**planted, **self.after()}), passed):
                return f"{found[0]} still notices the fault"
        if not self.weak.adds:
            return ""
        base = {self.weak.path: self.weak.base}
        bare = self.run(base)
        if judge(self.bench.current, bare, green=self.others()).status is not Status.SURVIVED:
            return "without the test the suite is not green"
        if set(bare.outcomes) & set(self.target):
            return "without the test another one takes its name"
        passed = passed_in(bare)
        for _ in range(2):
            if found := self.unhappy(self.run({**planted, **base}), passed):
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

    def still_killed(self, faults: Collection[Mutant]) -> int | str:
        """How many of *faults* the stripped test notices by a crash; a reason where it is by an assertion."""
        crashes = 0
        for fault in faults:
            row = self.bench.faults.row(fault)
            if row.status is not Status.KILLED or not set(row.killers) & set(self.target):
                continue
            run = self.run({**self.bench.faults.planted(fault), **self.after()}, self.selected)
            if asserted(run, self.target, self.bench.faults.paths):
                return "something in it still asserts: a helper, a fixture or its teardown"
            crashes += any(run.outcomes.get(test) in FAILING for test in self.target)
        return crashes

    # ------------------------------------------------------------------------------------------------- tools

    def after(self) -> Files:
        return {self.weak.path: self.weak.after}

    def others(self) -> tuple[str, ...]:
        gone = set(self.target)
        return tuple(test for test in self.bench.current.green if test not in gone)

    def run(self, overlay: Files, tests: tuple[str, ...] | None = None) -> Run:
        run = self.bench.run(overlay, tests=tests)
        self.seconds += run.seconds
        return run

    def unhappy(self, run: Run, tests: Collection[str]) -> list[str]:
        """Those of *tests* that do not pass in *run*; all of them where it did not end as it should."""
        found = judge(self.bench.current, run, green=tuple(tests))
        if found.status in (Status.SURVIVED, Status.KILLED, Status.LOST):
            return [*found.fail_to_pass, *found.lost]
        return list(tests)

    def verdict(self, status: Status, detail: str) -> Evidence:
        return Evidence(status=status, detail=detail, seconds=self.seconds)


def passed_in(*runs: Run) -> list[str]:
    """The tests that passed in each of *runs*, set aside or not."""
    first = runs[0].outcomes
    return [test for test in first if all(run.outcomes.get(test) is Outcome.PASSED for run in runs)]


def asserted(run: Run, tests: Collection[str], sources: Collection[str]) -> bool:
    """Whether one of *tests* failed by an assertion that is not the source's own."""
    return any(
        failure.test in tests
        and failure.exception in ASSERTING
        and failure.frame.partition(":")[0] not in sources
        for failure in run.failures
    )


oracle = DetectionLoss()
