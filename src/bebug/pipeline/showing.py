"""Showing: one case found by its id among corpora, and the mutants that a suite did not notice.

How the seed of a case is had again is told here too, and how a seed is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug.corpus import load
from bebug.corpus.codecs.native import read_rejected
from bebug.corpus.rows import to_row
from bebug.errors import CorpusError, SeedError, UsageError
from bebug.pipeline.observer import Observer
from bebug.pipeline.reopening import spec_of
from bebug.records import Case
from bebug.seeds import catalogue, describe, open_workspace
from bebug.verification import Laboratory

HOLES = ("survived", "unproved_by_tests")
"""Why a mutant that nothing notices made no case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A case, the folder of the corpus that holds it, and that corpus's manifest."""

    case: Case
    folder: Path
    manifest: Mapping[str, Any]

    @property
    def seed(self) -> str | None:
        """The `--seed` that opens the case's seed; None where only the user knows."""
        name = self.case.seed.get("name")
        return opening(self.manifest).get(str(name))

    @property
    def by_path(self) -> bool:
        """Whether the seed is a folder of somebody's machine, which no manifest can hold."""
        return local(str(self.case.seed.get("source")))

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
        case.id: Found(case=case, folder=folder, manifest=whole.manifest)
        for folder in folders(corpus)
        for whole in (load(folder),)
        for case in whole.cases
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
    return [row for folder in folders(corpus) for row in read_rejected(folder) if row["reason"] in HOLES]


# ------------------------------------------------------------------------------------------------ seeds


def opening(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Name of a seed → the `--seed` that opens it, as the recipe had it, for those where that can be told.

    Revision and version are pinned as the manifest has them. A path is the recipe's, on whatever machine.
    """
    specs = list(dict.fromkeys(_specs(manifest.get("recipe"))))
    entries = [entry for entry in manifest.get("seeds") or () if isinstance(entry, dict)]
    found = {str(entry.get("name")): _opening(entry, specs) for entry in entries}
    return {name: spec for name, spec in found.items() if spec is not None}


def placed_by_user(corpus: Path) -> dict[str, str | None]:
    """The seeds of *corpus* that lie in a folder of some machine, with the `--seed` that was said then."""
    manifest = load(corpus).manifest
    known = opening(manifest)
    entries = [entry for entry in manifest.get("seeds") or () if isinstance(entry, dict)]
    names = [str(each.get("name")) for each in entries if local(str(each.get("source")))]
    return {name: known.get(name) for name in names}


def local(source: str) -> bool:
    """Whether *source* says a folder, or a repository, of somebody's machine."""
    return source == "path" or source.startswith("git+file:")


def _specs(recipe: Any) -> Iterator[str]:
    """Every seed that a recipe, or one that a merged or split corpus keeps of its origins, was given."""
    if isinstance(recipe, dict):
        for key, value in recipe.items():
            if key == "seeds" and isinstance(value, list):
                yield from (each for each in value if isinstance(each, str))
            else:
                yield from _specs(value)
    elif isinstance(recipe, list):
        for each in recipe:
            yield from _specs(each)


def _opening(entry: Mapping[str, Any], specs: list[str]) -> str | None:
    name, source = str(entry.get("name")), str(entry.get("source"))
    if local(source):
        spec = _folder(name, source, specs)
        return spec if spec is None or source == "path" else f"{spec}@{entry.get('version')}"
    if source == "pypi" and specs and name not in specs:
        return f"pypi:{name}=={entry.get('version')}"
    try:
        return spec_of(entry)
    except (SeedError, KeyError):
        return None


def _folder(name: str, source: str, specs: list[str]) -> str | None:
    """The one of *specs* that is a folder and can be *name*: the only one, or the one of that last part."""
    known = catalogue()
    words = [spec for spec in specs if not (spec in known or spec.startswith("pypi:") or "://" in spec)]
    if source != "path":
        words = [spec.removeprefix("git+").rpartition("@")[0] or spec for spec in words if "@" in spec]
    if len(words) == 1:
        return words[0]
    last = source.removeprefix("git+file:") if source != "path" else name
    named = [word for word in words if Path(word).name == last]
    return named[0] if len(named) == 1 else None


def seed_facts(spec: str, *, python: Path | None, observer: Observer) -> dict[str, Any]:
    """What a manifest says of the seed *spec*, the effective `test_argv` too, with `tree` and `python`."""
    with (
        open_workspace(spec, python=python, notify=observer.note) as workspace,
        Laboratory(workspace, notify=observer.note) as laboratory,
    ):
        return {**describe(workspace), "test_argv": list(laboratory.seed.test_argv)}
