import asyncio

import pytest
from helpers import drive, run

from errands import ManualClock, RateLimit, batches, ticks


async def source(*items):
    for item in items:
        await asyncio.sleep(0)
        yield item


async def collect(stream):
    return [item async for item in stream]


@pytest.mark.parametrize(
    ("count", "moments"),
    [(0, []), (1, [10]), (4, [10, 12.5, 15, 17.5])],
)
def test_ticks(count, moments):
    found, end = drive(lambda clock: collect(ticks(clock, 2.5, count=count)), start=10)
    assert found == moments
    assert end == max(moments, default=10)


def test_ticks_from_a_given_start():
    found, _ = drive(lambda clock: collect(ticks(clock, 5, count=2, start=8)), start=1)
    assert found == [8, 13]


def test_ticks_from_zero():
    found, end = drive(lambda clock: collect(ticks(clock, 2, count=3, start=0)), start=2)
    assert found == [2, 4]
    assert end == 4


def test_ticks_that_were_missed_are_left_out():
    async def main(clock):
        seen = []
        async for moment in ticks(clock, 2, count=6):
            seen.append((moment, clock.now()))
            await clock.sleep(3)
        return seen

    assert drive(main)[0] == [(0, 0), (4, 4), (8, 8)]


def test_ticks_go_on_without_a_count():
    async def main(clock):
        seen = []
        async for moment in ticks(clock, 1):
            seen.append(moment)
            if len(seen) == 30:
                break
        return seen

    found, end = drive(main)
    assert found == [float(number) for number in range(30)]
    assert end == 29


@pytest.mark.parametrize("period", [0, -1])
def test_a_period_is_more_than_nothing(period):
    with pytest.raises(ValueError, match=f"more than 0: {period}"):
        drive(lambda clock: collect(ticks(clock, period)))


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, [[1], [2], [3], [4]]), (2, [[1, 2], [3, 4]]), (3, [[1, 2, 3], [4]]), (9, [[1, 2, 3, 4]])],
)
def test_batches(size, expected):
    assert run(collect(batches(source(1, 2, 3, 4), size))) == expected


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((), []),
        ((None, None), []),
        ((1, None, 2, 3, 4), [[1], [2, 3], [4]]),
        ((None, 0, None, 0, 0, None), [[0], [0, 0]]),
    ],
)
def test_a_none_ends_a_batch(items, expected):
    assert run(collect(batches(source(*items), 2))) == expected


def test_a_batch_has_an_item():
    with pytest.raises(ValueError, match="1 item or more: 0"):
        run(collect(batches(source(1), 0)))


def test_a_rate_limit():
    async def main(clock):
        limit, begun = RateLimit(clock, 2, 10.0), []
        for _ in range(5):
            async with limit as inside:
                assert inside is limit
                begun.append(clock.now())
                await clock.sleep(1)
        return begun

    assert drive(main)[0] == [0, 1, 10, 11, 20]


def test_how_long_to_wait():
    async def main():
        clock = ManualClock()
        limit = RateLimit(clock, 2, 6.0)
        assert (limit.wait(), limit.free) == (None, 2)
        async with limit:
            pass
        assert (limit.wait(), limit.free) == (None, 1)
        await clock.advance(2)
        async with limit:
            pass
        assert (limit.wait(), limit.free) == (4, 0)
        await clock.advance(3)
        assert limit.wait() == 1
        await clock.advance(1)
        assert (limit.wait(), limit.free) == (None, 1)
        await clock.advance(2)
        assert limit.free == 2

    run(main())


def test_a_rate_limit_of_one():
    async def main(clock):
        limit, begun = RateLimit(clock, 1, 0.5), []
        for _ in range(3):
            async with limit:
                begun.append(clock.now())
        return begun

    assert drive(main)[0] == [0, 0.5, 1]


@pytest.mark.parametrize(("count", "window"), [(0, 1), (1, 0), (-1, -1), (1, -0.5)])
def test_what_is_no_rate(count, window):
    with pytest.raises(ValueError, match="not a rate"):
        RateLimit(ManualClock(), count, window)


def test_errors_inside_a_rate_limit_come_out():
    async def main(clock):
        async with RateLimit(clock, 1, 1):
            raise LookupError("inside")

    with pytest.raises(LookupError, match="inside"):
        drive(main)
