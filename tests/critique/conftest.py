"""A change and a case around it, for the tests of critics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bebug.records import Case, Change, Label


@pytest.fixture
def change() -> Callable[..., Change]:
    """A change of one file: *lines* are the body of its only hunk, each with its mark."""

    def make(*lines: str, path: str = "pkg/core.py", name: str = "x") -> Change:
        old = sum(line[0] != "+" for line in lines)
        new = sum(line[0] != "-" for line in lines)
        head = f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,{old} +1,{new} @@\n"
        diff = head + "".join(f"{line}\n" for line in lines)
        return Change(id=name, title="Change it", body="", diff=diff.encode())

    return make


@pytest.fixture
def case() -> Callable[..., Case]:
    def make(name: str, label: Label = Label.BAD, **changes: Any) -> Case:
        given = {"diff": b"", "defect_class": "off-by-one" if label is Label.BAD else "none", **changes}
        return Case(
            id=name,
            label=label,
            track="source",
            operator="o/r",
            title="Change it",
            body="",
            description="",
            seed={},
            base_patch=b"",
            path="pkg/core.py",
            span={"start_line": 1, "end_line": 1},
            function="",
            twin=None,
            evidence={},
            **given,
        )

    return make
