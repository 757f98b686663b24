"""Every trap that docs/traps.md names is a test that exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")
NAME = re.compile(r"`([\w/]+\.py)::(\w+)`")


def rows() -> list[tuple[str, str]]:
    """Trap and tests of each row of each table, heads and rules left out."""
    lines = (ROOT / "docs" / "traps.md").read_text("utf-8").splitlines()
    found = [match.groups() for line in lines if (match := ROW.match(line))]
    assert len(found) == sum(line.startswith("|") for line in lines), "a row is not of three cells"
    return [(trap, tests) for trap, _, tests in found if trap not in ("trap", "---")]


def names_in(file: Path) -> set[str]:
    """Names of the tests that pytest would collect at the top of *file*, read without importing it."""
    tree = ast.parse(file.read_bytes())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"}


def test_there_are_traps_and_none_is_told_twice() -> None:
    traps = [trap for trap, _ in rows()]
    assert len(traps) > 60
    assert len(set(traps)) == len(traps)


@pytest.mark.parametrize(("trap", "cell"), rows(), ids=[trap for trap, _ in rows()])
def test_every_trap_has_a_test_that_exists(trap: str, cell: str) -> None:
    named = NAME.findall(cell)
    assert named and NAME.sub("", cell).strip(", ") == "", trap
    for file, test in named:
        assert test in names_in(ROOT / "tests" / file), f"{file}::{test}"
