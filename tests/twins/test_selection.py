"""The fast path of a proof, the tests that reach the changed lines, against its slow twin: all of them."""

from __future__ import annotations

from itertools import islice

import pytest

from bebug.mutation.engine import mine
from bebug.pipeline.mining import drawn
from bebug.registry import load
from bebug.seeds import open_workspace, source_files
from bebug.verification import Laboratory, judge

SAMPLE = 12


@pytest.mark.parametrize("name", ["ledger", "textindex"])
def test_no_test_outside_the_selection_notices_a_mutant(name: str) -> None:
    operators = list(load("operators").values())
    with open_workspace(name) as workspace, Laboratory(workspace) as laboratory:
        mined = [
            mutant
            for path in source_files(workspace)
            for mutant in mine(path, laboratory.read(path), operators).mutants
        ]
        baseline, noticed = laboratory.baseline(), 0
        for mutant in islice(drawn(mined, 3), SAMPLE):
            site = mutant.site
            run = laboratory.run({site.path: mutant.apply(laboratory.read(site.path))})
            failing = judge(baseline, run).fail_to_pass
            chosen = laboratory.reach.tests(site.path, site.start_line, site.end_line)
            assert chosen is None or set(failing) <= chosen, f"{site.path}:{site.start_line}: {mutant.note}"
            noticed += bool(failing)
        assert noticed >= SAMPLE / 2
