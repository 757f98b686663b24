"""What several test files share."""

import asyncio

from errands import Job, JobQueue, ManualClock, Outcome, State


def run(work):
    """Run a coroutine to its end, on an event loop of its own."""
    return asyncio.run(work)


def drive(function, *, start=0.0):
    """Run `function(clock)` on a clock by hand; its result and the time at the end."""

    async def main():
        clock = ManualClock(start)
        return await clock.drive(function(clock)), clock.now()

    return asyncio.run(main())


def fill(queue: JobQueue, *jobs):
    """Put jobs in line: `name`, or `name` with its priority, or with a delay too."""
    for job in jobs:
        name, priority, delay = (*job, 0, None)[:3] if isinstance(job, tuple) else (job, 0, None)
        queue.put(Job(name, id=name, priority=priority), delay=delay)


def names(jobs):
    return [job.name for job in jobs]


def outcome(number, *, state=State.DONE, seconds=1.0, finished=None, error=None):
    """An outcome of job number `number`, which finished at that moment if not told otherwise."""
    end = float(number) if finished is None else finished
    start = None if seconds is None else end - seconds
    return Outcome(job_id=f"j{number}", state=state, started=start, finished=end, error=error)


def assert_outcome(found, state, *, attempts=1, value=None, error=None):
    """Compare what matters of an outcome."""
    assert found.state is state
    assert found.attempts == attempts
    assert found.value == value
    if error is None:
        assert found.error is None
    else:
        assert error in found.error
