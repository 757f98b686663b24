"""The order in which jobs come: when they are ready, by priority, first in first out."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from errands.clock import Clock, SystemClock
from errands.jobs import Job


class Closed(RuntimeError):
    """The queue takes no more jobs."""


class Full(RuntimeError):
    """The queue holds as many jobs as it may."""


@dataclass(order=True, slots=True)
class _Entry:
    """A job in line; what comes first is less."""

    rank: int
    number: int
    ready_at: float = field(compare=False)
    job: Job = field(compare=False)


class JobQueue:
    """Jobs in line. Leave `async with` to close it; iterate to take jobs until it is empty."""

    def __init__(self, *, capacity: int | None = None, clock: Clock | None = None) -> None:
        if capacity is not None and capacity < 1:
            raise ValueError(f"a queue has room for 1 job or more: {capacity}")
        self.capacity = capacity
        self.clock: Clock = clock if clock is not None else SystemClock()
        self._ready: list[_Entry] = []
        self._delayed: list[tuple[float, _Entry]] = []
        self._numbers = itertools.count()
        self._changed = asyncio.Event()
        self._closed = False

    def __len__(self) -> int:
        return len(self._ready) + len(self._delayed)

    def put(self, job: Job, *, delay: float | None = None) -> int:
        """Put a job in line and return how many are; Closed or Full when it does not go."""
        if self._closed:
            raise Closed(f"no more jobs are taken: {job.key}")
        if self.capacity is not None and len(self) >= self.capacity:
            raise Full(f"there are {len(self)} jobs in line: {job.key}")
        self.put_back(job, delay=delay)
        return len(self)

    def put_back(self, job: Job, *, delay: float | None = None) -> None:
        """Put a job in line that was there before, though the queue may be closed or full."""
        now = self.clock.now()
        ready_at = now if delay is None else now + delay
        entry = _Entry(-job.priority, next(self._numbers), ready_at, job)
        if ready_at > now:
            heapq.heappush(self._delayed, (ready_at, entry))
        else:
            heapq.heappush(self._ready, entry)
        self._changed.set()

    async def get(self) -> Job | None:
        """The next job, once one is ready; None when the queue is closed and empty."""
        while True:
            job = self.get_nowait()
            if job is not None:
                return job
            if self._closed and not self._delayed:
                return None
            await self._change()

    def get_nowait(self) -> Job | None:
        """The next job if one is ready."""
        self._promote()
        if not self._ready:
            return None
        return heapq.heappop(self._ready).job

    def peek(self, count: int | None = None) -> list[Job]:
        """The jobs in the order in which they would come if nothing else happened."""
        self._promote()
        delayed = sorted(self._delayed)
        line = [entry.job for entry in sorted(self._ready)] + [entry.job for _, entry in delayed]
        return line if count is None else line[: max(count, 0)]

    def position(self, key: str) -> int | None:
        """How many jobs come before that one, or None when it is not in line."""
        for index, job in enumerate(self.peek()):
            if job.key == key:
                return index
        return None

    def cancel(self, key: str) -> Job | None:
        """Take a job out of the line."""
        found = self.position(key)
        if found is None:
            return None
        job = self.peek(found + 1)[-1]
        self._ready = [entry for entry in self._ready if entry.job is not job]
        self._delayed = [item for item in self._delayed if item[1].job is not job]
        heapq.heapify(self._ready)
        heapq.heapify(self._delayed)
        self._changed.set()
        return job

    def next_ready(self) -> float | None:
        """Seconds until a job is ready: 0 when one is, None when there is none."""
        self._promote()
        if self._ready:
            return 0.0
        if not self._delayed:
            return None
        return self._delayed[0][0] - self.clock.now()

    def close(self) -> None:
        """Take no more jobs; those in line still come."""
        self._closed = True
        self._changed.set()

    async def __aenter__(self) -> JobQueue:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._ready.clear()
            self._delayed.clear()
        self.close()

    async def __aiter__(self) -> AsyncIterator[Job]:
        while (job := await self.get()) is not None:
            yield job

    def _promote(self) -> None:
        now = self.clock.now()
        while self._delayed and self._delayed[0][0] <= now:
            heapq.heappush(self._ready, heapq.heappop(self._delayed)[1])

    async def _change(self) -> None:
        """Wait until something is put, cancelled or closed, or the first delay is over."""
        self._changed.clear()
        waits: list[asyncio.Future[Any]] = [asyncio.ensure_future(self._changed.wait())]
        seconds = self.next_ready()
        if seconds is not None:
            waits.append(asyncio.ensure_future(self.clock.sleep(seconds)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
