import asyncio
from unittest import mock

import pytest
from helpers import assert_outcome, drive

from errands import Backoff, Closed, History, Job, JobQueue, Pool, State


def work(*jobs, handlers, **options):
    """The outcomes of the jobs by id, and the time at the end."""

    async def main(clock):
        async with JobQueue(clock=clock) as queue:
            for job in jobs:
                queue.put(job)
        made = {name: handler(clock) for name, handler in handlers.items()}
        return await Pool(queue, made, **options).run()

    outcomes, end = drive(main)
    return {outcome.job_id: outcome for outcome in outcomes}, end


def echo(clock):
    async def handler(job):
        await clock.sleep(job.payload.get("seconds", 1))
        return job.payload.get("value")

    return handler


def failing(times, error=ValueError):
    """A handler that fails so many times, then gives the time."""

    def make(clock):
        left = [times]

        async def handler(job):
            if left[0] > 0:
                left[0] -= 1
                raise error("not yet")
            return clock.now()

        return handler

    return make


def test_a_job_is_done():
    found, end = work(Job("echo", {"value": 42}, id="a"), handlers={"echo": echo})
    assert_outcome(found["a"], State.DONE, value=42)
    assert (found["a"].started, found["a"].finished, end) == (0, 1, 1)


@pytest.mark.parametrize(("size", "end"), [(1, 6), (2, 3), (3, 2), (6, 1), (10, 1)])
def test_workers_work_side_by_side(size, end):
    jobs = [Job("echo", id=str(number)) for number in range(6)]
    found, finished = work(*jobs, handlers={"echo": echo}, size=size)
    assert len(found) == 6
    assert finished == end
    assert all(outcome.state is State.DONE for outcome in found.values())


@pytest.mark.parametrize("size", [0, -2])
def test_a_pool_has_a_worker(size):
    with pytest.raises(ValueError, match=f"1 worker or more: {size}"):
        Pool(JobQueue(), {}, size=size)


def test_a_failed_job_is_tried_again_after_a_delay():
    backoff = Backoff(first=2, factor=3, attempts=4)
    found, end = work(Job("f", id="a"), handlers={"f": failing(2)}, backoff=backoff)
    assert_outcome(found["a"], State.DONE, attempts=3, value=8)
    assert end == 8


def test_the_usual_backoff_makes_five_attempts():
    found, end = work(Job("f", id="a"), handlers={"f": failing(9)})
    assert_outcome(found["a"], State.FAILED, attempts=5, error="not yet")
    assert end == 15


@pytest.mark.parametrize(("fails", "state", "attempts"), [(2, "done", 3), (3, "failed", 3)])
def test_the_last_attempt_counts(fails, state, attempts):
    backoff = Backoff(first=1, attempts=3)
    found, _ = work(Job("f", id="a"), handlers={"f": failing(fails)}, backoff=backoff)
    assert found["a"].state.value == state
    assert found["a"].attempts == attempts


def test_other_jobs_are_done_while_one_waits():
    jobs = Job("f", id="slow"), Job("echo", {"seconds": 0.5}, id="quick")
    found, end = work(*jobs, handlers={"f": failing(1), "echo": echo})
    assert found["quick"].finished == 0.5
    assert found["slow"].finished == 1 == end


def test_on_retry_is_told_of_each_delay():
    told = mock.Mock()
    job = Job("f", id="a")
    work(job, handlers={"f": failing(2)}, backoff=Backoff(first=1), on_retry=told)
    assert told.call_args_list == [mock.call(job, 1), mock.call(job, 2)]


def test_on_retry_is_not_told_of_the_end():
    told = mock.Mock()
    work(Job("f"), handlers={"f": failing(1)}, backoff=Backoff(attempts=1), on_retry=told)
    told.assert_not_called()


def test_an_error_without_words_is_shown_by_its_name():
    found, _ = work(
        Job("f", id="a"),
        handlers={"f": lambda clock: mock.AsyncMock(side_effect=KeyError())},
        backoff=Backoff(attempts=1),
    )
    assert_outcome(found["a"], State.FAILED, error="KeyError()")


def test_an_unknown_name_fails_at_once():
    found, end = work(Job("what", id="a"), handlers={"echo": echo})
    assert_outcome(found["a"], State.FAILED, attempts=0, error="no handler for 'what'")
    assert found["a"].started is None
    assert end == 0


