"""`bebug merge`: one corpus of several."""

from __future__ import annotations

from pathlib import Path

import click

from bebug.cli.common import CONTEXT, print_json, say, told
from bebug.pipeline.merging import merge


@click.command("merge", context_settings=CONTEXT)
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder for it."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@told
def command(corpora: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Make one corpus of CORPORA, the same to the byte in whatever order they are named.

    A case that several hold is written once. Cases of one id that differ, and seeds of one name that are not
    the same tree run in the same way, are an error.

    \b
    Examples:
      bebug merge generated/ledger-all generated/toolz-all --out generated/both
    """
    found = merge(corpora, out)
    for warning in found.warnings:
        say(warning, err=True)
    counts = found.manifest["counts"]
    if as_json:
        seeds = [seed["name"] for seed in found.seeds]
        rev = found.manifest["corpus_rev"]
        print_json({"out": str(out), "corpus_rev": rev, "counts": counts, "seeds": seeds})
        return
    labels = ", ".join(f"{n} {label}" for label, n in counts["label"].items())
    click.echo(f"{counts['cases']} cases ({labels}) of {len(found.seeds)} seeds: {out}")
