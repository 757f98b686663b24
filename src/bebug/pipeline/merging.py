"""Merging: several corpora as one, the same to the byte whatever their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus import whole
from bebug.corpus.manifest import build
from bebug.corpus.whole import NAMES, Whole, content
from bebug.errors import CorpusError, UsageError
from bebug.records import Case

PROVING = ("fail_to_pass", "pass_to_pass", "killed_by", "removed_tests")


def merge(folders: Sequence[Path], out: Path) -> Whole:
    """Write the corpora in *folders* to *out* as one, and give what was written.

    A case that several hold is written once. Raises a `CorpusError` where two cases of one id differ, or two
    seeds of one name are not the same tree, run in the same way.
    """
    if not folders:
        raise UsageError("name the corpora to merge")
    parts = [whole.read(folder) for folder in folders]
    cases = merged_cases(zip(folders, parts, strict=True))
    seeds = merged_seeds(zip(folders, parts, strict=True), cases)
    rejected = unique(row for part in parts for row in part.rejected)
    made = build(
        name=out.resolve().name,
        version=__version__,
        recipe={"merged": unique(origin for part in parts for origin in origins(part))},
        seeds=seeds,
        cases=cases,
        rejected=rejected,
    )
    if names := dict(sorted(pair for part in parts for pair in part.names.items())):
        made[NAMES] = names
    found = Whole(
        manifest=made,
        cases=cases,
        rejected=rejected,
        licences=merged_licences(parts),
        warnings=sorted({warning for part in parts for warning in part.warnings}),
    )
    whole.write(found, out)
    return found


def origins(part: Whole) -> list[dict[str, Any]]:
    """What *part* was made of: itself, or, where it was merged, what it was merged from."""
    recipe = part.manifest.get("recipe")
    merged = recipe.get("merged") if isinstance(recipe, dict) else None
    return merged if isinstance(merged, list) else [part.origin]


def unique(rows: Iterable[Any]) -> list[Any]:
    """*rows*, each once, in the order of their contents."""
    return [row for _, row in sorted({content(row): row for row in rows}.items())]


def merged_cases(parts: Iterable[tuple[Path, Whole]]) -> list[Case]:
    found: dict[str, tuple[Path, Case]] = {}
    for folder, part in parts:
        for case in part.cases:
            other, known = found.setdefault(case.id, (folder, case))
            if known != case:
                key = next(key for key in case.__slots__ if getattr(case, key) != getattr(known, key))
                raise CorpusError(
                    f"{case.id} is in {other} and in {folder}, and its {key} differs: "
                    "leave one of them out, or make both again with one bebug"
                )
    return [case for _, (_, case) in sorted(found.items())]


def merged_seeds(parts: Iterable[tuple[Path, Whole]], cases: Sequence[Case]) -> list[Mapping[str, Any]]:
    """One entry a seed. Only the tests set aside may differ: one that counts for no case may join them.

    The sandboxes may too, since whatever held the runs in, the label is the same: all are named.
    """
    found: dict[str, tuple[Path, dict[str, Any]]] = {}
    for folder, part in parts:
        for entry in part.seeds:
            name = str(entry.get("name"))
            other, known = found.setdefault(name, (folder, dict(entry)))
            refuse_another(name, known, entry, other, folder)
            aside = {*known.get("set_aside", ()), *entry.get("set_aside", ())}
            known["set_aside"] = sorted(aside)
            boxes = {
                box for each in (known, entry) for box in str(each.get("sandbox", "")).split(", ") if box
            }
            if boxes:
                known["sandbox"] = ", ".join(sorted(boxes))
    for name, (_, entry) in found.items():
        refuse_spoilt(name, set(entry["set_aside"]), cases)
    return [entry for _, entry in found.values()]


def refuse_another(
    name: str, one: Mapping[str, Any], two: Mapping[str, Any], here: Path, there: Path
) -> None:
    """A `CorpusError` where two entries of one name do not mean the same tree, run in the same way."""
    for key in sorted({*one, *two} - {"set_aside", "sandbox"}):
        if one.get(key) != two.get(key):
            raise CorpusError(
                f"the seed {name} of {here} and that of {there} differ in {key} "
                f"({one.get(key)!r:.60} and {two.get(key)!r:.60}): labels of both cannot stand in one corpus"
            )


def refuse_spoilt(name: str, aside: set[str], cases: Iterable[Case]) -> None:
    """A `CorpusError` where a test set aside in one corpus carries a proof in another."""
    for case in cases:
        if case.seed.get("name") == name:
            carrying = {test for key in PROVING for test in case.evidence.get(key) or ()}
            if spoilt := sorted(aside & carrying):
                raise CorpusError(
                    f"{spoilt[0]} counts nowhere in one of the corpora, and in the proof of {case.id} in "
                    "another: make both again on one machine"
                )


def merged_licences(parts: Iterable[Whole]) -> dict[str, dict[str, bytes]]:
    found: dict[str, dict[str, bytes]] = {}
    for part in parts:
        for seed, files in part.licences.items():
            for path, text in files.items():
                if found.setdefault(seed, {}).setdefault(path, text) != text:
                    raise CorpusError(f"the licence file {path} of {seed} differs between the corpora")
    return found
