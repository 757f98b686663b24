"""Pages made from registries: `python -m bebug.pipeline.pages` writes `docs/operators.md` anew."""

from __future__ import annotations

from pathlib import Path

from bebug.mutation.docs import page
from bebug.registry import load


def operators_page() -> str:
    """The text of `docs/operators.md`, from every operator, control and fault that is there."""
    return page(load("operators"), load("controls"), load("faults"))


if __name__ == "__main__":
    Path("docs", "operators.md").write_text(operators_page(), encoding="utf-8")
