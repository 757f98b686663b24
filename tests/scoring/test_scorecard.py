"""The scorecard counts approvals of bad changes and rejections of good ones, and states over how many."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug.records import Judgement, Label, Said, Scorecard, Verdict
from bebug.scoring.confusion import confusion
from bebug.scoring.scorecard import rate

Make = Callable[..., list[Judgement]]


def card(judgements: list[Judgement]) -> Scorecard:
    return rate(judgements, backend="b", corpus="c")


def test_the_two_rates_are_over_their_own_label(judged: Make) -> None:
    found = card(judged("bad:PASS", "bad:FAIL", "bad:FAIL", "bad:FAIL", "good:PASS", "good:FAIL"))
    assert (found.false_pass.hits, found.false_pass.n, found.false_pass.value) == (1, 4, 0.25)
    assert (found.false_fail.hits, found.false_fail.n, found.false_fail.value) == (1, 2, 0.5)


def test_an_undecided_case_is_neither_pass_nor_fail_and_leaves_the_denominator(judged: Make) -> None:
    found = card(judged("bad:FAIL", "bad:FAIL", "bad:INVALID", "bad:ABSTAIN", "good:FAIL", "good:PASS"))
    assert (found.false_pass.hits, found.false_pass.n) == (0, 2)
    assert found.invalid == 1
    row = confusion(found.judgements).bad
    assert (row.n, row.answered, row.abstained, row.invalid) == (4, 2, 1, 1)


def test_a_critic_that_never_answers_has_no_rate(judged: Make) -> None:
    found = card(judged("bad:INVALID", "bad:INVALID", "good:INVALID"))
    assert found.false_pass.value is None
    assert found.false_fail.value is None
    assert found.by_class["off-by-one"].value is None
    assert found.invalid == 3


def test_no_cases_of_a_label_is_not_measured(judged: Make) -> None:
    assert card(judged("bad:PASS")).false_fail.value is None
    assert card(judged("good:PASS")).false_pass.value is None
    assert card([]).false_pass.value is None


def test_classes_are_those_of_the_bad_cases_in_order_of_name(judged: Make) -> None:
    found = card(
        judged("bad:PASS:off-by-one", "bad:FAIL:off-by-one", "bad:PASS:dropped-null-check", "good:FAIL")
    )
    assert list(found.by_class) == ["dropped-null-check", "off-by-one"]
    assert found.by_class["off-by-one"].value == 0.5
    assert found.by_class["dropped-null-check"].value == 1.0


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(Label), st.sampled_from(Said)), max_size=30), st.integers())
def test_the_order_of_judgements_does_not_matter_and_every_case_is_counted_once(
    drawn: list[tuple[Label, Said]], shuffle: int
) -> None:
    made = [
        Judgement(id=f"{n:02}", label=label, defect_class="x", verdict=Verdict(said=said))
        for n, (label, said) in enumerate(drawn)
    ]
    mixed = list(made)
    random.Random(shuffle).shuffle(mixed)
    assert card(made) == card(mixed)
    counts = confusion(made)
    assert counts.bad.n + counts.good.n == len(made)
    assert counts.bad.passed == sum(pair == (Label.BAD, Said.PASS) for pair in drawn)
    assert counts.good.failed == sum(pair == (Label.GOOD, Said.FAIL) for pair in drawn)


@pytest.mark.parametrize("said", ["PASS", "FAIL"])
def test_a_critic_of_one_word_scores_one_and_zero(judged: Make, said: str) -> None:
    found = card(judged(*[f"bad:{said}"] * 7, *[f"good:{said}"] * 5))
    assert found.false_pass.value == (said == "PASS")
    assert found.false_fail.value == (said == "FAIL")