def test_a_star_handles_the_others():
    jobs = Job("x", {"value": 1}, id="x"), Job("f", id="f")
    found, _ = work(*jobs, handlers={"*": echo, "f": failing(0)})
    assert_outcome(found["x"], State.DONE, value=1)
    assert_outcome(found["f"], State.DONE, value=1)


def test_the_deadline():
    jobs = [
        Job("echo", id="first", deadline=1),
        Job("echo", id="second", deadline=1.5),
        Job("echo", id="third", deadline=2),
    ]
    found, end = work(*jobs, handlers={"echo": echo})
    assert_outcome(found["first"], State.DONE)
    assert_outcome(found["second"], State.DONE)
    assert_outcome(found["third"], State.EXPIRED, attempts=0, error="the deadline is over")
    assert end == 2


@pytest.mark.parametrize(("deadline", "state"), [(3, State.FAILED), (3.5, State.DONE)])
def test_no_retry_past_the_deadline(deadline, state):
    job = Job("f", id="a", deadline=deadline)
    found, end = work(job, handlers={"f": failing(1)}, backoff=Backoff(first=3))
    assert found["a"].state is state
    assert end == (3 if state is State.DONE else 0)


@pytest.mark.parametrize(("timeout", "state"), [(0.9, State.FAILED), (1.1, State.DONE)])
def test_the_time_limit(timeout, state):
    job = Job("echo", id="a", timeout=timeout)
    found, end = work(job, handlers={"echo": echo}, backoff=Backoff(attempts=1))
    assert found["a"].state is state
    assert end == min(timeout, 1)


def test_a_handler_over_its_time_is_cancelled():
    told = []

    def slow(clock):
        async def handler(job):
            try:
                await clock.sleep(100)
            except asyncio.CancelledError:
                told.append(clock.now())
                raise

        return handler

    job = Job("slow", id="a", timeout=4)
    found, end = work(job, handlers={"slow": slow}, backoff=Backoff(first=1, attempts=2))
    assert_outcome(found["a"], State.FAILED, attempts=2, error="took more than 4 s")
    assert told == [4, 9]
    assert end == 9


def test_a_handler_that_cancels_itself():
    def quitting(clock):
        async def handler(job):
            raise asyncio.CancelledError

        return handler

    jobs = Job("q", id="a"), Job("echo", id="b")
    found, _ = work(*jobs, handlers={"q": quitting, "echo": echo})
    assert_outcome(found["a"], State.CANCELLED)
    assert_outcome(found["b"], State.DONE)


def test_the_history_is_kept():
    history = History(capacity=2)
    jobs = [Job("echo", id=name) for name in "abc"]
    work(*jobs, handlers={"echo": echo}, history=history)
    assert [outcome.job_id for outcome in history] == ["b", "c"]
    assert history.forgotten == 1


def test_outcomes_come_as_they_are_ready():
    async def main(clock):
        async with JobQueue(clock=clock) as queue:
            for seconds in (3, 1, 2):
                queue.put(Job("echo", {"seconds": seconds}, id=str(seconds)))
        seen = []
        async for outcome in Pool(queue, {"echo": echo(clock)}, size=3).outcomes():
            seen.append((outcome.job_id, clock.now()))
        return seen

    assert drive(main)[0] == [("1", 1), ("2", 2), ("3", 3)]


def test_leaving_the_outcomes_stops_the_workers():
    async def main(clock):
        queue = JobQueue(clock=clock)
        for number in range(4):
            queue.put(Job("echo", id=str(number)))
        stream = Pool(queue, {"echo": echo(clock)}, size=2).outcomes()
        first = await anext(stream)
        await stream.aclose()
        return first.job_id, len(queue), asyncio.all_tasks() - {asyncio.current_task()}

    (first, left, tasks), _ = drive(main)
    assert first == "0"
    assert left <= 2
    assert len(tasks) == 1


def test_a_handler_may_put_more_jobs_until_the_queue_is_closed():
    async def main(clock):
        queue = JobQueue(clock=clock)

        async def count(job):
            number = job.payload["n"]
            if number >= 3:
                queue.close()
                with pytest.raises(Closed):
                    queue.put(Job("count"))
            else:
                queue.put(Job("count", {"n": number + 1}), delay=1)
            return number

        queue.put(Job("count", {"n": 0}))
        return [outcome.value for outcome in await Pool(queue, {"count": count}).run()]

    assert drive(main) == ([0, 1, 2, 3], 3)
