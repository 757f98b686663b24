"""Selection: which tests screen a change before the whole suite proves it (pure).

A failing selection is a hint, a passing one ends the matter only where it may be trusted: all that reach
the change are in it, and none of them leans on the order of the suite.
"""

from __future__ import annotations

from dataclasses import dataclass

from bebug.records import Baseline
from bebug.verification.reach import Reach

WORTH = 0.5  # a screen must be estimated at less than this share of a whole run


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """*tests*, in suite order, to run first; None: go straight to the whole suite.

    *unreached*: it is certain that no test that counts reaches the change, so that no run is needed.
    """

    tests: tuple[str, ...] | None = None
    unreached: bool = False


def screen(baseline: Baseline, reach: Reach, path: str, lines: tuple[int, int]) -> Screen:
    """How to screen a change of *lines* in *path*."""
    if reach.silent(path, *lines):
        return Screen(unreached=True)
    wanted = reach.tests(path, *lines)
    if wanted is None:
        return Screen()
    chosen = tuple(test for test in baseline.green if test in wanted)
    if not chosen:
        return Screen(unreached=True)
    if wanted & frozenset(baseline.order_dependent) or not pays(baseline, chosen):
        return Screen()
    return Screen(tests=chosen)


def pays(baseline: Baseline, tests: tuple[str, ...]) -> bool:
    """Whether running *tests* alone is clearly cheaper than the whole suite, start-up included."""
    start_up = max(0.0, baseline.seconds - sum(baseline.durations.values()))
    chosen = sum(baseline.durations.get(test, 0.0) for test in tests)
    return start_up + chosen < WORTH * baseline.seconds
