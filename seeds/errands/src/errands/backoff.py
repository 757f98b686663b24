"""How long to wait before each retry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

_PART = re.compile(
    r"(?:(?P<first>[\d.]+)s|x(?P<factor>[\d.]+)|<=(?P<limit>[\d.]+)s|(?P<tries>\d+)t)"
)


@dataclass(frozen=True, slots=True)
class Backoff:
    """A first delay that grows by a factor up to a limit; `attempts` is None to try for ever."""

    first: float = 1.0
    factor: float = 2.0
    limit: float | None = None
    attempts: int | None = 5
    jitter: Callable[[float], float] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.first < 0:
            raise ValueError(f"a first delay is not negative: {self.first}")
        if self.factor < 1:
            raise ValueError(f"a factor is 1 or more: {self.factor}")
        if self.limit is not None and self.limit < self.first:
            raise ValueError(f"the limit {self.limit} is below the first delay {self.first}")
        if self.attempts is not None and self.attempts < 1:
            raise ValueError(f"there is 1 attempt or more: {self.attempts}")

    def delay(self, failures: int) -> float | None:
        """Seconds to wait after that many failures in a row; None to give up."""
        if failures < 1:
            raise ValueError("a delay comes after a failure")
        if self.attempts is not None and failures >= self.attempts:
            return None
        seconds = self.first * self.factor ** (failures - 1)
        if self.limit is not None:
            seconds = min(seconds, self.limit)
        if self.jitter is not None:
            seconds = self.jitter(seconds)
        return max(seconds, 0.0)

    def delays(self) -> Iterator[float]:
        """Every delay in turn; without end if there is no last attempt."""
        failures = 1
        while (seconds := self.delay(failures)) is not None:
            yield seconds
            failures += 1

    def patience(self) -> float | None:
        """The sum of all delays, or None when they never end."""
        if self.attempts is None:
            return None
        return sum(self.delays())


def parse_backoff(text: str | None, default: Backoff | None = None) -> Backoff:
    """Read `0.5s x3 <=10s 4t`: first delay, factor, limit, tries, in any order."""
    base = default if default is not None else Backoff()
    if text is None:
        return base
    said: dict[str, str] = {}
    for word in text.split():
        match = _PART.fullmatch(word)
        if match is None:
            raise ValueError(f"not a part of a backoff: {word!r}")
        key = match.lastgroup or ""
        if key in said:
            raise ValueError(f"said twice: {word!r}")
        said[key] = match[key]
    return Backoff(
        first=float(said.get("first", base.first)),
        factor=float(said.get("factor", base.factor)),
        limit=float(said["limit"]) if "limit" in said else base.limit,
        attempts=int(said["tries"]) if "tries" in said else base.attempts,
        jitter=base.jitter,
    )
