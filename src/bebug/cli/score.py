"""`bebug score`: rate a critic on a corpus."""

from __future__ import annotations

from pathlib import Path

import click

from bebug.cli.common import CONTEXT, say, told, watching
from bebug.pipeline.rating import rate
from bebug.registry import pick


@click.command("score", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--backend", required=True, metavar="NAME[:ARGUMENT]", help="The critic to rate; `bebug list` names them."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@told
def command(corpus: Path, backend: str, as_json: bool) -> None:
    """Ask a critic about every case of CORPUS and print how often it is wrong, and on which cases.

    CORPUS is a folder that `mutate` wrote, or one of `<id>.diff` and `<id>.json` pairs.

    \b
    Examples:
      bebug score generated/ledger-off-by-one --backend mock
      bebug score ./pairs --backend mock --json
    """
    with watching() as watch:
        card = rate(corpus, backend, observer=watch)
    say(pick("reports", "json" if as_json else "text")(card))
