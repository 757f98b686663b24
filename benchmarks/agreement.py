"""Do the tiers agree? The same mutants by forks of one session, by forked runs, by processes of their own.

    python benchmarks/agreement.py toolz schema humanize --mutants 200 > agreement.md

For each seed, *mutants* of the internal faults are drawn, those left out that no test reaches. Forks and
forked runs are asked about the tests that reach a mutant, the process of its own runs the whole suite: the
sets of failing tests must be equal, or a tier is wrong or the selection is. Where a tier gives no answer (a
fork cannot swap the code, or the child hangs or dies), that is counted by itself and is no disagreement.
Tests that read the source or start processes are left out: no fork is asked about them.
Prints Markdown: a line a seed, then a line for each disagreement.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bebug.corpus.journal import Journal
from bebug.pipeline.building import survey_recipe
from bebug.pipeline.mining import drawn
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Mutant, Status
from bebug.seeds import open_workspace
from bebug.verification import Laboratory, Limits, judge

ANSWERS = (Status.KILLED, Status.SURVIVED)


@dataclass(frozen=True)
class Said:
    """What one tier said of one mutant: *failing* is None where it has no answer, and *word* why."""

    word: str
    failing: frozenset[str] | None


def asked(bench: Laboratory, fault: Mutant, tests: tuple[str, ...] | None, *, warm: bool) -> Said:
    run = bench.run(bench.faults.planted(fault), tests=tests, warm=warm)
    judged = judge(bench.current, run, green=tests)
    answered = judged.status in ANSWERS and not judged.lost
    failing = frozenset(judged.fail_to_pass) - left_out(bench)
    return Said(judged.status.value, failing if answered else None)


def left_out(bench: Laboratory) -> frozenset[str]:
    return bench.source_readers | bench.reach.always


def compared(seed: str, mutants: int, rng: int, jobs: int) -> tuple[list[object], list[str]]:
    """The seed's line, and its disagreements."""
    recipe = Recipe(classes=("deleted-assertion",), seeds=(seed,))
    notes: list[str] = []
    with (
        open_workspace(seed, notify=notes.append) as workspace,
        Laboratory(workspace, limits=Limits(), jobs=jobs, notify=notes.append) as bench,
        tempfile.TemporaryDirectory() as scratch,
    ):
        field = survey_recipe(workspace, recipe, Silent())
        bench.baseline()
        bench.crowd()
        bench.calibrate(field.sources)
        chosen = [fault for fault in drawn(field.faults, rng) if reaching(bench, fault)][:mutants]
        rows = Journal(Path(scratch, "rows.sqlite"), {})
        bench.arm(chosen, shelf=rows, environment="agreement", patch=lambda fault: None)
        began = time.monotonic()
        bench.faults.fill(bench.jobs, lambda word: None, enough=0)
        seconds = {"fork": time.monotonic() - began}
        answers: dict[str, list[Said]] = {"fork": [], "forked run": [], "own process": []}
        for fault in chosen:
            row = bench.faults.known(fault)
            answered = row is not None and row.status in ANSWERS
            word = "cold" if row is None else row.status.value
            killers = frozenset(row.killers) - left_out(bench) if row and answered else None
            answers["fork"].append(Said(word, killers))
        for name in ("forked run", "own process"):
            began = time.monotonic()

            def ask(fault: Mutant, warm: bool = name == "forked run") -> Said:
                return asked(bench, fault, reaching(bench, fault) if warm else None, warm=warm)

            with ThreadPoolExecutor(bench.jobs) as pool:
                answers[name] = list(pool.map(ask, chosen))
            seconds[name] = time.monotonic() - began
        rows.close()
        distrusted = bench.distrusted
    slow = answers["own process"]
    line: list[object] = [seed, len(chosen)]
    told: list[str] = []
    for name in ("fork", "forked run"):
        pairs = [(one, other) for one, other in zip(answers[name], slow, strict=True)]
        both = [(one, other) for one, other in pairs if one.failing is not None and other.failing is not None]
        differing = sum(one.failing != other.failing for one, other in both)
        silent = Counter(one.word for one, _ in pairs if one.failing is None)
        line += [len(both), differing, ", ".join(f"{n} {word}" for word, n in sorted(silent.items())) or "-"]
        line.append(f"{seconds['own process'] / seconds[name]:.1f}")
    for number, fault in enumerate(chosen):
        for name in ("fork", "forked run"):
            one, other = answers[name][number], slow[number]
            if one.failing is not None and other.failing is not None and one.failing != other.failing:
                more, less = sorted(one.failing - other.failing), sorted(other.failing - one.failing)
                told.append(
                    f"- {seed} {fault.site.path}:{fault.site.start_line} {fault.note}: the {name} alone has "
                    f"{more or 'none'}, the process of its own alone {less or 'none'}"
                )
    if distrusted:
        told.append(f"- {seed}: forked runs were given up: {distrusted}")
    return line, told


def reaching(bench: Laboratory, fault: Mutant) -> tuple[str, ...]:
    site = fault.site
    if bench.reach.silent(site.path, site.start_line, site.end_line):
        return ()
    reached = bench.reach.tests(site.path, site.start_line, site.end_line)
    return tuple(test for test in bench.current.green if reached is None or test in reached)


HEAD = (
    "seed",
    "mutants",
    *("fork: both answered", "differ", "no answer", "times as fast"),
    *("forked run: both answered", "differ", "no answer", "times as fast"),
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--mutants", type=int, default=100)
    parser.add_argument("--rng", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    print("| " + " | ".join(HEAD) + " |\n| --- |" + " ---: |" * (len(HEAD) - 1), flush=True)
    told: list[str] = []
    for seed in options.seeds:
        line, more = compared(seed, options.mutants, options.rng, options.jobs)
        print("| " + " | ".join(map(str, line)) + " |", flush=True)
        told += more
    print("\n" + "\n".join(told) if told else "\nNo disagreement.")


if __name__ == "__main__":
    main(sys.argv[1:])
