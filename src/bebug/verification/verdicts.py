"""Verdicts: what one run says of a change, against what the untouched seed does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bebug.records import Baseline, Ending, Outcome, Run, Status

FAILING = frozenset([Outcome.FAILED, Outcome.ERROR])
ENDINGS = {
    Ending.TIMEOUT: Status.TIMEOUT,
    Ending.CRASH: Status.CRASH,
    Ending.NOT_STARTED: Status.BROKEN,
    Ending.ABORTED: Status.ABORTED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A status, and the tests behind it, each list in suite order.

    *lost*: passed on base, absent or skipped now. *gained*: pass now and did not count as passing on base.
    """

    status: Status
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()


def judge(baseline: Baseline, run: Run, green: Collection[str] | None = None) -> Judged:
    """Judge a whole run. *green*: what passes on the change's base, where that is not the pristine seed."""
    passing = baseline.green if green is None else tuple(green)
    known = frozenset(passing) | frozenset(baseline.set_aside)
    failed = tuple(test for test in passing if run.outcomes.get(test) in FAILING)
    passed = tuple(test for test in passing if run.outcomes.get(test) is Outcome.PASSED)
    seen = frozenset((*failed, *passed))
    lost = tuple(test for test in passing if test not in seen)
    gained = tuple(test for test, now in run.outcomes.items() if now is Outcome.PASSED and test not in known)
    status = status_of(baseline, run, failed, lost)
    return Judged(status=status, fail_to_pass=failed, pass_to_pass=passed, lost=lost, gained=gained)


def status_of(baseline: Baseline, run: Run, failed: Collection[str], lost: Collection[str]) -> Status:
    """Timeout and crash before all else; then what could not be loaded; only then what tests say."""
    if run.ending in (Ending.TIMEOUT, Ending.CRASH, Ending.NOT_STARTED):
        return ENDINGS[run.ending]
    if set(run.collection_errors) - set(baseline.collection_errors):
        return Status.BROKEN
    if run.ending is Ending.ABORTED:
        return Status.ABORTED
    if failed:
        return Status.KILLED
    return Status.LOST if lost else Status.SURVIVED
