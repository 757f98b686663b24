"""Faults that can be planted likewise before and after a change: what a control must leave as noticeable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bebug.mutation.arid import ARID
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.mutation.sources import Unreadable
from bebug.records import Mutant, digest
from bebug.verification import Planted

MOST = 12  # faults of a function

Key = tuple[str, str, str, tuple[bytes, ...], int]


def planted_likewise(
    path: str, function: str, before: bytes, after: bytes, faults: Sequence[Operator]
) -> tuple[Planted, ...]:
    """Faults in *function* that both versions of the file can have: `MOST`, and the same ones each time."""
    try:
        old, new = (found_in(path, function, raw, faults) for raw in (before, after))
    except Unreadable:
        return ()
    shared = sorted(old.keys() & new.keys(), key=lambda key: digest(*map(str, key)))
    return tuple(
        Planted(
            name=f"{old[key].site.operator}: {old[key].note}",
            lines=(old[key].site.start_line, old[key].site.end_line),
            before=old[key].apply(before),
            after=new[key].apply(after),
        )
        for key in shared[:MOST]
    )


def found_in(path: str, function: str, raw: bytes, faults: Sequence[Operator]) -> dict[Key, Mutant]:
    """The faults in *function*, by what they do to which text, and which of those that do the same."""
    counted: Counter[tuple[str, str, str, tuple[bytes, ...]]] = Counter()
    found: dict[Key, Mutant] = {}
    for mutant in mine(path, raw, faults, keep_arid=frozenset(ARID)).mutants:
        site = mutant.site
        if not function or site.function != function:
            continue
        what = (site.operator, site.rule, site.text, tuple(edit.text for edit in mutant.edits))
        found[(*what, counted[what])] = mutant
        counted[what] += 1
    return found
