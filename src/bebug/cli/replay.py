"""`bebug replay`: labels proved again from the record alone."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from bebug.cli.common import CONTEXT, INTERPRETER, Told, print_json, say, told_if_stopped, watching
from bebug.cli.mutate import cores, limits_of, sandbox_option
from bebug.errors import SeedError, Unproved
from bebug.pipeline.replaying import Replay, replay
from bebug.pipeline.showing import placed_by_user


@click.command("replay", context_settings=CONTEXT)
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--case",
    "cases",
    multiple=True,
    metavar="ID",
    help="Only this case (or the start of its id); repeatable.",
)
@click.option("--sample", type=click.IntRange(min=1), help="N cases, drawn evenly over label and class.")
@click.option("--rng", type=int, default=0, show_default=True, help="The number that decides the draw.")
@click.option(
    "--seed",
    "seeds",
    multiple=True,
    metavar="NAME=PATH",
    help="Where the tree of a seed is to be had; repeatable.  [default: from where the manifest says]",
)
@click.option("--python", type=INTERPRETER, help="The interpreter for the seeds' tests.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Test runs at a time.  [default: the number of cores]"
)
@click.option(
    "--timeout", type=click.FloatRange(min=1), help="Seconds for a test run.  [default: from the first run]"
)
@sandbox_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@told_if_stopped("stopped: the corpus is as it was, and no result is kept; the same command begins anew")
def command(
    corpus: Path,
    cases: tuple[str, ...],
    sample: int | None,
    rng: int,
    seeds: tuple[str, ...],
    python: Path | None,
    jobs: int | None,
    timeout: float | None,
    sandbox: str,
    as_json: bool,
) -> None:
    """Prove the labels of CORPUS again, from its records and the untouched seeds alone.

    Each diff must apply and revert to the byte, and whole runs of the suite must show what the evidence
    claims. The exit code is 17 where a label was not proved; each such case is named with the reason.

    \b
    Examples:
      bebug replay generated/example
      bebug replay generated/example --sample 5 --rng 1 --json
      bebug replay generated/my-repo-all --seed my-repo=../my-repo
      bebug replay generated/example --case ledger-3f09
    """
    try:
        with watching() as watch:
            found = replay(
                corpus,
                names=cases,
                sample=sample,
                rng=rng,
                seeds=seeds,
                python=python,
                jobs=jobs or cores(),
                limits=limits_of(timeout, sandbox),
                observer=watch,
            )
    except SeedError as error:
        if step := placing(corpus, seeds):
            error.message += f"; {step}"
        raise
    print_json(found.as_json()) if as_json else _print(found)
    if any("the seed cannot serve" in row.why for row in found.unproved) and (step := placing(corpus, seeds)):
        say(step, err=True)
    if found.unproved:
        wrong, tried = len(found.unproved), len(found.rows)
        raise Told(Unproved(f"{wrong} of {tried} labels were not proved again"))


def placing(corpus: Path, given: tuple[str, ...]) -> str:
    """The command that says where the seeds lie that no manifest can place; "" where each was *given*."""
    told = {word.partition("=")[0] for word in given}
    missing = {name: path for name, path in placed_by_user(corpus).items() if name not in told}
    if not missing:
        return ""
    words = [*given, *(f"{name}={path or 'PATH'}" for name, path in missing.items())]
    seeds = " ".join(f"--seed {shlex.quote(word)}" for word in words)
    known = " (where it lay when the corpus was made)" if any(missing.values()) else ""
    return f"type: bebug replay {shlex.quote(str(corpus))} {seeds}{known}"


def _print(found: Replay) -> None:
    for row in found.unproved:
        say(f"NOT PROVED {row.id} {row.label} {row.operator}: {row.why}")
    width = max(len(name) for _, name, *_ in found.table())
    click.echo(f"label  {'class':{width}}  proved  tried")
    for label, name, proved, tried in found.table():
        say(f"{label:5}  {name:{width}}  {proved:6}  {tried:5}")
    good = len(found.rows) - len(found.unproved)
    click.echo(f"{good} of {len(found.rows)} labels proved again ({found.total} in the corpus)")
