"""Time: the real one, and one that is turned by hand."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")

SETTLE = 20
"""Turns of the event loop in which whatever can go on without a later time does so."""


class Clock(Protocol):
    """What the rest of the package asks of time."""

    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """Seconds that never go back."""

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(seconds, 0.0))


class Stalled(RuntimeError):
    """The work is not done, and nothing sleeps: it would wait for ever."""


class ManualClock:
    """A clock that stands still until `advance` or `drive` moves it."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._numbers), future))
        await future

    def next_wake(self) -> float | None:
        """When the first sleeper wakes, or None; those that were cancelled are forgotten."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    async def advance(self, seconds: float) -> None:
        """Let that much time go by, waking each sleeper at its moment."""
        if seconds < 0:
            raise ValueError("time does not go back")
        end = self._now + seconds
        await self._settle()
        while (wake := self.next_wake()) is not None and wake <= end:
            self._wake(wake)
            await self._settle()
        self._now = end

    async def drive(self, work: Awaitable[T]) -> T:
        """Do the work, moving on whenever all that is left to do is to wait."""
        task = asyncio.ensure_future(work)
        await self._settle()
        while not task.done():
            wake = self.next_wake()
            if wake is None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise Stalled(f"nothing sleeps at {self._now}, and the work is not done")
            self._wake(wake)
            await self._settle()
        return await task

    def _wake(self, moment: float) -> None:
        self._now = moment
        _, _, future = heapq.heappop(self._sleepers)
        future.set_result(None)

    async def _settle(self) -> None:
        for _ in range(SETTLE):
            await asyncio.sleep(0)
