"""Taking a baseline: whole runs of the untouched seed, more of them where they do not agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from bebug.errors import SeedError
from bebug.records import Baseline, Ending, Run
from bebug.verification import complaints, measuring

SHUFFLE = 20261130  # a fixed number: the same other order each time
REPEATS = 2  # more runs in the same shuffle, and one more than that in suite order, where tests differ
TRIES = 4  # how often names may turn out to change before it is given up


@dataclass(kw_only=True)
class Measurer:
    """Measures with *run* (None: suite order; a number: that shuffle). *deselect* asks for fewer tests.

    *crowd* has the runs of the untouched suite that went on at once, one for each of *jobs*.
    """

    run: Callable[[int | None], Run]
    deselect: Callable[[Sequence[str]], None]
    python: Path
    jobs: int = 1
    notes: list[str] = field(default_factory=list)
    crowd: Sequence[Run] = ()

    def baseline(self) -> Baseline:
        """At least two runs in suite order and one shuffled. Raises `SeedError` where none can be had."""
        for _ in range(TRIES):
            first = self.checked(self.run(None))
            second, shuffled = self.others(first)
            runs = [first, second]
            unstable = measuring.unstable_prefixes([*runs, shuffled] if finished(shuffled) else runs)
            if not unstable:
                return self.settled(runs, shuffled)
            self.deselect(unstable)
            self.notes.append(f"left out, since their names change from run to run: {listed(unstable)}")
        raise SeedError(
            "the names of its tests change from run to run: leave those tests out with --deselect"
        )

    def others(self, first: Run) -> tuple[Run, Run]:
        """A second run in suite order and a shuffled one: of those at once, if all say what *first* says."""
        if self.jobs > 1:
            with ThreadPoolExecutor(self.jobs) as pool:
                *self.crowd, shuffled = pool.map(self.run, [*([None] * self.jobs), SHUFFLE])
            if all(finished(run) and run.outcomes == first.outcomes for run in (*self.crowd, shuffled)):
                return self.crowd[0], shuffled
        return self.checked(self.run(None)), self.run(SHUFFLE)

    def checked(self, run: Run) -> Run:
        complaint = complaints.of_baseline(run, self.python)
        if complaint is not None:
            raise complaint
        return run

    def settled(self, runs: list[Run], shuffled: Run) -> Baseline:
        """The baseline of *runs*, with more of them where tests differ."""
        wrong = measuring.failing(shuffled, measuring.sort_tests(runs).green)
        dependent, flaky = frozenset[str](), frozenset[str]()
        if wrong:
            green = measuring.sort_tests(runs).green
            again = [wrong, *(measuring.failing(self.run(SHUFFLE), green) for _ in range(REPEATS))]
            dependent = frozenset.intersection(*again)
            flaky = frozenset.union(*again) - dependent
        if wrong or measuring.sort_tests(runs).flaky:
            runs += [self.checked(self.run(None)) for _ in range(1 + REPEATS)]
        if not finished(shuffled):
            self.notes.append("in another order the suite does not end well: its tests are only run whole")
        tests = measuring.sort_tests(runs)
        self.explain(runs, tests, flaky, dependent)
        found = measuring.baseline_of(runs, order_dependent=dependent, flaky=flaky, notes=self.notes)
        if not found.green:
            raise SeedError("no test passes on the untouched seed", detail=runs[0].tail)
        return found

    def explain(
        self, runs: Sequence[Run], tests: measuring.Sorted, flaky: frozenset[str], dependent: frozenset[str]
    ) -> None:
        """A note for each kind of test that does not simply pass."""
        errors = sorted({node for run in runs for node in run.collection_errors})
        kinds = (
            ("cannot be collected", errors),
            ("set aside, failing on the untouched seed", tests.failing),
            ("set aside, passing only now and then", sorted({*tests.flaky, *flaky})),
            ("set aside, expected to fail", tests.expected),
            ("never run alone, since they fail in another order", sorted(dependent - flaky)),
        )
        self.notes += [f"{kind}: {listed(names)}" for kind, names in kinds if names]


def finished(run: Run) -> bool:
    return run.ending is Ending.FINISHED


def listed(names: Sequence[str], limit: int = 5) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
