"""`bebug export`: a corpus in another format."""

from __future__ import annotations

from pathlib import Path

import click

from bebug.cli.common import CONTEXT, print_json, say, told
from bebug.pipeline.exporting import export


@click.command("export", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("--to", required=True, metavar="FORMAT", help="The format; `bebug list codecs` names them.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder for it."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@told
def command(corpus: Path, to: str, out: Path, as_json: bool) -> None:
    """Write CORPUS, in whatever format it is, to a new folder in another, and say what that cannot hold.

    \b
    Examples:
      bebug export generated/example --to sl2 --out pairs
      bebug export ./pairs --to native --out generated/pairs
    """
    found = export(corpus, to, out)
    for warning in found.warnings:
        say(warning, err=True)
    if as_json:
        print_json(found.as_json())
        return
    click.echo(f"{found.cases} cases, from {found.source} to {found.target}: {found.folder}")
    if found.loses:
        click.echo(f"{found.target} cannot hold: {', '.join(found.loses)}")
