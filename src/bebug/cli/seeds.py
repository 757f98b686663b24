"""`bebug seeds`: what there is to plant in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bebug.cli.common import CONTEXT, INTERPRETER, print_json, say, told, told_if_stopped, watching
from bebug.cli.mutate import limits_of, sandbox_option
from bebug.errors import SeedError, UsageError
from bebug.pipeline.checking import check
from bebug.pipeline.showing import seed_facts
from bebug.seeds import catalogue, open_workspace

WIDE = 1000  # columns where no terminal sets a limit: a row is a line for whatever reads it


@click.group("seeds", context_settings=CONTEXT)
def command() -> None:
    """List, describe, check and fetch seeds: the repositories that faults are planted in.

    \b
    Examples:
      bebug seeds list
      bebug seeds show ledger --json
      bebug seeds check ./my-repo
      bebug seeds check ./my-repo@v1.2
      bebug seeds check pypi:inflection==0.5.1
      bebug seeds check git+https://github.com/jpvanhal/inflection@0.5.1
      bebug seeds fetch toolz
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def list_(as_json: bool) -> None:
    """List the seeds that can be named."""
    rows = [
        {
            "name": name,
            "version": each.version,
            "source": each.source,
            "licence": each.licence,
            "summary": each.summary,
        }
        for name, each in sorted(catalogue().items())
    ]
    if as_json:
        print_json(rows)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in rows[0] if rows else ():
        table.add_column(heading, no_wrap=heading != "summary")
    for row in rows:
        table.add_row(*map(Text, row.values()))
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    console.print(table)


@command.command("show")
@click.argument("seed")
@click.option("--python", type=INTERPRETER, help="The interpreter for the seed's tests.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def show(seed: str, python: Path | None, as_json: bool) -> None:
    """Print how SEED is run, as a manifest says it: version, digest, packages, arguments, tree, interpreter.

    SEED is a name of the catalogue, a path, PATH@REV, pypi:NAME==VERSION or git+URL@REV.

    \b
    Examples:
      bebug seeds show ledger
      bebug seeds show pypi:inflection==0.5.1 --json
    """
    with watching() as watch:
        _print(seed_facts(seed, python=python, observer=watch), as_json)


@command.command("check")
@click.argument("seed")
@click.option("--python", type=INTERPRETER, help="The interpreter for the seed's tests.")
@sandbox_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def check_(seed: str, python: Path | None, sandbox: str, as_json: bool) -> None:
    """Run SEED's untouched suite as `mutate` would, and name the tests that have to be set aside.

    SEED is a name of the catalogue, a path, PATH@REV, pypi:NAME==VERSION or git+URL@REV. What its tests need
    is read from its metadata and requirements files; what was used is told.

    \b
    Examples:
      bebug seeds check ./my-repo
      bebug seeds check pypi:inflection==0.5.1
    """
    limits = limits_of(None, sandbox)
    with watching() as watch:
        _print(check(seed, python=python, limits=limits, observer=watch, run=True), as_json)


@command.command("fetch")
@click.argument("names", nargs=-1)
@click.option("--all", "all_", is_flag=True, help="All seeds of the catalogue.")
@told_if_stopped("stopped: what was fetched and built whole is kept; the same command goes on from here")
def fetch(names: tuple[str, ...], all_: bool) -> None:
    """Download seeds and build their environments now, so that later runs need no network."""
    chosen = tuple(sorted(catalogue())) if all_ else names
    if not chosen:
        raise UsageError("name a seed, or give --all; `bebug seeds list` shows the names")
    failed: list[str] = []
    with watching() as watch:
        for name in chosen:
            try:
                with open_workspace(name, python=None, notify=watch.note) as workspace:
                    watch.note(f"{name} {workspace.seed.version}: ready")
            except SeedError as error:
                failed.append(name)
                watch.note(f"{name}: {error.message}")
    if failed:
        raise SeedError(f"{len(failed)} of {len(chosen)} seeds could not be had: {', '.join(failed)}")


def _print(facts: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(facts)
        return
    for name, value in facts.items():
        if isinstance(value, list):
            value = ", ".join(map(str, value)) or "none"
        say(f"{name:16} {value}")
