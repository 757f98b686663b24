"""Selection: which tests screen a change before the whole suite proves it (pure).

A failing selection is a hint, a passing one ends the matter only where it may be trusted: all that reach
the change are in it, and none of them leans on the order of the suite.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from bebug.records import Baseline
from bebug.verification.reach import Reach

LONGEST = 20.0  # seconds that tests may take for forks to be asked about them
LEAST = 0.3  # seconds of processor time that a fork may take beside five times what its tests do
WORTH = 0.5  # a screen must be estimated at less than this share of a whole run


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """*tests*, in suite order, to run first; None: go straight to the whole suite.

    *unreached*: it is certain that no test that counts reaches the change, so that no run is needed.
    """

    tests: tuple[str, ...] | None = None
    unreached: bool = False


def reaching(baseline: Baseline, reach: Reach, path: str, lines: tuple[int, int]) -> Screen:
    """Which tests alone could settle a change of *lines* in *path*, whatever they cost."""
    if reach.silent(path, *lines):
        return Screen(unreached=True)
    wanted = reach.tests(path, *lines)
    if wanted is None:
        return Screen()
    chosen = tuple(test for test in baseline.green if test in wanted)
    if not chosen:
        return Screen(unreached=True)
    return Screen() if wanted & frozenset(baseline.order_dependent) else Screen(tests=chosen)


def screen(baseline: Baseline, reach: Reach, path: str, lines: tuple[int, int]) -> Screen:
    """How to screen a change of *lines* in *path* in a run of its own."""
    plan = reaching(baseline, reach, path, lines)
    return plan if plan.tests is None or pays(baseline, plan.tests) else Screen()


def pays(baseline: Baseline, tests: tuple[str, ...]) -> bool:
    """Whether running *tests* alone is clearly cheaper than the whole suite, start-up included."""
    start_up = max(0.0, baseline.seconds - sum(baseline.durations.values()))
    return start_up + seconds_of(baseline, tests) < WORTH * baseline.seconds


def patience(baseline: Baseline, tests: Sequence[str]) -> dict[str, Any]:
    """How long a fork may take for *tests*, in terms of a `Shot`: all in all, and for each."""
    return {
        "seconds": bearable(seconds_of(baseline, tests)),
        "each": tuple(bearable(seconds_of(baseline, [test])) for test in tests),
    }


def bearable(seconds: float) -> float:
    """The processor time that what took *seconds* may take in a fork."""
    return min(LONGEST, LEAST + 5 * seconds)


def seconds_of(baseline: Baseline, tests: Collection[str]) -> float:
    """The time that *tests* took in the untouched seed."""
    return sum(baseline.durations.get(test, 0.0) for test in tests)
