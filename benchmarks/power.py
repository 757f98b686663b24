"""Is a control that is none found out? Controls with a fault planted into what they change, by kind.

    python benchmarks/power.py ledger toolz schema --breaks 40 > power.md

For each seed, controls are mined, and into the lines that each changes one fault of the internal set is
planted: an operator that was not turned along, another name, a condition the wrong way round. What compiles
to the pristine code is left out. Each is examined as a control is; it is found out where it makes no case.
Prints Markdown: by kind of control, what found it out, and those that were let through, each by name.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from bebug.mutation.arid import ARID
from bebug.mutation.diffs import spans
from bebug.mutation.engine import mine
from bebug.pipeline.building import survey_recipe
from bebug.pipeline.likewise import planted_likewise
from bebug.pipeline.mining import drawn
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Evidence, Mutant, digest
from bebug.registry import load
from bebug.seeds import open_workspace
from bebug.verification import Candidate, Laboratory

WAYS = ("tests", "an input", "a fault no longer noticed", "does not count", "let through")


@dataclass(frozen=True)
class Broken:
    """A control gone wrong: *kind* is the control's, *note* says what was planted."""

    kind: str
    note: str
    candidate: Candidate


def broken(bench: Laboratory, mutant: Mutant, recipe: Recipe) -> Broken | None:
    """*mutant*, a control, with a fault in what it changes; None where none fits there."""
    path = mutant.site.path
    before = bench.read(path)
    after = mutant.apply(before)
    place = spans(before, after)[1]
    faults = [
        fault
        for fault in mine(path, after, recipe.faults, keep_arid=frozenset(ARID)).mutants
        if place.start_line <= fault.site.start_line and fault.site.end_line <= place.end_line
    ]
    if load("controls")[mutant.site.operator].undone:  # what follows the copy's condition never runs
        faults = [fault for fault in faults if fault.site.end_line == place.start_line]
    for fault in sorted(faults, key=lambda each: digest(mutant.key, each.key)):
        spoilt = fault.apply(after)
        codes = bench.compile(path, [before, after, spoilt])
        if codes[2] is not None and codes[2] not in codes[:2]:
            rivals = partial(planted_likewise, path, mutant.site.function, before, spoilt, recipe.faults)
            candidate = Candidate(
                path=path,
                before=before,
                after=spoilt,
                lines=(mutant.site.start_line, mutant.site.end_line),
                faults=rivals,
            )
            note = f"{path}:{mutant.site.start_line}: {mutant.note}; then {fault.note}"
            return Broken(mutant.site.operator, note, candidate)
    return None


def way(evidence: Evidence) -> str:
    """What found a broken control out."""
    if evidence.proof is not None:
        return "let through" if evidence.proof["tier"] >= "G2" else "does not count"
    if evidence.witness is not None:
        return "an input"
    if evidence.detail.startswith("with the change no test notices"):
        return "a fault no longer noticed"
    return "does not count" if evidence.status == "no_tests" else "tests"


def measured(seed: str, breaks: int, rng: int, jobs: int) -> list[tuple[Broken, str]]:
    recipe = Recipe(classes=tuple(load("controls")), seeds=(seed,))
    with open_workspace(seed) as workspace, Laboratory(workspace, jobs=jobs) as bench:
        field = survey_recipe(workspace, recipe, Silent())
        bench.baseline()
        bench.crowd()
        bench.calibrate(field.sources)
        oracle = load("oracles")["preservation"]
        by_kind: dict[str, list[Broken]] = defaultdict(list)
        each = max(1, breaks // len(recipe.classes))
        for mutant in drawn(field.mutants, rng):
            if len(by_kind[mutant.site.operator]) < each and bench.idle(mutant.site.path) is None:
                if bench.reach.silent(mutant.site.path, mutant.site.start_line, mutant.site.end_line):
                    continue
                if (made := broken(bench, mutant, recipe)) is not None:
                    by_kind[made.kind].append(made)
        chosen = [made for members in by_kind.values() for made in members]
        with ThreadPoolExecutor(bench.jobs) as pool:
            found = pool.map(lambda made: oracle.examine(bench, made.candidate), chosen)
            return [(made, way(evidence)) for made, evidence in zip(chosen, found, strict=True)]


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    ruler = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ruler, *rows))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--breaks", type=int, default=40, help="for a seed, shared among the kinds")
    parser.add_argument("--rng", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    through = []
    for seed in options.seeds:
        for made, word in measured(seed, options.breaks, options.rng, options.jobs):
            counts[made.kind][word] += 1
            if word == "let through":
                through.append(f"- {seed} {made.kind} {made.note}")
        print(f"{seed}: done", file=sys.stderr)
    rows = []
    for kind, found in sorted(counts.items()):
        known = found.total() - found["does not count"]
        rows.append(
            [
                kind,
                *(found[word] for word in WAYS),
                f"{100 * (known - found['let through']) / max(1, known):.0f} %",
            ]
        )
    total = Counter[str]()
    for found in counts.values():
        total.update(found)
    known = total.total() - total["does not count"]
    share = f"{100 * (known - total['let through']) / max(1, known):.0f} %"
    rows.append(["all", *(total[word] for word in WAYS), share])
    print(table(["control", *WAYS, "found out"], rows))
    print("\n".join(["", *through]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
