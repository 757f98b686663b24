"""Showing: one case found by its id among corpora, and the mutants that a suite did not notice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug.corpus import load
from bebug.corpus.codecs.native import read_rejected
from bebug.corpus.rows import to_row
from bebug.errors import CorpusError, UsageError
from bebug.records import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A case and the folder of the corpus that holds it."""

    case: Case
    folder: Path

    @property
    def row(self) -> dict[str, Any]:
        """The case as its corpus keeps it."""
        return to_row(self.case)


def folders(corpus: Path | None) -> list[Path]:
    """The corpus asked for, else all below `generated/`."""
    if corpus is not None:
        return [corpus]
    found = sorted(path.parent for path in Path("generated").glob("*/manifest.json"))
    if not found:
        raise CorpusError("no corpus below ./generated: name one with --corpus, or make one with `mutate`")
    return found


def find(name: str, corpus: Path | None) -> Found:
    """The case whose id is or starts with *name*; none or several is a `UsageError` that names them."""
    found = {
        case.id: Found(case=case, folder=folder)
        for folder in folders(corpus)
        for case in load(folder).cases
        if case.id.startswith(name)
    }
    if name in found:
        return found[name]
    if len(found) != 1:
        several = ", ".join(sorted(found)[:5])
        raise UsageError(
            f"{name!r} is the start of {len(found)} ids: {several}"
            if found
            else f"no case has the id {name!r}"
        )
    return next(iter(found.values()))


def survivors(corpus: Path | None) -> list[Mapping[str, Any]]:
    """Rows of the mutants that no test killed, in the order of their ids."""
    return [row for folder in folders(corpus) for row in read_rejected(folder) if row["reason"] == "survived"]
