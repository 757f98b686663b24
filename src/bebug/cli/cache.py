"""`bebug cache`: what bebug keeps on the disk, and cleaning it."""

from __future__ import annotations

from typing import Any

import click

from bebug.cli.common import CONTEXT, print_json, told, watching
from bebug.pipeline import caching
from bebug.seeds.machine import told_size


@click.group("cache", context_settings=CONTEXT)
def command() -> None:
    """Show and clean the cache: fetched seeds, built environments, and what was measured on them.

    \b
    Examples:
      bebug cache show
      bebug cache clean --older-than 30
      bebug cache clean --yes
    """


@command.command("show")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def show(as_json: bool) -> None:
    """Print where the cache is, what lies in it, and when each thing was last used.

    \b
    Examples:
      bebug cache show
      bebug cache show --json
    """
    facts = caching.show()
    if as_json:
        print_json(facts)
        return
    _list(facts["entries"])
    click.echo(f"{told_size(facts['size'])} in {facts['folder']}")


@command.command("clean")
@click.option(
    "--older-than",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="DAYS",
    help="Only what was not used for so many days.",
)
@click.option("--yes", is_flag=True, help="Do remove it; without this, only what would go is shown.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def clean(older_than: float, yes: bool, as_json: bool) -> None:
    """Remove environments, fetched seeds, shelves, and what dead runs left; nothing that a live run uses.

    \b
    Examples:
      bebug cache clean
      bebug cache clean --older-than 30 --yes
    """
    with watching() as watch:
        facts = caching.clean(older_than=older_than, really=yes, observer=watch)
    if as_json:
        print_json(facts)
        return
    if not yes:
        _list(facts["would_remove"])
        click.echo(f"{told_size(facts['size'])} would go; add --yes to remove it")
        return
    _list(facts["removed"])
    for each in facts["in_use"]:
        click.echo(f"kept, a run uses it: {each['name']}")
    left = facts["left_by_dead_runs"]
    swept = f", and {left} {'folder' if left == 1 else 'folders'} that dead runs left" if left else ""
    click.echo(f"{told_size(facts['size'])} removed{swept}")


def _list(entries: list[dict[str, Any]]) -> None:
    for each in entries:
        click.echo(
            f"{told_size(each['size']):>8}  unused for {each['unused_days']:5.1f} days  {each['name']}"
        )
