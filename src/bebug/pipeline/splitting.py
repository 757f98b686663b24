"""Splitting: one corpus as two that share no seed, so that what is tuned on one is measured on the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus import files, licences, whole
from bebug.corpus.manifest import build
from bebug.corpus.whole import NAMES, Whole
from bebug.errors import CorpusError, UsageError
from bebug.records import Case, digest

TRAIN, TEST = "train", "test"
PARTS = (TRAIN, TEST)
DRAWS = 500  # divisions that are tried
NEAR = 0.01  # a division that misses the ratio by no more than this share of the cases is near enough


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
    """Seed → part: the first of some divisions drawn by *rng* that is near *ratio*, else the nearest.

    None where there are cases of one tree only.
    """
    sizes = {tree: members.total() for tree, members in groups.items() if members.total()}
    if len(sizes) < 2:
        return None
    wanted = ratio * sum(sizes.values())
    best: dict[str, str] = {}
    missed = float("inf")
    for draw in range(DRAWS):
        sides = dealt(
            sorted(sizes, key=lambda tree: digest(str(rng), str(draw), *sorted(groups[tree]))), sizes, wanted
        )
        miss = abs(wanted - sum(size for tree, size in sizes.items() if sides[tree] == TRAIN))
        if miss < missed:
            best, missed = sides, miss
        if miss <= NEAR * sum(sizes.values()):
            break
    return {name: best.get(tree, TRAIN) for tree, members in groups.items() for name in members}


def dealt(order: Sequence[str], sizes: Mapping[str, int], wanted: float) -> dict[str, str]:
    """Trees in their order go to train as long as that brings it nearer to *wanted*; no part stays empty."""
    chosen, held = dict[str, str](), 0
    for tree in order:
        nearer = abs(wanted - held - sizes[tree]) < abs(wanted - held)
        chosen[tree] = TRAIN if nearer else TEST
        held += sizes[tree] if nearer else 0
    if len(set(chosen.values())) < len(PARTS):
        chosen[order[-1]] = TEST if chosen[order[-1]] == TRAIN else TRAIN
    return chosen


def part_of(
    source: Whole,
    seeds: Iterable[str],
    recipe: Mapping[str, Any],
    name: str,
    cases: Sequence[Case] | None = None,
) -> Whole:
    """What of *source* belongs to *seeds* (all cases, or *cases*), with a manifest of its own."""
    chosen = set(seeds)
    if cases is None:
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
