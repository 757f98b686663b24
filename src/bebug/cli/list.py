"""`bebug list`: every open set and its members."""

from __future__ import annotations

import sys
from typing import Any

import click

from bebug.cli.common import CONTEXT, print_json, told
from bebug.registry import OPEN_SETS, load


@click.command("list", context_settings=CONTEXT)
@click.argument("sets", nargs=-1, metavar="[SET]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(sets: tuple[str, ...], as_json: bool) -> None:
    """List every open set, or those named: operators, controls, oracles, codecs, critics, reports.

    \b
    Examples:
      bebug list
      bebug list operators --json
    """
    for name in sets:
        if name not in OPEN_SETS:
            raise click.BadParameter(f"there is no set {name!r}; known: {', '.join(OPEN_SETS)}")
    found = {name: {key: summary(member) for key, member in load(name).items()} for name in sets or OPEN_SETS}
    if as_json:
        print_json(found)
        return
    for name, members in found.items():
        click.echo(f"{name}:")
        for key, text in members.items():
            click.echo(f"  {key:22}  {text}")


def summary(member: Any) -> str:
    """The first line of the docstring of the module that a member of an open set comes from."""
    name = getattr(member, "module", None) or getattr(member, "__module__", None) or type(member).__module__
    doc = sys.modules[name].__doc__ if name in sys.modules else None
    return (doc or member.__doc__ or "").strip().split("\n")[0]
