"""Async generators over time and over other iterables, and a limit on how often things happen."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import TypeVar

from errands.clock import Clock

T = TypeVar("T")


async def ticks(
    clock: Clock, period: float, *, count: int | None = None, start: float | None = None
) -> AsyncIterator[float]:
    """The moments `start`, `start + period`, ... as they come, less those that were missed."""
    if period <= 0:
        raise ValueError(f"a period is more than 0: {period}")
    base = clock.now() if start is None else start
    turn = 0
    while count is None or turn < count:
        moment = base + turn * period
        if moment < clock.now():
            turn += 1
            continue
        await clock.sleep(moment - clock.now())
        yield moment
        turn += 1


async def batches(source: AsyncIterable[T | None], size: int) -> AsyncIterator[list[T]]:
    """Lists of `size` items, the last maybe shorter; a None in the source ends a batch early."""
    if size < 1:
        raise ValueError(f"a batch has 1 item or more: {size}")
    batch: list[T] = []
    async for item in source:
        if item is not None:
            batch.append(item)
        if len(batch) >= size or (item is None and batch):
            yield batch
            batch = []
    if batch:
        yield batch


@dataclass(slots=True)
class RateLimit:
    """`async with limit:` waits so that at most `count` bodies begin in any `window` seconds."""

    clock: Clock
    count: int
    window: float
    _begun: deque[float] = field(default_factory=deque, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.count < 1 or self.window <= 0:
            raise ValueError(f"not a rate: {self.count} in {self.window} s")

    def wait(self) -> float | None:
        """Seconds until another may begin, None when it may now."""
        now = self.clock.now()
        while self._begun and self._begun[0] + self.window <= now:
            self._begun.popleft()
        if len(self._begun) < self.count:
            return None
        return self._begun[0] + self.window - now

    @property
    def free(self) -> int:
        """How many may begin at once."""
        return self.count - len(self._begun) if self.wait() is None else 0

    async def __aenter__(self) -> RateLimit:
        while (seconds := self.wait()) is not None:
            await self.clock.sleep(seconds)
        self._begun.append(self.clock.now())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None
