"""What a user hears while a corpus is made, and the sum of it: every mutant is accounted for."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.pipeline.building import Summary, build
from bebug.pipeline.recipe import Recipe
from bebug.verification import Limits

WEAKER = """\
from shop.shelf import below, total, unwatched


def test_again():
    assert unwatched(1)
    assert below(2, 3)


def test_sum():
    assert total([1, 2]) == 3
"""


class Ear:
    """An observer that remembers: each stage with its total and the words of its steps."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, int | None, list[str]]] = []
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def stage(self, name: str, total: int | None) -> None:
        self.stages.append((name, total, []))

    def step(self, word: str) -> None:
        self.stages[-1][2].append(word)


@pytest.fixture(scope="module")
def heard(
    write_shop: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Summary, Ear, Path]:
    folder, ear = tmp_path_factory.mktemp("heard"), Ear()
    shop = write_shop(folder / "shop")
    (shop / "tests" / "test_again.py").write_text(WEAKER)
    recipe = Recipe(classes=("deleted-assertion", "off-by-one"), seeds=(str(shop),), controls=False)
    summary = build(
        recipe, folder / "out", jobs=2, python=Path(sys.executable), limits=Limits(), observer=ear
    )
    return summary, ear, folder / "out"


def test_what_became_of_the_mutants_sums_up_to_them(heard: tuple[Summary, Ear, Path]) -> None:
    summary, _, out = heard
    said = summary.as_json()
    assert sum(said["outcomes"].values()) == said["mutants"] > 0
    assert said["proved"] == said["outcomes"]["proved"] == said["cases"]
    by_class = said["by_class"]
    assert Counter(by_class["off-by-one"]) + Counter(by_class["deleted-assertion"]) == said["outcomes"]
    assert said["killed"] == by_class["off-by-one"]["proved"] > 0
    refused = [json.loads(line) for line in (out / "rejected.jsonl").read_text().splitlines()]
    assert said["proved"] + len(refused) == said["mutants"]


def test_a_weakened_test_is_no_survivor(heard: tuple[Summary, Ear, Path]) -> None:
    summary, ear, _ = heard
    said = summary.as_json()
    assert said["by_class"]["deleted-assertion"]["proved"] > 0
    assert said["by_class"]["deleted-assertion"]["no_loss_shown"] > 0
    assert not {"survived", "unproved_by_tests"} & set(said["by_class"]["deleted-assertion"])
    assert said["survived"] == said["by_class"]["off-by-one"]["unproved_by_tests"] == summary.holes
    words = next(words for name, _, words in ear.stages if name.endswith(": deleted-assertion"))
    assert set(words) == {"proved", "no loss shown"}


def test_source_classes_come_before_the_kill_matrix_which_has_a_total(
    heard: tuple[Summary, Ear, Path],
) -> None:
    _, ear, _ = heard
    names = [name for name, *_ in ear.stages]
    (at,) = [
        number
        for number, name in enumerate(names)
        if ": kill matrix (which tests notice which fault)" in name
    ]
    assert names.index("shop: off-by-one") < at < names.index("shop: deleted-assertion")
    _, total, words = ear.stages[at]
    assert total == len(words) > 0
    assert "noticed" in words and not {"cold", "killed", "survived"} & set(words)


def test_the_length_of_the_baseline_is_told(heard: tuple[Summary, Ear, Path]) -> None:
    _, ear, _ = heard
    assert any("three or more whole runs" in name for name, *_ in ear.stages)
    assert any("tests count; a whole run takes" in note for note in ear.notes)
