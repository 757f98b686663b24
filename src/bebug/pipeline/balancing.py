"""Balancing: a part of a corpus whose labels no shortcut tells, by leaving out what is most easily told.

The same idea as adversarial filtering (AFLite, Le Bras et al. 2020): the cases that a model of other seeds is
surest of, and right about, go, some of each label at a time, until it is near chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bebug.corpus import files, whole
from bebug.errors import NothingFound
from bebug.pipeline.auditing import MARGIN, comparable, item_of
from bebug.pipeline.observer import Observer
from bebug.pipeline.splitting import part_of
from bebug.records import Case, Label
from bebug.scoring.shortcuts import Leak, leaks

STEP = 0.04  # the share of a class that goes at a time
LEAST = 20  # cases of a class, below which it goes as a whole


@dataclass(slots=True, kw_only=True)
class Balanced:
    """What a balancing kept. *dropped*: classes of which too little would be left; *leaks* of the others."""

    before: int
    cases: int
    dropped: list[str] = field(default_factory=list)
    leaks: dict[str, list[Leak]] = field(default_factory=dict)


def balance(folder: Path, out: Path, *, margin: float = MARGIN, observer: Observer) -> Balanced:
    """Write to *out* the part of the corpus in *folder* on which no shortcut beats chance by *margin*.

    Raises `NothingFound` where nothing is left.
    """
    source = whole.read(folder)
    kept = {case.id: case for case in source.cases}
    found = Balanced(before=len(kept), cases=0)
    classes = sorted({case.defect_class for case in source.cases if case.label is Label.BAD})
    observer.stage("balancing", None)
    settled = False
    while not settled:
        settled = True
        for name in list(classes):
            members = comparable(list(kept.values()))[name]
            told = leaks([item_of(case) for case in members])
            worst = max(told, key=lambda leak: leak.auc if leak.auc is not None else 1.0)
            if worst.auc is None or len(members) < LEAST:
                classes.remove(name)
                found.dropped.append(name)
                bad = [case for case in members if case.defect_class == name]
                gone = [each for case in bad for each in (case.id, case.twin) if each is not None]
            elif worst.auc > 0.5 + margin:
                gone = easiest(members, worst)
            else:
                found.leaks[name] = told
                continue
            settled = False
            observer.step(name)
            kept = without(kept, gone)
    if not classes:
        raise NothingFound(
            f"no part of {folder} is free of what gives the labels away",
            reasons=Counter({f"{name}: too few cases would be left": 1 for name in found.dropped}),
        )
    groups = comparable(list(kept.values()))
    used = {case.id: case for name in classes for case in groups[name]}  # no good case of a class left out
    cases = sorted(used.values(), key=lambda case: case.id)
    found.cases = len(cases)
    seeds = {str(case.seed.get("name")) for case in cases}
    recipe = {"balanced": {"of": source.origin, "margin": margin}}
    files.empty_folder(out)
    whole.write(part_of(source, seeds, recipe, out.name, cases), out)
    return found


def easiest(members: Sequence[Case], leak: Leak) -> list[str]:
    """The cases that a shortcut is surest of and right about: as many bad ones as good ones."""
    scores = leak.scores or {}
    count = max(1, math.ceil(STEP * len(members) / 2))
    bad = sorted((-scores[case.id], case.id) for case in members if case.label is Label.BAD)
    good = sorted((scores[case.id], case.id) for case in members if case.label is Label.GOOD)
    return [name for _, name in (*bad[:count], *good[:count])]


def without(kept: dict[str, Case], gone: Sequence[str]) -> dict[str, Case]:
    """*kept* less the cases *gone*; what was a twin of one stands alone."""
    left = {name: case for name, case in kept.items() if name not in set(gone)}
    return {
        name: case if case.twin is None or case.twin in left else replace(case, twin=None)
        for name, case in left.items()
    }
