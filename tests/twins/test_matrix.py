"""The kill matrix knows which faults a test alone notices, though it does not ask every test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bebug.corpus.journal import Journal
from bebug.pipeline.building import survey_recipe
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Status
from bebug.seeds import open_workspace
from bebug.verification import Laboratory


@pytest.mark.slow
def test_what_a_test_alone_notices_is_known_when_few_are_asked(tmp_path: Path) -> None:
    recipe = Recipe(classes=("deleted-assertion",), seeds=("measures",))
    found = []
    with open_workspace("measures") as workspace, Laboratory(workspace, jobs=2) as bench:
        faults = survey_recipe(workspace, recipe, Silent()).faults
        for enough in (3, 0):
            rows = Journal(tmp_path / f"rows{enough}.sqlite", {})
            bench.arm(faults, shelf=rows, environment="here", patch=lambda fault: None)
            bench.faults.fill(2, lambda word: None, enough=enough)
            found.append(alone(bench))
            rows.close()
    assert found[0] == found[1]
    assert sum(map(len, found[0].values())) > 100


def alone(bench: Laboratory) -> Mapping[str, list[str]]:
    """Place of a test function → the faults that its tests alone notice."""
    places: dict[str, set[str]] = {}
    for test in bench.current.green:
        places.setdefault(bench.current.places.get(test, test), set()).add(test)
    rows = {fault.key: bench.faults.known(fault) for fault in bench.faults._faults}
    killed = {key: row.killers for key, row in rows.items() if row and row.status is Status.KILLED}
    return {
        place: sorted(key for key, killers in killed.items() if tests.issuperset(killers))
        for place, tests in places.items()
    }
