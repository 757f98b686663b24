import asyncio

import pytest
from helpers import drive, run

from errands import ManualClock, Stalled, SystemClock


def test_it_stands_still():
    clock = ManualClock(7.5)
    assert clock.now() == 7.5
    assert clock.next_wake() is None


def test_sleepers_wake_in_order():
    async def main(clock):
        woken = []

        async def sleeper(name, seconds):
            await clock.sleep(seconds)
            woken.append((name, clock.now()))

        await asyncio.gather(sleeper("c", 3), sleeper("a", 1), sleeper("b", 2), sleeper("b2", 2))
        return woken

    woken, end = drive(main)
    assert woken == [("a", 1), ("b", 2), ("b2", 2), ("c", 3)]
    assert end == 3


@pytest.mark.parametrize("seconds", [0, -1, -0.5])
def test_no_time_to_sleep_is_no_sleep(seconds):
    async def main():
        clock = ManualClock()
        task = asyncio.ensure_future(clock.sleep(seconds))
        await asyncio.sleep(0)
        assert clock.next_wake() is None
        await task
        return clock.now()

    assert run(main()) == 0


@pytest.mark.parametrize(("seconds", "done"), [(1.9, False), (2.0, True), (2.1, True)])
def test_advance_wakes_what_is_due(seconds, done):
    async def main():
        clock = ManualClock(10)
        task = asyncio.ensure_future(clock.sleep(2))
        await clock.advance(seconds)
        found = task.done(), clock.now()
        task.cancel()
        return found

    assert run(main()) == (done, 10 + seconds)


def test_advance_wakes_those_that_sleep_again():
    async def main():
        clock = ManualClock()
        moments = []

        async def sleeper():
            for _ in range(3):
                await clock.sleep(2)
                moments.append(clock.now())

        task = asyncio.ensure_future(sleeper())
        await clock.advance(5)
        assert moments == [2, 4]
        assert clock.next_wake() == 6
        await clock.advance(0)
        assert not task.done()
        await clock.advance(1)
        assert task.done()
        return moments

    assert run(main()) == [2, 4, 6]


def test_time_does_not_go_back():
    async def main():
        clock = ManualClock(1)
        with pytest.raises(ValueError, match="does not go back"):
            await clock.advance(-1)
        assert clock.now() == 1

    run(main())


def test_a_cancelled_sleeper_is_forgotten():
    async def main():
        clock = ManualClock()
        tasks = [asyncio.ensure_future(clock.sleep(seconds)) for seconds in (1, 2)]
        await asyncio.sleep(0)
        assert clock.next_wake() == 1
        tasks[0].cancel()
        await asyncio.sleep(0)
        assert clock.next_wake() == 2
        tasks[1].cancel()
        await asyncio.sleep(0)
        assert clock.next_wake() is None

    run(main())


def test_work_that_waits_for_nothing_stalls():
    cleaned = []

    async def main(clock):
        try:
            await clock.sleep(4)
            await asyncio.Event().wait()
        finally:
            cleaned.append(clock.now())

    with pytest.raises(Stalled, match=r"nothing sleeps at 4\.0"):
        drive(main)
    assert cleaned == [4]


def test_an_error_of_the_work_comes_out():
    async def main(clock):
        await clock.sleep(1)
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        drive(main)


def test_real_time_goes_on():
    async def main():
        clock = SystemClock()
        before = clock.now()
        await clock.sleep(0.01)
        await clock.sleep(-5)
        return clock.now() - before

    assert 0.005 < run(main()) < 4
