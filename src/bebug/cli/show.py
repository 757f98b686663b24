"""`bebug show`: a case with its diff, its evidence and how to run it again; or the holes in a suite."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.syntax import Syntax

from bebug.cli.common import CONTEXT, plain, print_json, say, told
from bebug.errors import NothingFound, UsageError
from bebug.pipeline.showing import Found, find, survivors
from bebug.records import Label

MOST = 10  # items of a list that are shown


@click.command("show", context_settings=CONTEXT)
@click.argument("case", required=False)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="The corpus to look in.  [default: all below generated/]",
)
@click.option("--survivors", "only_survivors", is_flag=True, help="Show the mutants that no test killed.")
@click.option("--diff", "only_diff", is_flag=True, help="Print the diff alone, to the byte.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(
    case: str | None, corpus: Path | None, only_survivors: bool, only_diff: bool, as_json: bool
) -> None:
    """Show CASE (an id, or the start of one): its diff, its evidence, and how to run it again.

    \b
    Examples:
      bebug show ledger-3f09 --corpus generated/ledger-off-by-one
      bebug show --survivors --corpus generated/ledger-off-by-one
      bebug show ledger-3f09 --diff | git apply -
    """
    if only_survivors:
        _survivors(corpus, as_json)
        return
    if case is None:
        raise UsageError("name a case, or ask for --survivors; ids stand in a corpus's cases.jsonl")
    found = find(case, corpus)
    if only_diff:
        sys.stdout.buffer.write(found.case.diff)
    elif as_json:
        print_json(found.row)
    else:
        _print(found)


def _print(found: Found) -> None:
    case, console = found.case, Console()
    say(f"{case.id}  {case.label}  {case.defect_class}  {case.operator}")
    say(case.description)
    _diff(console, case.diff)
    _evidence(case.evidence)
    if case.twin:
        say(f"twin: {case.twin}")
    click.echo("run it again:")
    for line in _again(found):
        say(f"  {line}")


def _diff(console: Console, diff: bytes) -> None:
    text = plain(diff.decode("utf-8", "replace"))
    if console.is_terminal:
        console.print(Syntax(text, "diff", background_color="default"))
    else:
        click.echo(text)


def _evidence(evidence: Mapping[str, Any]) -> None:
    say(f"proof: {evidence.get('proof', 'none recorded')}")
    if evidence.get("witness"):
        click.echo("an input that shows it:")
        for line in snippet(evidence["witness"]):
            say(f"  {line}")
    for name, value in evidence.items():
        if name not in ("proof", "witness"):
            for line in _lines(str(name), value):
                say(line)


def snippet(witness: Mapping[str, Any]) -> list[str]:
    """What to type to see the difference, and what one sees before and after."""
    lines = []
    for statement in (*witness["imports"], *witness["setup"], witness["call"]):
        first, *rest = str(statement).split("\n")
        lines += [f">>> {first}", *(f"... {line}" for line in rest)]
    return [*lines, f"before: {witness['before']}", f"after:  {witness['after']}"]


def _lines(name: str, value: Any) -> Iterator[str]:
    """*name* and *value*, what is nested below it indented; nothing at all where there is nothing to tell."""
    if _empty(value):
        return
    if isinstance(value, Mapping):
        yield f"{name}:"
        for key, each in value.items():
            yield from (f"  {line}" for line in _lines(str(key), each))
    elif isinstance(value, list):
        yield f"{name}: {len(value)}"
        for item in value[:MOST]:
            if isinstance(item, Mapping):
                first, *rest = (line for key, each in item.items() for line in _lines(str(key), each))
                yield from (f"  - {first}", *(f"    {line}" for line in rest))
            else:
                yield f"  {ascii(item)[1:-1] if isinstance(item, str) else item}"
        if len(value) > MOST:
            yield f"  and {len(value) - MOST} more (--json lists all)"
    elif isinstance(value, str) and "\n" in value:
        yield f"{name}:"
        yield from (f"  {line}" for line in value.removesuffix("\n").split("\n"))
    else:
        yield f"{name}: {value}"


def _empty(value: Any) -> bool:
    """Whether *value* says nothing: none, no text, or only such inside it. 0 and False do say something."""
    if isinstance(value, Mapping):
        return all(_empty(each) for each in value.values())
    if isinstance(value, list):
        return not value
    return value is None or value == ""


def _again(found: Found) -> list[str]:
    """Commands that show the failing tests once more, with tools that anyone has."""
    case, corpus = found.case, shlex.quote(str(found.folder))
    if not any(case.seed.values()):
        return ["this corpus names no seed: its labels cannot be proved again"]
    name, seed = str(case.seed.get("name")), shlex.quote(found.seed or "PATH")
    if case.evidence.get("proof") in ("detection-loss", "adds-detection"):
        word = f"{name}={found.seed or 'PATH'}"
        where = f" --seed {shlex.quote(word)}" if found.by_path else ""
        return [f"bebug replay {corpus} --case {case.id}{where}   # with and without the fault"]
    if case.base_patch:
        return [
            f"bebug show {case.twin} --corpus {corpus} --diff > defect.diff",
            f"bebug prove --seed {seed} --diff defect.diff   # killed: these tests fail before the repair",
            f"bebug seeds check {seed}   # and pass on the untouched seed, which is what the repair gives",
        ]
    verdict = "killed" if case.label is Label.BAD else "survived"
    return [
        f"bebug show {case.id} --corpus {corpus} --diff > case.diff",
        f"bebug prove --seed {seed} --diff case.diff   # {verdict}",
    ]


def _survivors(corpus: Path | None, as_json: bool) -> None:
    rows = survivors(corpus)
    if not rows:
        raise NothingFound("no mutant survived: the suite noticed every one")
    if as_json:
        print_json(rows)
        return
    console = Console()
    for row in rows:
        say(f"{row['id']}  {row['operator']}  {row['note']}")
        diff = row["diff"]
        _diff(console, diff.encode() if isinstance(diff, str) else b"(not UTF-8: --json has it)")
        if row.get("witness"):
            for line in snippet(row["witness"]):
                say(f"  {line}")
    click.echo(f"{len(rows)} mutants that no test notices")
