"""The outcomes so far, the latest last, and what is asked of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from errands.jobs import Outcome, State


@dataclass
class History:
    """The last `capacity` outcomes, all for None."""

    capacity: int | None = None
    outcomes: list[Outcome] = field(default_factory=list)
    forgotten: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.capacity is not None and self.capacity < 1:
            raise ValueError(f"a history holds 1 outcome or more: {self.capacity}")
        self._trim()

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def add(self, outcome: Outcome | None) -> None:
        """Note an outcome; None is nothing to note."""
        if outcome is None:
            return
        self.outcomes.append(outcome)
        self._trim()

    def _trim(self) -> None:
        if self.capacity is not None and len(self.outcomes) > self.capacity:
            extra = len(self.outcomes) - self.capacity
            self.forgotten += extra
            del self.outcomes[:extra]

    def last(self, count: int = 1) -> list[Outcome]:
        """The latest outcomes, the latest first."""
        if count < 1:
            return []
        return self.outcomes[: -count - 1 : -1]

    def page(self, number: int, size: int) -> list[Outcome]:
        """Page 1 has the oldest outcomes; an empty list after the last page."""
        if number < 1 or size < 1:
            raise ValueError("pages count from 1, and have a size")
        return self.outcomes[(number - 1) * size : number * size]

    def pages(self, size: int) -> int:
        """How many pages there are, one at least."""
        return max(1, math.ceil(len(self.outcomes) / size))

    def between(self, start: float | None = None, end: float | None = None) -> list[Outcome]:
        """The outcomes that finished at `start` or later, and before `end`."""
        return [
            outcome
            for outcome in self.outcomes
            if (start is None or outcome.finished >= start)
            and (end is None or outcome.finished < end)
        ]

    def find(self, job_id: str) -> Outcome | None:
        """The latest outcome of a job."""
        return next((o for o in reversed(self.outcomes) if o.job_id == job_id), None)

    def error_of(self, job_id: str, default: str = "") -> str:
        """What went wrong with a job, or the default."""
        outcome = self.find(job_id)
        if outcome is None or outcome.error is None:
            return default
        return outcome.error

    def streak(self, state: State | None = None) -> int:
        """How many of the latest outcomes in a row have that state, or that of the latest."""
        if not self.outcomes:
            return 0
        wanted = state if state is not None else self.outcomes[-1].state
        count = 0
        while count < len(self.outcomes) and self.outcomes[-1 - count].state is wanted:
            count += 1
        return count

    def percentile(self, percent: float) -> float | None:
        """The least duration that so many percent of the attempts did not exceed."""
        if not 0 < percent <= 100:
            raise ValueError(f"a percentile is above 0 and at most 100: {percent}")
        times = sorted(o.seconds for o in self.outcomes if o.started is not None)
        if not times:
            return None
        return times[math.ceil(len(times) * percent / 100) - 1]

    def trend(self, window: int) -> float | None:
        """The mean duration of the last `window` attempts less that of the `window` before them."""
        times = [o.seconds for o in self.outcomes if o.started is not None]
        if window < 1 or len(times) < 2 * window:
            return None
        return _mean(times[-window:]) - _mean(times[-2 * window : -window])

    def summary(self) -> dict[str, int]:
        """How many outcomes have each state that occurs, by the name of the state."""
        counts = Counter(outcome.state.value for outcome in self.outcomes)
        return dict(sorted(counts.items()))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
