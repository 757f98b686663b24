"""Jobs, and what became of them."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, ClassVar

PRIORITIES = range(0, 10)


class State(enum.Enum):
    """How a job ended."""

    DONE = "done"
    FAILED = "failed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"

    @property
    def is_good(self) -> bool:
        return self is State.DONE


@dataclass(slots=True)
class Job:
    """Something to do: the name of its handler, and what the handler needs to know."""

    numbers: ClassVar[Iterator[int]] = itertools.count(1)

    name: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    _: KW_ONLY
    id: str | None = None
    priority: int = 0
    timeout: float | None = None
    deadline: float | None = None
    failures: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a job has a name")
        if self.priority not in PRIORITIES:
            raise ValueError(f"a priority is {PRIORITIES[0]} to {PRIORITIES[-1]}: {self.priority}")
        if self.timeout is not None and self.timeout <= 0:
            raise ValueError(f"a timeout is more than 0: {self.timeout}")
        if self.id is None:
            self.id = f"{self.name}-{next(self.numbers)}"

    @property
    def key(self) -> str:
        """The id, which is there once the job is made."""
        return self.id or ""

    def is_late(self, moment: float) -> bool:
        """Whether it is too late to start: the deadline itself is."""
        return self.deadline is not None and moment >= self.deadline

    def renamed(self, name: str, **changes: Any) -> Job:
        """Another job of that name with a fresh id and no failures."""
        return replace(self, name=name, id=None, failures=0, **changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a job, after how many attempts, and when."""

    job_id: str
    state: State
    attempts: int = 1
    started: float | None = None
    finished: float = 0.0
    value: Any = None
    error: str | None = None

    @property
    def seconds(self) -> float:
        """How long the last attempt took; 0 for a job that never began."""
        if self.started is None:
            return 0.0
        return self.finished - self.started

    def line(self, width: int | None = None) -> str:
        """One line for a log, cut to the width."""
        text = f"{self.job_id}: {self.state.value}"
        if self.attempts > 1:
            text += f" after {self.attempts} attempts"
        if self.error is not None:
            text += f" ({self.error})"
        if width is not None and len(text) > width:
            text = text[: width - 1] + "…"
        return text
