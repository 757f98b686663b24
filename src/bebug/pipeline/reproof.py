"""A label proved again from its record alone: what its evidence claims is shown once more, by whole runs.

No oracle and no coverage map takes part: a case, the untouched seed and the suite are all there is.
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from bebug.corpus.rows import restored
from bebug.errors import CorpusError, UsageError
from bebug.records import Case, Ending, Files, Label, Outcome, Run, digest
from bebug.verification.verdicts import FAILING
from bebug.verification.witness import Witnesses

KEPT = 64  # reports at hand: those of the bases, which many cases share, and of the twins that come next


class Bench(Protocol):
    """What a proof from the record needs of a laboratory."""

    def apply(self, diff: bytes, overlay: Files | None = None) -> Files: ...
    def reverts(self, diff: bytes, overlay: Files | None = None) -> bool: ...
    def read(self, path: str) -> bytes: ...
    def run(self, overlay: Files) -> Run: ...
    @property
    def searcher(self) -> Witnesses: ...


class NotShown(Exception):
    """What a record claims and a run does not show; the message says it in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a whole run says of the tests that count."""

    ending: Ending
    passed: frozenset[str]
    failed: frozenset[str]
    errors: frozenset[str]  # files that do not collect
    seconds: float

    def lost(self, tests: Iterable[str]) -> set[str]:
        """Those of *tests* that neither passed nor failed: skipped, or gone."""
        return set(tests) - self.passed - self.failed


class Prover:
    """Proves labels of one seed's cases; threads may share it. Tests of *set_aside* count nowhere."""

    def __init__(self, bench: Bench, set_aside: Collection[str] = ()) -> None:
        self.bench, self.set_aside = bench, frozenset(set_aside)
        self._reports: OrderedDict[str, Future[Report]] = OrderedDict()
        self._lock = threading.Lock()

    def fault(self, case: Case) -> str | None:
        """Why the label of *case* is not proved, in words; None where it is."""
        try:
            base = self.tree({}, case.base_patch, "base_patch")
            after = self.tree(base, case.diff, "diff")
            if after == base:
                raise NotShown("diff changes nothing")
            kind = case.label.value, str(case.evidence.get("proof"))
            if kind not in PROOFS:
                raise NotShown(
                    f"a {kind[0]} case with the proof {kind[1]!r} is not one that can be shown again"
                )
            PROOFS[kind](Trial(self, case, base, after))
        except NotShown as why:
            return str(why)
        except (CorpusError, KeyError, TypeError, ValueError) as error:
            return f"the evidence is not as the format says: {type(error).__name__}: {error}"
        return None

    def tree(self, overlay: Files, diff: bytes, what: str) -> Files:
        """*overlay* with *diff* applied, which must revert to the byte; an empty diff changes nothing."""
        if not diff.strip():
            return overlay
        try:
            if not self.bench.reverts(diff, overlay):
                raise NotShown(f"{what} changes nothing, or does not revert to the byte")
            return self.bench.apply(diff, overlay)
        except UsageError as error:
            raise NotShown(f"{what}: {error.message}") from None

    def report(self, overlay: Files) -> Report:
        """What the suite says of the tree with *overlay*; one run serves all that ask for the same tree."""
        key = self._key(overlay)
        with self._lock:
            future = self._reports.get(key)
            mine = future is None
            if future is None:
                future = self._reports[key] = Future()
            self._reports.move_to_end(key)
            while len(self._reports) > KEPT:
                self._reports.popitem(last=False)
        if mine:
            try:
                future.set_result(self._read(self.bench.run(overlay)))
            except BaseException as error:
                future.set_exception(error)
        return future.result()

    def _key(self, overlay: Files) -> str:
        parts: list[str | bytes] = []
        for path, content in sorted(overlay.items()):
            if content != self._pristine(path):
                parts += [path, b"" if content is None else b"=" + content]
        return digest(*parts)

    def _pristine(self, path: str) -> bytes | None:
        try:
            return self.bench.read(path)
        except UsageError:
            return None

    def _read(self, run: Run) -> Report:
        def those(wanted: Callable[[Outcome], bool]) -> frozenset[str]:
            found = (sys.intern(test) for test, outcome in run.outcomes.items() if wanted(outcome))
            return frozenset(found) - self.set_aside

        return Report(
            ending=run.ending,
            passed=those(lambda outcome: outcome is Outcome.PASSED),
            failed=those(lambda outcome: outcome in FAILING),
            errors=frozenset(run.collection_errors),
            seconds=run.seconds,
        )


class Trial:
    """One case before its prover: the trees that its proof speaks of, and what the suite says of them."""

    def __init__(self, prover: Prover, case: Case, base: Files, after: Files) -> None:
        self.prover, self.case, self.evidence = prover, case, case.evidence
        self.base_tree, self.after_tree = base, after
        self.base = self.ran(base, "on the base")
        if not self.base.passed:
            raise NotShown("no test passes on the base")
        self.after = self.ran(after, "with the diff")
        if new := self.after.errors - self.base.errors:
            raise NotShown(f"the diff adds collection errors: {named(new)}")
        self.failed = self.base.passed & self.after.failed
        self.lost = self.after.lost(self.base.passed)

    def ran(self, overlay: Files, where: str) -> Report:
        report = self.prover.report(overlay)
        if report.ending is not Ending.FINISHED:
            raise NotShown(f"{where} the run does not end as it should: {report.ending}")
        return report

    def with_fault(self, overlay: Files, where: str) -> Report:
        """The report on the tree of *overlay* with the evidence's fault in it."""
        diff = restored(self.evidence["fault"]["diff"], "fault.diff")
        report = self.ran(self.prover.tree(overlay, diff, f"the fault {where}"), f"with the fault {where}")
        if new := report.errors - self.base.errors:
            raise NotShown(f"the fault adds collection errors {where}: {named(new)}")
        return report

    def tests(self, key: str) -> frozenset[str]:
        """The tests that the evidence names under *key*, of which there must be some."""
        found = frozenset(map(str, self.evidence[key]))
        need(bool(found), f"{key} is empty")
        return found

    def stays_green(self, removed: Collection[str] = ()) -> None:
        """No test that passes on the base fails or is lost with the diff, but for those *removed* by it."""
        need(not self.failed, f"tests fail with the diff: {named(self.failed)}")
        gone = self.lost - frozenset(removed)
        need(not gone, f"tests are lost with the diff: {named(gone)}")


