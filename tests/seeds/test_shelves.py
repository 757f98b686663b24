"""A shelf is the same for the same seed on the same Python with the same packages, and for no other."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from bebug.seeds import open_workspace, shelf

HERE = Path(sys.executable)


def test_the_same_workspace_finds_its_shelf_again(repository: Path, cache: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        first = shelf(workspace)
    (first / "kept").write_text("x")
    with open_workspace(str(repository), python=HERE) as workspace:
        assert shelf(workspace) == first
    assert (first / "kept").read_text() == "x"
    assert first.is_relative_to(cache)


def test_whatever_may_change_an_outcome_asks_for_another_shelf(repository: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        seed = workspace.seed
        others = [
            replace(workspace, python_version="3.99.0"),
            replace(workspace, packages=(*workspace.packages, "zope==1")),
            *(
                replace(workspace, seed=replace(seed, **{field: "other"}))
                for field in ("name", "version", "sha256")
            ),
        ]
        assert len({shelf(each) for each in [workspace, *others]}) == 6
    (repository / "shop" / "till.py").write_text("def total(prices):\n    return 3\n")
    with open_workspace(str(repository), python=HERE) as changed:
        assert shelf(changed) != shelf(workspace)
