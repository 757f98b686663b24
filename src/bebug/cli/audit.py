"""`bebug audit`: whether a corpus is sound, and whether its labels can be told without reading code."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from bebug.cli.common import CONTEXT, print_json, say, told, watching
from bebug.errors import Leaking, UnsoundCorpus
from bebug.pipeline.auditing import MARGIN, Audit, audit

MOST = 10  # items of a list that are shown


@click.command("audit", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--margin",
    type=click.FloatRange(min=0, max=0.5),
    default=MARGIN,
    show_default=True,
    help="How far above chance, 0.5, the area under the curve of a shortcut may lie.",
)
@click.option("--no-shortcuts", is_flag=True, help="Leave out what needs scikit-learn.")
@click.option("--allow-leaks", is_flag=True, help="Print what leaks, and end with 0 all the same.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(corpus: Path, margin: float, no_shortcuts: bool, allow_leaks: bool, as_json: bool) -> None:
    """Check CORPUS from its records: is each case whole, do twins match, can labels be guessed?

    A shortcut is a critic that sees no meaning: the mock's rules, the wording, the size and shape of a diff,
    its tokens. Those that learn are asked about seeds that they were not fitted on. `bebug replay` proves the
    labels themselves again.

    \b
    Examples:
      bebug audit generated/ledger-off-by-one
      bebug audit generated/all --margin 0.05 --json
    """
    with watching() as watch:
        found = audit(corpus, margin=margin, shortcuts=not no_shortcuts, observer=watch)
    print_json(found.as_json()) if as_json else _print(found)
    if found.unsound:
        name, why = found.unsound[0]
        raise UnsoundCorpus(f"{len(found.unsound)} faults in {corpus}; the first: {name}: {why}")
    if found.leaking and not allow_leaks:
        name, leak = max(found.leaking, key=lambda each: each[1].auc or 0)
        raise Leaking(
            f"labels can be guessed: `{leak.shortcut}` reaches {leak.auc:.2f} on {name}; "
            f"draw a subset with `bebug balance {corpus} --out DIR`, or pass --allow-leaks"
        )


def _print(found: Audit) -> None:
    say(f"{found.corpus}: {found.cases} cases")
    for kind in ("label", "track", "class", "seed", "tier"):
        counts = found.counts.get(kind, Counter())
        parts = ", ".join(
            f"{n} {name}" for name, n in sorted(counts.items(), key=lambda each: -each[1])[:MOST]
        )
        say(f"by {kind}: {parts}")
    files = found.counts.get("file", Counter())
    if files:
        name, n = max(files.items(), key=lambda each: each[1])
        say(f"{len(files)} files; most cases lie in {name}: {n}")
    say(
        f"{found.killed} bad cases proved by tests: {found.few_killers} of them by one or two alone, "
        f"{found.witnessed} with an input that shows it"
    )
    say(f"{len(found.near_duplicates)} groups of bad cases of one function that the same tests notice")
    for name, leaks in found.leaks.items():
        say(f"{name}, told from good cases by (area under the curve, 0.5 is chance):")
        for leak in leaks:
            if leak.auc is None:
                say(f"  {leak.shortcut}: not measured: too few cases or seeds")
                continue
            mark = "  LEAKS" if leak.auc > 0.5 + found.margin else ""
            say(f"  {leak.shortcut}: {leak.auc:.2f} (n = {leak.n}){mark}")
            if mark and leak.telling:
                say(f"    by {'; '.join(leak.telling[:5])}")
    for name, why in found.unsound[:MOST]:
        say(f"unsound: {name}: {why}")
