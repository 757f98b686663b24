"""`bebug list`: every open set and its members."""

from __future__ import annotations

import sys

import click

from bebug.cli.common import CONTEXT, print_json, told
from bebug.registry import OPEN_SETS, load


@click.command("list", context_settings=CONTEXT)
@click.argument("sets", nargs=-1, metavar="[SET]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(sets: tuple[str, ...], as_json: bool) -> None:
    """List every open set, or those named: operators, controls, faults, oracles, tiers, codecs,
    critics, reports.

    \b
    Examples:
      bebug list
      bebug list operators --json
    """
    for name in sets:
        if name not in OPEN_SETS:
            raise click.BadParameter(f"there is no set {name!r}; known: {', '.join(OPEN_SETS)}")
    found = {name: {key: summary(name, key) for key in load(name)} for name in sets or OPEN_SETS}
    if as_json:
        print_json(found)
        return
    for name, members in found.items():
        click.echo(f"{name}:")
        for key, text in members.items():
            click.echo(f"  {key:22}  {text}")


def summary(name: str, key: str) -> str:
    """The first line of the docstring of the file that offers *key*, else of the object itself."""
    module = sys.modules.get(f"{OPEN_SETS[name]}.{key.replace('-', '_')}")
    doc = (module or load(name)[key]).__doc__ or ""
    return doc.strip().split("\n")[0]
