"""Authoring: cases written by hand, as exact texts to replace in a seed's files.

Each text must occur exactly once where it is replaced: a description that no longer fits its seed is an
error, and never plants something else without a word.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bebug.errors import CorpusError
from bebug.records import Edit, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Replace *old*, which occurs exactly once, by *new*."""

    old: str
    new: str

    def edit(self, source: bytes, where: str) -> Edit:
        """The edit of *source*; a `CorpusError` names *where* the text is not there, or not once."""
        old = self.old.encode()
        if (n := source.count(old)) != 1 or not old:
            shown = self.old.strip().split("\n")[0]
            raise CorpusError(f"{where}: {shown!r:.80} must occur exactly once, and occurs {n} times")
        start = source.index(old)
        return Edit(start, start + len(old), self.new.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A fault in the source file *path*, called *rule*, that shows what a test notices."""

    path: str
    rule: str
    old: str
    new: str

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        return (Anchor(old=self.old, new=self.new),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One case as its author describes it; all of it happens in the file *path*.

    *base* makes the tree that the change starts from, of the pristine one; *change* is the change. *fault* is
    for proofs by detection; *reference* adds the asserting twin of an added test that does not assert.
    """

    name: str
    label: Label
    defect_class: str
    proof: str
    description: str
    path: str
    function: str
    change: tuple[Anchor, ...]
    base: tuple[Anchor, ...] = ()
    reference: tuple[Anchor, ...] = ()
    fault: Shot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A corpus as its author describes it: cases of one seed."""

    name: str
    seed: str
    tasks: tuple[Task, ...]


def read(file: Path) -> Script:
    """The description in *file*; a `CorpusError` names what of it is not as it must be."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{file} cannot be read as TOML: {error}") from None
    try:
        tasks = tuple(_task(dict(row)) for row in table.pop("case"))
        script = Script(tasks=tasks, **table)
    except (KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{file} does not describe cases as it must: {error}") from None
    if len({task.name for task in tasks}) < len(tasks):
        raise CorpusError(f"{file}: two cases have one name")
    return script


def replaced(source: bytes, anchors: Sequence[Anchor], where: str) -> bytes:
    """*source* with each of *anchors* replaced, one after the other."""
    for anchor in anchors:
        edit = anchor.edit(source, where)
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


def _task(row: dict[str, Any]) -> Task:
    row["label"] = Label(row["label"])
    row["defect_class"] = row.pop("class")
    for key in ("base", "change", "reference"):
        row[key] = tuple(Anchor(**anchor) for anchor in row.get(key, ()))
    fault: Mapping[str, str] | None = row.get("fault")
    row["fault"] = Shot(**fault) if fault is not None else None
    for field in fields(Task):
        if field.type == "str" and not isinstance(row[field.name], str):
            raise TypeError(f"{field.name} must be a text")
    if not row["change"]:
        raise ValueError(f"{row['name']} changes nothing")
    return Task(**row)
