import pytest
from helpers import outcome

from errands import History, State

DONE, FAILED, EXPIRED = State.DONE, State.FAILED, State.EXPIRED


def ids(outcomes):
    return [item.job_id for item in outcomes]


@pytest.fixture
def history():
    """Seven outcomes: j1 to j7, which took 1 to 7 seconds."""
    found = History()
    for number in range(1, 8):
        found.add(outcome(number, seconds=float(number)))
    return found


def of_states(*states):
    return History(outcomes=[outcome(number, state=state) for number, state in enumerate(states)])


def test_all_are_kept_without_a_capacity(history):
    assert len(history) == 7
    assert history.forgotten == 0
    assert ids(history) == [f"j{number}" for number in range(1, 8)]


@pytest.mark.parametrize(("capacity", "kept"), [(1, ["j4"]), (3, ["j2", "j3", "j4"])])
def test_the_oldest_are_forgotten(capacity, kept):
    history = History(capacity)
    for number in range(1, 5):
        history.add(outcome(number))
    assert ids(history) == kept
    assert history.forgotten == 4 - capacity


def test_a_full_history_has_forgotten_nothing():
    history = History(2, [outcome(1), outcome(2)])
    assert (len(history), history.forgotten) == (2, 0)
    history = History(2, [outcome(1), outcome(2), outcome(3)])
    assert (ids(history), history.forgotten) == (["j2", "j3"], 1)


def test_nothing_to_note(history):
    history.add(None)
    assert len(history) == 7


def test_a_history_holds_something():
    with pytest.raises(ValueError, match="1 outcome or more: 0"):
        History(0)


def test_histories_share_nothing():
    first, second = History(), History()
    first.add(outcome(1))
    assert len(second) == 0


def test_last(history):
    assert ids(history.last()) == ["j7"]
    assert ids(history.last(3)) == ["j7", "j6", "j5"]
    assert ids(history.last(7)) == ids(history.last(99)) == ids(reversed(history.outcomes))
    assert history.last(0) == history.last(-2) == []


def test_pages(history):
    assert ids(history.page(1, 3)) == ["j1", "j2", "j3"]
    assert ids(history.page(3, 3)) == ["j7"]
    assert history.page(4, 3) == []
    assert ids(history.page(7, 1)) == ["j7"]
    assert [history.pages(size) for size in (1, 3, 6, 7, 8)] == [7, 3, 2, 1, 1]
    assert History().pages(5) == 1


@pytest.mark.parametrize(("number", "size"), [(0, 1), (1, 0), (-1, 3)])
def test_pages_count_from_one(history, number, size):
    with pytest.raises(ValueError, match="count from 1"):
        history.page(number, size)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (None, None, 7),
        (3, 5, 2),
        (None, 2, 1),
        (6, None, 2),
        (0, None, 7),
        (None, 0, 0),
        (3.5, 3.9, 0),
    ],
)
def test_between(history, start, end, expected):
    assert len(history.between(start, end)) == expected


def test_find_the_latest_of_a_job():
    history = History()
    history.add(outcome(1, finished=5))
    history.add(outcome(2))
    history.add(outcome(1, finished=9, error="late"))
    assert history.find("j1").finished == 9
    assert history.find("j3") is None


def test_errors():
    history = History(outcomes=[outcome(1, error="broken"), outcome(2), outcome(3, error="")])
    assert history.error_of("j1") == "broken"
    assert history.error_of("j2") == ""
    assert history.error_of("j2", "fine") == "fine"
    assert history.error_of("j3", "fine") == ""
    assert history.error_of("j9", "unknown") == "unknown"


@pytest.mark.parametrize(
    ("states", "wanted", "expected"),
    [
        ((), None, 0),
        ((DONE,), None, 1),
        ((DONE, FAILED, FAILED), None, 2),
        ((DONE, FAILED, FAILED), FAILED, 2),
        ((DONE, FAILED, FAILED), DONE, 0),
        ((FAILED, DONE, DONE, DONE), DONE, 3),
        ((EXPIRED, EXPIRED), None, 2),
    ],
)
def test_streaks(states, wanted, expected):
    assert of_states(*states).streak(wanted) == expected


def test_percentiles(history):
    expected = {1: 1, 14: 1, 15: 2, 50: 4, 85: 6, 86: 7, 100: 7}
    for percent, seconds in expected.items():
        assert history.percentile(percent) == seconds, percent


def test_percentiles_of_what_never_began():
    assert History().percentile(50) is None
    assert History(outcomes=[outcome(1, seconds=None)]).percentile(50) is None
    history = History(outcomes=[outcome(1, seconds=None), outcome(2, seconds=0.5)])
    assert history.percentile(1) == 0.5


@pytest.mark.parametrize("percent", [0, -1, 100.5, 101])
def test_what_is_no_percentile(history, percent):
    with pytest.raises(ValueError, match="above 0 and at most 100"):
        history.percentile(percent)


def test_trend(history):
    assert history.trend(1) == 1
    assert history.trend(2) == 2
    assert history.trend(3) == 3
    assert history.trend(4) is None
    assert history.trend(0) is None
    history.add(outcome(8, seconds=None))
    assert history.trend(4) is None
    history.add(outcome(9, seconds=24.0))
    assert history.trend(4) == 8.0


def test_summary():
    assert History().summary() == {}
    found = of_states(FAILED, DONE, DONE, EXPIRED).summary()
    assert list(found.items()) == [("done", 2), ("expired", 1), ("failed", 1)]
