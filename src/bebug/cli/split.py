"""`bebug split`: one corpus as two that share no seed."""

from __future__ import annotations

from pathlib import Path

import click

from bebug.cli.common import CONTEXT, print_json, say, told
from bebug.pipeline.splitting import split


@click.command("split", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder in which train/ and test/ are made.",
)
@click.option("--ratio", type=float, default=0.8, show_default=True, help="The share of cases in train/.")
@click.option("--rng", type=int, default=0, show_default=True, help="The number that decides the draw.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@told
def command(corpus: Path, out: Path, ratio: float, rng: int, as_json: bool) -> None:
    """Divide CORPUS by seed into two, so that no seed stands on both sides and no twin is parted.

    The ratio is met as nearly as whole seeds allow; both parts are corpora with a manifest of their own.

    \b
    Examples:
      bebug split generated/both --out generated/both-split
      bebug split generated/both --out generated/halves --ratio 0.5 --rng 7
    """
    found = split(corpus, out, ratio=ratio, rng=rng)
    rows = [
        {
            "part": name,
            "out": str(out / name),
            "cases": part.manifest["counts"]["cases"],
            "seeds": [seed["name"] for seed in part.seeds],
        }
        for name, part in found.items()
    ]
    if as_json:
        print_json(rows)
        return
    total = sum(row["cases"] for row in rows)
    for row in rows:
        share = f"{row['cases']} of {total} cases, {row['cases'] / total:.0%}"
        say(f"{row['out']}: {share}, of {', '.join(row['seeds'])}")
