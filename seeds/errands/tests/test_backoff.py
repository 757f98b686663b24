import dataclasses
import itertools
from unittest import mock

import pytest

from errands import Backoff, parse_backoff


def test_delays_double_by_default():
    assert list(Backoff().delays()) == [1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(
    ("failures", "delay"),
    [(1, 0.5), (2, 1.5), (3, 4.5), (4, None), (5, None)],
)
def test_the_delay_after_so_many_failures(failures, delay):
    assert Backoff(first=0.5, factor=3, attempts=4).delay(failures) == delay


def test_a_limit_caps_the_delays():
    backoff = Backoff(first=1, factor=4, limit=10)
    assert list(backoff.delays()) == [1, 4, 10, 10]
    assert backoff.patience() == 25


def test_a_limit_equal_to_the_first_delay_is_allowed():
    assert list(Backoff(first=2, limit=2, attempts=3).delays()) == [2, 2]


def test_without_a_last_attempt_delays_never_end():
    backoff = Backoff(first=1, factor=1, attempts=None)
    assert list(itertools.islice(backoff.delays(), 50)) == [1.0] * 50
    assert backoff.patience() is None


def test_one_attempt_means_no_retry():
    backoff = Backoff(attempts=1)
    assert backoff.delay(1) is None
    assert list(backoff.delays()) == []
    assert backoff.patience() == 0


def test_jitter_is_asked_with_the_capped_delay():
    jitter = mock.Mock(return_value=0.25)
    backoff = Backoff(first=4, limit=6, jitter=jitter)
    assert backoff.delay(3) == 0.25
    jitter.assert_called_once_with(6)


def test_jitter_cannot_make_a_delay_negative():
    backoff = Backoff(jitter=lambda seconds: -seconds)
    delay = backoff.delay(1)
    assert delay == 0.0
    assert str(delay) == "0.0"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first": -0.1}, "not negative: -0.1"),
        ({"factor": 0.99}, "a factor is 1 or more: 0.99"),
        ({"first": 3, "limit": 2.5}, "the limit 2.5 is below the first delay 3"),
        ({"attempts": 0}, "1 attempt or more: 0"),
    ],
    ids=["first", "factor", "limit", "attempts"],
)
def test_what_cannot_be(changes, message):
    with pytest.raises(ValueError, match=message):
        Backoff(**changes)


def test_the_least_that_can_be():
    backoff = Backoff(first=0, factor=1, limit=0, attempts=2)
    assert list(backoff.delays()) == [0.0]


def test_a_delay_needs_a_failure():
    with pytest.raises(ValueError, match="after a failure"):
        Backoff().delay(0)


def test_it_is_frozen_and_compares_without_jitter():
    plain, shaken = Backoff(first=2), Backoff(first=2, jitter=abs)
    assert plain == shaken
    assert hash(plain) == hash(shaken)
    assert "jitter" not in repr(shaken)
    with pytest.raises(dataclasses.FrozenInstanceError):
        plain.first = 3


def test_reading_all_parts_in_any_order():
    expected = Backoff(first=0.5, factor=3, limit=10, attempts=4)
    words = ["0.5s", "x3", "<=10s", "4t"]
    for order in itertools.permutations(words):
        assert parse_backoff(" ".join(order)) == expected


def test_what_is_not_said_comes_from_the_default():
    base = Backoff(first=2, factor=1.5, limit=9, attempts=None, jitter=abs)
    assert parse_backoff(None, base) is base
    read = parse_backoff("x2 7t", base)
    assert (read.first, read.factor, read.limit, read.attempts) == (2, 2, 9, 7)
    assert read.jitter is abs
    read = parse_backoff("3s <=4s", base)
    assert (read.first, read.factor, read.limit, read.attempts) == (3, 1.5, 4, None)


def test_nothing_at_all_is_the_usual_backoff():
    assert parse_backoff(None) == Backoff()
    assert parse_backoff("") == Backoff()


@pytest.mark.parametrize(
    ("text", "message"),
    [("5", "not a part of a backoff: '5'"), ("1s 2s", "said twice: '2s'"), ("x", "'x'")],
)
def test_what_cannot_be_read(text, message):
    with pytest.raises(ValueError, match=message):
        parse_backoff(text)
