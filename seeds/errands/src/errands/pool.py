"""Workers: they take jobs, call handlers, limit their time and try again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from errands.backoff import Backoff
from errands.history import History
from errands.jobs import Job, Outcome, State
from errands.queue import JobQueue

Handler = Callable[[Job], Awaitable[Any]]


class Pool:
    """Workers on one queue. `handlers` has them by the name of a job; `*` is for all others."""

    def __init__(
        self,
        queue: JobQueue,
        handlers: Mapping[str, Handler],
        *,
        size: int = 1,
        backoff: Backoff | None = None,
        history: History | None = None,
        on_retry: Callable[[Job, float], None] | None = None,
    ) -> None:
        if size < 1:
            raise ValueError(f"a pool has 1 worker or more: {size}")
        self.queue = queue
        self.handlers = handlers
        self.size = size
        self.backoff = backoff if backoff is not None else Backoff()
        self.history = history
        self.on_retry = on_retry

    async def run(self) -> list[Outcome]:
        """Work until the queue is closed and empty; the outcomes as they came."""
        return [outcome async for outcome in self.outcomes()]

    async def outcomes(self) -> AsyncIterator[Outcome]:
        """The outcomes one by one, while the workers go on."""
        found: asyncio.Queue[Outcome | None] = asyncio.Queue()
        workers = [asyncio.ensure_future(self._work(found)) for _ in range(self.size)]
        left = len(workers)
        try:
            while left > 0:
                outcome = await found.get()
                if outcome is None:
                    left -= 1
                    continue
                if self.history is not None:
                    self.history.add(outcome)
                yield outcome
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, found: asyncio.Queue[Outcome | None]) -> None:
        try:
            async for job in self.queue:
                outcome = await self.attempt(job)
                if outcome is not None:
                    found.put_nowait(outcome)
        finally:
            found.put_nowait(None)

    async def attempt(self, job: Job) -> Outcome | None:
        """Try a job once; None when it is to be tried again and is back in line."""
        started = self.queue.clock.now()
        if job.is_late(started):
            return self._outcome(job, State.EXPIRED, None, error="the deadline is over")
        handler = self.handlers.get(job.name, self.handlers.get("*"))
        if handler is None:
            return self._outcome(job, State.FAILED, None, error=f"no handler for {job.name!r}")
        try:
            value = await self._limited(handler(job), job.timeout)
        except asyncio.CancelledError:
            if (current := asyncio.current_task()) is not None and current.cancelling() > 0:
                raise
            return self._outcome(job, State.CANCELLED, started)
        except Exception as error:
            job.failures += 1
            if self._again(job):
                return None
            return self._outcome(job, State.FAILED, started, error=str(error) or repr(error))
        return self._outcome(job, State.DONE, started, value=value)

    async def _limited(self, work: Awaitable[Any], seconds: float | None) -> Any:
        """The result of the work; TimeoutError when it takes longer than that."""
        if seconds is None:
            return await work
        task = asyncio.ensure_future(work)
        alarm = asyncio.ensure_future(self.queue.clock.sleep(seconds))
        try:
            await asyncio.wait([task, alarm], return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise TimeoutError(f"took more than {seconds} s")
            return task.result()
        finally:
            for left in (task, alarm):
                left.cancel()
            await asyncio.gather(task, alarm, return_exceptions=True)

    def _again(self, job: Job) -> bool:
        """Put a failed job back in line, unless it has been tried enough or would come too late."""
        delay = self.backoff.delay(job.failures)
        if delay is None or job.is_late(self.queue.clock.now() + delay):
            return False
        if self.on_retry is not None:
            self.on_retry(job, delay)
        self.queue.put_back(job, delay=delay)
        return True

    def _outcome(
        self,
        job: Job,
        state: State,
        started: float | None,
        *,
        value: Any = None,
        error: str | None = None,
    ) -> Outcome:
        tried = job.failures + 1 if state in (State.DONE, State.CANCELLED) else job.failures
        return Outcome(
            job_id=job.key,
            state=state,
            attempts=tried,
            started=started,
            finished=self.queue.clock.now(),
            value=value,
            error=error,
        )
