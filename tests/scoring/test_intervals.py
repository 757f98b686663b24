"""Wilson's interval, against published tables and another library's values."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug.scoring.intervals import score

STATSMODELS = [  # statsmodels 0.15.0: proportion_confint(hits, n, 0.05, "wilson")
    (1, 4, 0.0455872608097006, 0.6993581574175982),
    (0, 2, 0.0, 0.657619772493347),
    (2, 2, 0.342380227506653, 1.0),
    (0, 1, 0.0, 0.7934506856227627),
    (1, 1, 0.2065493143772374, 1.0),
    (5, 10, 0.23659309051256394, 0.7634069094874361),
    (0, 100, 0.0, 0.03699349820698569),
    (100, 100, 0.9630065017930143, 1.0),
    (37, 1000, 0.026961180875554734, 0.05058239748206931),
    (4999, 10000, 0.4901021004111254, 0.5096979763885487),
]
NEWCOMBE = [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
    (81, 263, 0.2553, 0.3662),
    (15, 148, 0.0624, 0.1605),
    (0, 20, 0.0000, 0.1611),
    (1, 29, 0.0061, 0.1718),
]


@pytest.mark.parametrize(("hits", "n", "low", "high"), STATSMODELS)
def test_it_agrees_with_statsmodels(hits: int, n: int, low: float, high: float) -> None:
    found = score(hits, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
    assert found.value == hits / n


@pytest.mark.parametrize(("hits", "n", "low", "high"), NEWCOMBE)
def test_it_agrees_with_the_published_table(hits: int, n: int, low: float, high: float) -> None:
    found = score(hits, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5.1e-5)


def test_nothing_measured_is_none_and_not_zero() -> None:
    found = score(0, 0)
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 0)


@pytest.mark.parametrize(("hits", "n"), [(-1, 4), (5, 4), (1, 0), (0, -1)])
def test_what_is_no_rate_is_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="is no rate"):
        score(hits, n)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_rate_stays_in_bounds_and_mirrors(drawn: tuple[int, int]) -> None:
    hits, n = drawn
    found, mirror = score(hits, n), score(n - hits, n)
    assert found.low is not None and found.high is not None and found.value is not None
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert mirror.low == pytest.approx(1 - found.high)
    assert mirror.high == pytest.approx(1 - found.low)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_ten_times_the_cases_make_a_narrower_interval(drawn: tuple[int, int]) -> None:
    hits, n = drawn
    few, many = score(hits, n), score(10 * hits, 10 * n)
    assert few.low is not None and few.high is not None and many.low is not None and many.high is not None
    assert many.high - many.low < few.high - few.low
