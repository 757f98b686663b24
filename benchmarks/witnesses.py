"""How often an input shows what tests show: witnesses on mutants that a suite notices, and on the rest.

    python benchmarks/witnesses.py ledger toolz schema --mutants 60 --unchanged 100 > witnesses.md

For each seed, *mutants* of the source classes are drawn. A whole run says which of them tests notice, a
search looks for an input that shows each; one that is found is typed, as it is printed, into a Python that
knows nothing of bebug, on either tree. Then *unchanged* functions are searched as if they had been changed:
any witness there is false. Data are plain where every recorded call of a function has literals alone.
Prints Markdown.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import Any

from bebug.pipeline.building import survey_recipe
from bebug.pipeline.mining import drawn
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Mutant, Status, Workspace
from bebug.seeds import open_workspace
from bebug.verification import Candidate, Laboratory, judge
from bebug.verification.witness import Found

CLASSES = ("dropped-null-check", "off-by-one")
LATE = "does not return"
PROGRAM = """
import sys
sys.path[:0] = {roots!r}
import {module}
try:
    exec({lines!r})
    print(repr(eval({call!r})))
except BaseException as error:
    print("raises", type(error).__qualname__)
"""


@dataclass(frozen=True)
class Searched:
    """One mutant: whether a test *noticed* it, what the search found, in how long, and whether that types."""

    operator: str
    noticed: bool
    plain: str  # "plain", "objects", or "not called"
    found: Found
    seconds: float
    typed: bool | None = None


def candidate_of(bench: Laboratory, mutant: Mutant) -> Candidate:
    before = bench.read(mutant.site.path)
    lines = (mutant.site.start_line, mutant.site.end_line)
    return Candidate(path=mutant.site.path, before=before, after=mutant.apply(before), lines=lines)


def searched(bench: Laboratory, workspace: Workspace, mutant: Mutant) -> Searched | None:
    """What comes of *mutant*; None where neither a kill nor a survival is what a run says."""
    candidate = candidate_of(bench, mutant)
    judged = judge(bench.current, bench.run({candidate.path: candidate.after}, warm=True))
    if judged.status not in (Status.KILLED, Status.SURVIVED):
        return None
    began = time.monotonic()
    found = bench.witness(candidate)
    seconds = time.monotonic() - began
    typed = None
    if found.witness is not None:
        typed = types(bench, workspace, candidate, found.witness)
    return Searched(
        operator=mutant.site.operator,
        noticed=judged.status is Status.KILLED,
        plain=plainness(bench, candidate),
        found=found,
        seconds=seconds,
        typed=typed,
    )


def plainness(bench: Laboratory, candidate: Candidate) -> str:
    """Whether the calls that were recorded of the function around a change are of plain data."""
    witnesses = bench._witnesses
    lines = [int(line) for line in (witnesses.calls.get(candidate.path, {}) if witnesses else {})]
    begun = [line for line in lines if line <= candidate.lines[0]]
    node = enclosing(candidate)
    if node is None or not begun or max(begun) < first_line(node):
        return "not called"
    calls = witnesses.calls[candidate.path][str(max(begun))] if witnesses else []
    texts = [text for call in calls for text in (*call["args"], *call["kwargs"].values())]
    whole = ast.walk(ast.parse(candidate.before))
    method = any(
        isinstance(each, ast.ClassDef) and ast.dump(node) in map(ast.dump, each.body) for each in whole
    )
    if method:
        return "objects"
    texts += [call["first"] or "?" for call in calls if call["count"]]
    return "plain" if all(literal(text) for text in texts) else "objects"


def literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return True


def first_line(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def enclosing(candidate: Candidate) -> Any:
    """The innermost function around the change."""
    found = None
    for node in functions(candidate.before):
        if first_line(node) <= candidate.lines[0] and candidate.lines[1] <= (node.end_lineno or 0):
            found = node
    return found


def functions(source: bytes) -> Iterator[Any]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def types(bench: Laboratory, workspace: Workspace, candidate: Candidate, witness: Mapping[str, Any]) -> bool:
    """Whether typing *witness* gives what it says, on trees of their own."""
    module = {path: name for name, path in sorted(bench._loaded.items(), key=lambda each: -len(each[0]))}
    for content, said in ((candidate.before, witness["before"]), (candidate.after, witness["after"])):
        with bench.sandbox.room({candidate.path: content}) as room:
            roots = [
                os.path.normpath(room.tree / root)
                for root in (workspace.seed.cwd, *workspace.seed.source_roots)
            ]
            program = PROGRAM.format(
                roots=roots,
                module=module[candidate.path],
                lines="\n".join([*witness["imports"], *witness["setup"]]),
                call=witness["call"],
            )
            ended = bench.sandbox.execute(
                [workspace.python, "-B", "-c", program],
                cwd=room.temporary,
                env={"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"], "HOME": str(room.home)},
                seconds=15,
                memory=bench.limits.memory,
            )
            output = ended.output.decode("utf-8", "replace").removesuffix("\n")
            seen = LATE if ended.timed_out else output.split("\n")[-1]
            if seen == "raises MemoryError":
                seen = LATE  # which of time and memory ends first is the machine's doing
            if seen != said:
                print(f"{candidate.path}: {witness} gave {seen!r}", file=sys.stderr)
                return False
    return True


def unchanged(bench: Laboratory, paths: Sequence[str], most: int) -> list[tuple[str, Found]]:
    """What searches find on functions that were not changed."""
    candidates = []
    for path in paths:
        source = bench.read(path)
        for node in functions(source):
            lines = (node.body[-1].lineno, node.body[-1].lineno)
            candidates.append(
                Candidate(path=path, before=source, after=source + b"\n# the same\n", lines=lines)
            )
    step = max(1, len(candidates) // most)
    chosen = candidates[::step][:most]
    with ThreadPoolExecutor(bench.jobs) as pool:
        return list(
            zip(
                (f"{each.path}:{each.lines[0]}" for each in chosen),
                pool.map(bench.witness, chosen),
                strict=True,
            )
        )


def measured(
    seed: str, mutants: int, functions_asked: int, rng: int, jobs: int
) -> tuple[list[Searched], list[tuple[str, Found]]]:
    recipe = Recipe(classes=CLASSES, seeds=(seed,), controls=False)
    with (
        open_workspace(seed, notify=note) as workspace,
        Laboratory(workspace, jobs=jobs, notify=note) as bench,
    ):
        field = survey_recipe(workspace, recipe, Silent())
        bench.baseline()
        bench.crowd()
        bench.calibrate(field.sources)
        source = drawn(field.mutants, rng)
        with ThreadPoolExecutor(bench.jobs) as pool:
            found = list(pool.map(lambda mutant: searched(bench, workspace, mutant), source[:mutants]))
        return [each for each in found if each is not None], unchanged(bench, field.sources, functions_asked)


def note(message: str) -> None:
    print(message, file=sys.stderr)


def share(found: Sequence[Searched]) -> str:
    shown = sum(each.found.witness is not None for each in found)
    return f"{shown} of {len(found)} ({100 * shown / len(found):.0f} %)" if found else "-"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    ruler = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ruler, *rows))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("seeds", nargs="+")
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--unchanged", type=int, default=100)
    parser.add_argument("--rng", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(argv)
    rows: list[list[object]] = []
    everything: list[Searched] = []
    false: list[str] = []
    tried = told = 0
    for seed in options.seeds:
        try:
            found, same = measured(seed, options.mutants, options.unchanged, options.rng, options.jobs)
        except Exception as error:
            note(f"{seed}: {type(error).__name__}: {error}")
            continue
        noticed = [each for each in found if each.noticed]
        parts = [
            share([each for each in noticed if each.plain == kind])
            for kind in ("plain", "objects", "not called")
        ]
        unnoticed = [each for each in found if not each.noticed]
        searched_ones = [each for _, each in same if each.examples]
        tried, told = tried + len(same), told + len(searched_ones)
        wrong = [f"{seed} {where}: {each.witness}" for where, each in same if each.witness is not None]
        false += wrong
        rows.append([seed, share(noticed), *parts, share(unnoticed), f"{len(wrong)} of {len(searched_ones)}"])
        note(str(rows[-1]))
        everything += found
    head = [
        "seed",
        "noticed by tests",
        "of plain data",
        "of objects",
        "function not called",
        "noticed by none",
        "unchanged",
    ]
    print(table(head, rows), end="\n\n")
    by_class: dict[str, list[Searched]] = defaultdict(list)
    for each in everything:
        if each.noticed:
            by_class[each.operator].append(each)
    print(
        table(
            ["class", "noticed by tests, shown by an input"],
            [[name, share(found)] for name, found in sorted(by_class.items())],
        )
    )
    times = sorted(each.seconds for each in everything)
    if times:
        late = times[int(0.95 * (len(times) - 1))]
        print(f"\nA search takes {median(times):.2f} s (median), {late:.2f} s (95 %).")
    typed = [each.typed for each in everything if each.typed is not None]
    print(f"{sum(typed)} of {len(typed)} witnesses gave what they say when they were typed.")
    print(f"{tried} functions were searched unchanged, {told} of them with inputs: {len(false)} witnesses.")
    how = Counter(each.found.witness["found"] for each in everything if each.found.witness)
    print(f"Found: {dict(how)}\n")
    reasons = Counter(each.found.why.split(":")[0] for each in everything if each.noticed and each.found.why)
    print(
        table(
            ["why there is none, though a test notices", "mutants"],
            [list(each) for each in reasons.most_common()],
        )
    )
    for line in false:
        print(f"- FALSE: {line}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
