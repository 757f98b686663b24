"""`bebug show`: a case with its diff, its evidence and how to run it again; or the holes in a suite."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.syntax import Syntax

from bebug.cli.common import CONTEXT, print_json, told
from bebug.errors import NothingFound, UsageError
from bebug.pipeline.showing import Found, find, survivors
from bebug.records import Case, Label


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
    console.print(
        f"{case.id}  {case.label}  {case.defect_class}  {case.operator}", highlight=False, markup=False
    )
    console.print(case.description, highlight=False, markup=False)
    _diff(console, case.diff)
    _evidence(case.evidence)
    if case.twin:
        click.echo(f"twin: {case.twin}")
    click.echo("run it again:")
    for line in _again(case, found.folder):
        click.echo(f"  {line}")


def _diff(console: Console, diff: bytes) -> None:
    text = diff.decode("utf-8", "replace")
    if console.is_terminal:
        console.print(Syntax(text, "diff", background_color="default"))
    else:
        click.echo(text)


def _evidence(evidence: Mapping[str, Any]) -> None:
    click.echo(f"proof: {evidence.get('proof', 'none recorded')}")
    for name, value in evidence.items():
        if name == "proof" or value in (None, [], {}):
            continue
        if isinstance(value, list):
            click.echo(f"{name}: {len(value)}")
            for item in value[:10]:
                click.echo(f"  {ascii(item)[1:-1] if isinstance(item, str) else item}")
            if len(value) > 10:
                click.echo(f"  and {len(value) - 10} more (--json lists all)")
        elif isinstance(value, Mapping):
            words = [f"{key} {item}" for key, item in value.items() if key != "diff"]
            click.echo(f"{name}: {', '.join(words)}")
            if isinstance(value.get("diff"), str):
                click.echo(value["diff"])
        else:
            click.echo(f"{name}: {value}")


def _again(case: Case, folder: Path) -> list[str]:
    """Commands that show the failing tests once more, with tools that anyone has."""
    corpus = shlex.quote(str(folder))
    seed = case.seed.get("name", "SEED")
    if not any(case.seed.values()):
        return ["this corpus names no seed: its labels cannot be proved again"]
    if case.evidence.get("proof") in ("detection-loss", "adds-detection"):
        return [f"bebug replay {corpus} --case {case.id}   # with and without the fault"]
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
        click.echo(f"{row['id']}  {row['operator']}  {row['note']}")
        diff = row["diff"]
        _diff(console, diff.encode() if isinstance(diff, str) else b"(not UTF-8: --json has it)")
    click.echo(f"{len(rows)} mutants that no test notices")
