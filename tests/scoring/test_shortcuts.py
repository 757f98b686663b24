"""What can be told without reading code: the area under the curve, and what models of tokens find."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from bebug.scoring.shortcuts import FEW, Item, Leak, area, leaks


def item(number: int, bad: bool, *, group: str = "one", added: str = "x = 1", **more: object) -> Item:
    given: dict[str, object] = {"title": "Change x.py", "body": "A change.", "removed": (), **more}
    return Item(
        id=f"{number:04d}",
        bad=bad,
        group=group,
        added=(added,),
        hunks=1,
        failed=False,
        **given,  # type: ignore[arg-type]
    )


def by_name(found: list[Leak]) -> dict[str, float | None]:
    return {leak.shortcut: leak.auc for leak in found}


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_the_area_is_what_scikit_learn_says(pairs: list[tuple[bool, int]]) -> None:
    labels = [bad for bad, _ in pairs]
    if len(set(labels)) < 2:
        return
    items = [item(number, bad) for number, bad in enumerate(labels)]
    scores = {each.id: float(score) for each, (_, score) in zip(items, pairs, strict=True)}
    assert area(items, scores) == pytest.approx(roc_auc_score(labels, [score for _, score in pairs]))


def test_a_word_of_the_title_that_only_bad_cases_have_is_found() -> None:
    items = [
        item(number, number % 2 == 0, group=f"seed{number % 3}", title="Fix" if number % 2 else "Break")
        for number in range(60)
    ]
    found = leaks(items)
    assert by_name(found)["wording"] == 1.0 and by_name(found)["rules"] == 0.5
    telling = next(leak.telling for leak in found if leak.shortcut == "wording")
    assert telling[0].startswith(("word break (bad)", "word fix (good)"))


def test_tokens_of_the_diff_are_found_and_its_size_too() -> None:
    items = [
        item(
            number,
            number % 2 == 0,
            group=f"seed{number % 4}",
            added="if x <= n:" if number % 2 == 0 else "if x < n:",
            removed=("a",) * (1 + number % 2),
        )
        for number in range(80)
    ]
    found = by_name(leaks(items))
    assert found["tokens"] == 1.0 and found["shape"] == 1.0


def test_labels_that_depend_on_nothing_are_not_told() -> None:
    dice = Random(3)
    items = [
        item(number, dice.random() < 0.5, group=f"seed{number % 6}", added=f"x = {dice.randrange(9)}")
        for number in range(600)
    ]
    for leak in leaks(items):
        assert leak.auc is not None and abs(leak.auc - 0.5) < 0.1


def test_a_model_is_never_asked_about_a_seed_that_it_knows() -> None:
    items = [
        item(number, number % 2 == 0, group=f"seed{number}", added=f"name_{number} = 1")
        for number in range(40)
    ]
    assert by_name(leaks(items))["tokens"] <= 0.6  # type: ignore[operator]  # each name is of one seed


@pytest.mark.parametrize(("bad", "good", "seeds"), [(FEW - 1, 50, 3), (50, FEW - 1, 3), (50, 50, 1)])
def test_too_little_is_not_measured(bad: int, good: int, seeds: int) -> None:
    items = [item(number, number < bad, group=f"seed{number % seeds}") for number in range(bad + good)]
    assert {leak.auc for leak in leaks(items)} == {None}
