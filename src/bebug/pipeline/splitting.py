"""Splitting: one corpus as two that share no seed, so that what is tuned on one is measured on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus import files, licences, whole
from bebug.corpus.manifest import build
from bebug.corpus.whole import NAMES, Whole
from bebug.errors import CorpusError, UsageError
from bebug.records import digest

TRAIN, TEST = "train", "test"
PARTS = (TRAIN, TEST)


def split(folder: Path, out: Path, *, ratio: float = 0.8, rng: int = 0) -> dict[str, Whole]:
    """Write the corpus in *folder* as `out/train`, with about *ratio* of its cases, and `out/test`.

    Whole seeds go to one side, and seeds that are one tree under two names stay together. A corpus with one
    seed is a `CorpusError`.
    """
    if not 0 < ratio < 1:
        raise UsageError(f"--ratio must lie between 0 and 1, not {ratio}")
    source = whole.read(folder)
    sides = divided(trees(source), ratio, rng)
    if sides is None:
        raise CorpusError(
            f"{folder} holds cases of one seed only: both parts would know it; merge it with another first"
        )
    for part in PARTS:
        files.empty_folder(out / part)
    found = {}
    for part in PARTS:
        seeds = {name for name, side in sides.items() if side == part}
        recipe = {"split": {"of": source.origin, "ratio": ratio, "rng": rng, "part": part}}
        found[part] = part_of(source, seeds, recipe, part)
        whole.write(found[part], out / part)
    return found


def trees(source: Whole) -> dict[str, Counter[str]]:
    """Digest of a tree → the seeds that are it, each with its number of cases."""
    known = {str(entry.get("name")): str(entry.get("sha256")) for entry in source.seeds}
    found: dict[str, Counter[str]] = {}
    for name, sha256 in known.items():
        found.setdefault(sha256, Counter())[name] = 0
    for case in source.cases:
        name = str(case.seed.get("name"))
        if name not in known:
            raise CorpusError(f"{case.id}: its seed {name!r} is not one that the manifest names")
        found[known[name]][name] += 1
    return found


def divided(groups: Mapping[str, Counter[str]], ratio: float, rng: int) -> dict[str, str] | None:
    """Seed → part: in an order drawn by *rng*, each tree goes where more is missing. None: there is one."""
    drawn = sorted(groups, key=lambda tree: digest(str(rng), *sorted(groups[tree])))
    filled = [tree for tree in drawn if groups[tree].total()]
    if len(filled) < 2:
        return None
    total = sum(groups[tree].total() for tree in filled)
    wanted = {TRAIN: ratio * total, TEST: (1 - ratio) * total}
    held, chosen = {TRAIN: 0, TEST: 0}, dict[str, str]()
    for left, tree in zip(range(len(filled), 0, -1), filled, strict=True):
        empty = [part for part in PARTS if not held[part]]
        open_parts = empty if len(empty) == left else PARTS
        part = max(open_parts, key=lambda part: (wanted[part] - held[part], part))
        held[part] += groups[tree].total()
        chosen[tree] = part
    return {name: chosen.get(tree, TRAIN) for tree, members in groups.items() for name in members}


def part_of(source: Whole, seeds: Iterable[str], recipe: Mapping[str, Any], name: str) -> Whole:
    """What of *source* belongs to *seeds*, with a manifest of its own."""
    chosen = set(seeds)
    cases = [case for case in source.cases if case.seed.get("name") in chosen]
    rejected = [row for row in source.rejected if row.get("seed") in chosen]
    made = build(
        name=name,
        version=__version__,
        recipe=recipe,
        seeds=[entry for entry in source.seeds if entry.get("name") in chosen],
        cases=cases,
        rejected=rejected,
    )
    ids = {case.id for case in cases}
    if names := {case: name for case, name in source.names.items() if case in ids}:
        made[NAMES] = names
    folders = {licences.folder_of(name) for name in chosen}
    return Whole(
        manifest=made,
        cases=cases,
        rejected=rejected,
        licences={seed: found for seed, found in source.licences.items() if seed in folders},
    )
