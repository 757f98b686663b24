import asyncio

import pytest
from helpers import drive, fill, names, run

from errands import Closed, Full, Job, JobQueue, ManualClock


@pytest.fixture
def clock():
    return ManualClock(100.0)


@pytest.fixture
def queue(clock):
    return JobQueue(clock=clock)


def take_all(queue):
    taken = []
    while (job := queue.get_nowait()) is not None:
        taken.append(job.name)
    return taken


def test_first_in_first_out(queue):
    fill(queue, "a", "b", "c")
    assert len(queue) == 3
    assert take_all(queue) == ["a", "b", "c"]
    assert len(queue) == 0
    assert queue.get_nowait() is None


def test_higher_priorities_come_first(queue):
    fill(queue, ("low", 1), ("high", 9), ("mid", 5), ("mid2", 5), ("none", 0))
    assert take_all(queue) == ["high", "mid", "mid2", "low", "none"]


def test_put_says_how_many_are_in_line(queue):
    assert queue.put(Job("a")) == 1
    assert queue.put(Job("b"), delay=5) == 2


def test_a_delayed_job_comes_when_it_is_due(queue, clock):
    fill(queue, ("later", 9, 10.0), ("now", 0))
    assert len(queue) == 2
    assert take_all(queue) == ["now"]
    run(clock.advance(9.5))
    assert take_all(queue) == []
    assert queue.next_ready() == 0.5
    run(clock.advance(0.5))
    assert queue.next_ready() == 0.0
    assert take_all(queue) == ["later"]
    assert queue.next_ready() is None


@pytest.mark.parametrize("delay", [None, 0, 0.0, -3])
def test_no_delay(queue, delay):
    queue.put(Job("a"), delay=delay)
    assert queue.next_ready() == 0.0
    assert names([queue.get_nowait()]) == ["a"]


def test_jobs_that_are_due_together_come_by_priority(queue, clock):
    fill(queue, ("a", 1, 2.0), ("b", 7, 2.0), ("c", 3, 1.0))
    assert names(queue.peek()) == ["c", "b", "a"]
    run(clock.advance(2))
    assert names(queue.peek()) == ["b", "c", "a"]
    assert take_all(queue) == ["b", "c", "a"]


def test_peek_takes_nothing(queue):
    fill(queue, "a", ("b", 4), ("c", 9, 60.0))
    expected = {None: ["b", "a", "c"], 0: [], 1: ["b"], 2: ["b", "a"], 9: ["b", "a", "c"], -1: []}
    for count, line in expected.items():
        assert names(queue.peek(count)) == line
    assert len(queue) == 3


def test_positions(queue):
    fill(queue, "a", ("b", 4), ("c", 9, 60.0))
    assert [queue.position(key) for key in "abc"] == [1, 0, 2]
    assert queue.position("d") is None


@pytest.mark.parametrize(("key", "left"), [("a", "bc"), ("b", "ac"), ("c", "ab"), ("x", "abc")])
def test_cancel(queue, key, left):
    fill(queue, "a", "b", ("c", 0, 5.0))
    job = queue.cancel(key)
    assert (job is None) == (key == "x")
    if job is not None:
        assert job.key == key
    assert names(queue.peek()) == list(left)


def test_cancel_keeps_the_order(queue):
    fill(queue, *((f"j{number}", number % 4) for number in range(10)))
    before = names(queue.peek())
    queue.cancel("j3")
    assert take_all(queue) == [name for name in before if name != "j3"]


def test_capacity():
    queue = JobQueue(capacity=2)
    fill(queue, "a", ("b", 0, 50.0))
    with pytest.raises(Full, match="2 jobs in line: c"):
        queue.put(Job("c", id="c"))
    queue.get_nowait()
    assert queue.put(Job("c")) == 2


def test_what_comes_back_needs_no_room():
    queue = JobQueue(capacity=1)
    fill(queue, "a")
    queue.put_back(Job("b"))
    queue.close()
    queue.put_back(Job("c"))
    assert take_all(queue) == ["a", "b", "c"]


@pytest.mark.parametrize("capacity", [0, -1])
def test_a_queue_has_room(capacity):
    with pytest.raises(ValueError, match=f"room for 1 job or more: {capacity}"):
        JobQueue(capacity=capacity)


def test_the_smallest_queue():
    queue = JobQueue(capacity=1)
    assert queue.put(Job("a")) == 1
    with pytest.raises(Full):
        queue.put(Job("b"))


def test_a_closed_queue_takes_nothing(queue):
    fill(queue, "a")
    queue.close()
    with pytest.raises(Closed, match="no more jobs are taken: b"):
        queue.put(Job("b", id="b"))
    assert take_all(queue) == ["a"]


def test_iterating_waits_for_delays_and_ends_when_closed():
    async def main(clock):
        async with JobQueue(clock=clock) as queue:
            fill(queue, ("b", 0, 3.0), "a", ("c", 0, 8.0))
        return [(job.name, clock.now()) async for job in queue]

    assert drive(main) == ([("a", 0), ("b", 3), ("c", 8)], 8)


def test_get_wakes_when_something_is_put():
    async def main(clock):
        queue = JobQueue(clock=clock)
        fill(queue, ("late", 0, 50.0))

        async def putter():
            await clock.sleep(5)
            fill(queue, "soon")

        task = asyncio.ensure_future(putter())
        job = await queue.get()
        await task
        return job.name, clock.now()

    assert drive(main)[0] == ("soon", 5)


def test_get_ends_for_all_who_wait_when_the_queue_is_closed():
    async def main(clock):
        queue = JobQueue(clock=clock)

        async def closer():
            await clock.sleep(2)
            queue.close()

        return await asyncio.gather(queue.get(), queue.get(), closer())

    assert drive(main) == ([None, None, None], 2)


def test_cancelling_the_only_job_ends_a_closed_queue():
    async def main(clock):
        queue = JobQueue(clock=clock)
        fill(queue, ("a", 0, 100.0))
        queue.close()

        async def canceller():
            await clock.sleep(1)
            return queue.cancel("a")

        return await asyncio.gather(queue.get(), canceller())

    (job, cancelled), end = drive(main)
    assert job is None
    assert cancelled.name == "a"
    assert end == 1


def test_an_error_in_the_body_empties_the_queue():
    async def main():
        queue = JobQueue()
        with pytest.raises(ZeroDivisionError):
            async with queue:
                fill(queue, "a", ("b", 0, 9.0))
                raise ZeroDivisionError
        assert len(queue) == 0
        assert await queue.get() is None

    run(main())


def test_the_real_clock_is_used_when_none_is_given():
    async def main():
        async with JobQueue() as queue:
            fill(queue, ("a", 0, 0.01), "b")
        return [job.name async for job in queue]

    assert run(main()) == ["b", "a"]
