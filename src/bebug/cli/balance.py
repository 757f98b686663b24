"""`bebug balance`: the part of a corpus whose labels cannot be guessed."""

from __future__ import annotations

from pathlib import Path

import click

from bebug.cli.common import CONTEXT, print_json, say, told, watching
from bebug.pipeline.auditing import MARGIN
from bebug.pipeline.balancing import balance


@click.command("balance", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="A new folder.")
@click.option(
    "--margin",
    type=click.FloatRange(min=0, max=0.5),
    default=MARGIN,
    show_default=True,
    help="How far above chance, 0.5, the area under the curve of a shortcut may lie.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(corpus: Path, out: Path, margin: float, as_json: bool) -> None:
    """Write the part of CORPUS on which no shortcut (see `bebug audit`) does better than chance.

    The cases that shortcuts are surest of go first. A class of which too little would be left is left out.

    \b
    Examples:
      bebug balance generated/all --out generated/all-balanced
    """
    with watching() as watch:
        found = balance(corpus, out, margin=margin, observer=watch)
    if as_json:
        rows = {name: {leak.shortcut: leak.auc for leak in each} for name, each in found.leaks.items()}
        print_json(
            {
                "out": str(out),
                "before": found.before,
                "cases": found.cases,
                "left_out": found.dropped,
                "auc": rows,
            }
        )
        return
    for name, leaks in found.leaks.items():
        areas = ", ".join(f"{leak.shortcut} {leak.auc:.2f}" for leak in leaks if leak.auc is not None)
        say(f"{name}: {areas}")
    for name in found.dropped:
        say(f"{name}: left out, since too few cases would be left")
    say(f"{found.cases} of {found.before} cases: {out}")