def breaks(trial: Trial) -> None:
    """`tests`: exactly `fail_to_pass` fails; `pass_to_pass` passes on both sides."""
    claimed = trial.tests("fail_to_pass")
    spare, missing = claimed - trial.failed, trial.failed - claimed
    need(not spare, f"fail_to_pass names tests that do not fail: {named(spare)}")
    need(not missing, f"tests fail that fail_to_pass does not name: {named(missing)}")
    wrong = frozenset(trial.evidence.get("pass_to_pass") or ()) - (trial.base.passed & trial.after.passed)
    need(not wrong, f"pass_to_pass names tests that do not pass: {named(wrong)}")
    if trial.evidence.get("witness"):
        witnessed(trial)


def shows(trial: Trial) -> None:
    """`witness`: no test notices, and typing the witness gives on either side what it says."""
    trial.stays_green()
    need(witnessed(trial), "no input can be looked at here: it takes walls, and a module that loads")


def witnessed(trial: Trial) -> bool:
    """Whether typing the witness gives what it says; False where it cannot be tried."""
    witness, path = trial.evidence["witness"], trial.case.path
    for side, tree in (("before", trial.base_tree), ("after", trial.after_tree)):
        seen = trial.prover.bench.searcher.look(witness, path, tree)
        if not seen:
            return False
        need(seen == witness[side], f"the witness gives {seen} {side}, not {witness[side]}")
    return True


def loses_detection(trial: Trial) -> None:
    """`detection-loss`: green on both sides, and with the diff nothing notices a fault that was noticed."""
    trial.stays_green(trial.evidence.get("removed_tests") or ())
    killers, base, strong = trial.tests("killed_by"), trial.base, trial.base_tree
    if reference := trial.evidence.get("reference_diff"):
        diff = restored(reference, "reference_diff")
        strong = trial.prover.tree(trial.base_tree, diff, "reference_diff")
        bare = trial.with_fault(trial.base_tree, "without the test")
        seen = base.passed - bare.passed
        need(not seen, f"without the test the fault is noticed too, by {named(seen)}")
    quiet = killers - trial.ran(strong, "with the strong test").passed
    need(not quiet, f"killed_by names tests that do not pass without the fault: {named(quiet)}")
    alive = killers - trial.with_fault(strong, "before the diff").failed
    need(not alive, f"killed_by names tests that the fault does not fail: {named(alive)}")
    seen = trial.after.passed - trial.with_fault(trial.after_tree, "after the diff").passed
    need(not seen, f"with the diff the fault is still noticed, by {named(seen)}")


def repairs(trial: Trial) -> None:
    """`fixes`: exactly `fail_to_pass` fails before and passes after, and nothing else suffers."""
    trial.stays_green()
    claimed, cured = trial.tests("fail_to_pass"), trial.base.failed & trial.after.passed
    need(not claimed - cured, f"fail_to_pass names tests that are not cured: {named(claimed - cured)}")
    need(not cured - claimed, f"tests are cured that fail_to_pass does not name: {named(cured - claimed)}")


def adds_detection(trial: Trial) -> None:
    """`adds-detection`: `killed_by` passes, notices the fault, and nothing noticed it before."""
    trial.stays_green(trial.evidence.get("removed_tests") or ())
    killers = trial.tests("killed_by")
    quiet = killers - trial.after.passed
    need(not quiet, f"killed_by names tests that do not pass without the fault: {named(quiet)}")
    seen = trial.base.passed - trial.with_fault(trial.base_tree, "before the diff").passed
    need(not seen, f"the fault was noticed before, by {named(seen)}")
    alive = killers - trial.with_fault(trial.after_tree, "after the diff").failed
    need(not alive, f"killed_by names tests that the fault does not fail: {named(alive)}")


def preserves(trial: Trial) -> None:
    """`preserves`: no test that passed fails or is lost."""
    trial.stays_green()


PROOFS: Mapping[tuple[str, str], Callable[[Trial], Any]] = {
    (Label.BAD.value, "tests"): breaks,
    (Label.BAD.value, "witness"): shows,
    (Label.BAD.value, "detection-loss"): loses_detection,
    (Label.GOOD.value, "fixes"): repairs,
    (Label.GOOD.value, "adds-detection"): adds_detection,
    (Label.GOOD.value, "preserves"): preserves,
}


def need(condition: bool, why: str) -> None:
    if not condition:
        raise NotShown(why)


def named(tests: Collection[str]) -> str:
    """The first few of *tests*."""
    more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
    return ", ".join(sorted(tests)[:3]) + more
