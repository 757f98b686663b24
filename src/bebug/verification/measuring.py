"""The baseline from its runs: which tests can be counted on, and why the others cannot (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bebug.records import Baseline, Outcome, Run
from bebug.verification.verdicts import FAILING

EXPECTED = frozenset([Outcome.XFAILED, Outcome.XPASSED])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorted:
    """Tests by what several runs of the untouched seed say of them."""

    green: tuple[str, ...]
    failing: tuple[str, ...]
    flaky: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def set_aside(self) -> tuple[str, ...]:
        return tuple(sorted({*self.failing, *self.flaky, *self.expected}))


def sort_tests(runs: Sequence[Run]) -> Sorted:
    """Sort the tests of *runs*, all in suite order. Those that always skip are in no list."""
    names = dict.fromkeys(test for run in runs for test in run.outcomes)
    green, failing, flaky, expected = list[str](), list[str](), list[str](), list[str]()
    for test in names:
        seen = {run.outcomes.get(test) for run in runs}
        if seen <= FAILING:
            failing.append(test)
        elif seen & EXPECTED:
            expected.append(test)
        elif len(seen) > 1:
            flaky.append(test)
        elif seen == {Outcome.PASSED}:
            green.append(test)
    return Sorted(green=tuple(green), failing=tuple(failing), flaky=tuple(flaky), expected=tuple(expected))


def unstable_prefixes(runs: Sequence[Run]) -> tuple[str, ...]:
    """What to deselect so that all runs have the same tests: ids up to `[`, of those that not every run has.

    A clock or an address in a parameter gives a test another name in each run; such names can be compared
    with nothing.
    """
    sets = [frozenset(run.outcomes) for run in runs]
    changing = frozenset[str]().union(*sets) - frozenset.intersection(*sets)
    return tuple(sorted({test[: test.index("[") + 1] for test in changing if "[" in test}))


def failing(run: Run, tests: Iterable[str]) -> frozenset[str]:
    """Those of *tests* that do not pass in *run*."""
    return frozenset(test for test in tests if run.outcomes.get(test) is not Outcome.PASSED)


def baseline_of(
    runs: Sequence[Run], *, order_dependent: Iterable[str], flaky: Iterable[str], notes: Iterable[str]
) -> Baseline:
    """The baseline that *runs* in suite order show, less what other runs found to be *flaky*."""
    tests, more = sort_tests(runs), frozenset(flaky)
    green = tuple(test for test in tests.green if test not in more)
    return Baseline(
        green=green,
        set_aside=tuple(sorted({*tests.set_aside, *more})),
        order_dependent=tuple(sorted(frozenset(order_dependent) - more)),
        collection_errors=tuple(sorted({node for run in runs for node in run.collection_errors})),
        collected=runs[0].collected,
        durations=runs[0].durations,
        seconds=max(run.seconds for run in runs),
        notes=tuple(notes),
        places=runs[0].places,
    )
