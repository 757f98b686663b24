"""`mutate`: mine, prove, and write a corpus."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markdown import Markdown

from bebug.cli.common import CONTEXT, INTERPRETER, Watch, histogram, print_json, told_if_stopped, watching
from bebug.errors import NothingFound, SeedError, UsageError
from bebug.mutation.docs import section
from bebug.pipeline.building import Summary, build
from bebug.pipeline.harvest import PROVED
from bebug.pipeline.listing import Listing, estimate, listing
from bebug.pipeline.recipe import Recipe, classes
from bebug.registry import load
from bebug.seeds import short_name
from bebug.verification import CONFIRMATIONS, Limits, isolating

sandbox_option = click.option(
    "--sandbox",
    metavar="TIER",
    default=isolating.AUTO,
    show_default=True,
    help="What holds test runs in: bubblewrap, namespaces, limits, or the strongest that works here.",
)


def limits_of(
    timeout: float | None,
    sandbox: str,
    *,
    floor: float = Limits().floor,
    factor: float = Limits().factor,
) -> Limits:
    """The limits of test runs; a `SandboxError`, before all else, where the tier does not work here.

    Where *timeout* is None, a limit on time is made of *floor* and *factor*; see `Limits`.
    """
    if sandbox != isolating.AUTO:
        isolating.choose(sandbox)
    return Limits(timeout=timeout, sandbox=sandbox, floor=floor, factor=factor)


@click.command("mutate", context_settings=CONTEXT)
@click.option(
    "--class", "names", multiple=True, metavar="CLASS", help="Fault class to plant; repeatable; `all`."
)
@click.option(
    "--seed",
    "seeds",
    multiple=True,
    metavar="SEED",
    help="A seed's name, or a path to any local repository; repeatable.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Corpus folder.  [default: generated/SEED-CLASS]",
)
@click.option("--limit", type=click.IntRange(min=1), help="At most N bad cases for each class and seed.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Test runs at a time.  [default: the number of cores]"
)
@click.option(
    "--rng", type=int, default=0, show_default=True, help="The number that decides what --limit draws."
)
@click.option("--python", type=INTERPRETER, help="The interpreter for the seed's tests.")
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB", help="Plant only in files that match; repeatable."
)
@click.option(
    "--keep-arid",
    "keep_arid",
    multiple=True,
    metavar="RULE",
    help="Plant also where this rule sees nothing worth it; repeatable. `--explain` names the rules.",
)
@click.option("--list", "only_list", is_flag=True, help="Print the sites; run no test.")
@click.option("--dry-run", is_flag=True, help="Print the sites and the minutes that proving them would take.")
@click.option("--explain", is_flag=True, help="Print what a class does, with its table of examples.")
@click.option("--no-controls", is_flag=True, help="Bad cases only.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    help="Seconds for a test run.  [default: FLOOR + FACTOR x the slowest run of the untouched suite]",
)
@click.option(
    "--timeout-floor",
    "floor",
    type=click.FloatRange(min=0, min_open=True),
    default=Limits().floor,
    metavar="FLOOR",
    show_default=True,
    help="Seconds that any test run may take, for a --timeout that is not given.",
)
@click.option(
    "--timeout-factor",
    "factor",
    type=click.FloatRange(min=1),
    default=Limits().factor,
    metavar="FACTOR",
    show_default=True,
    help="How many times as long as the slowest run of the untouched suite it may take on top.",
)
@sandbox_option
@click.option(
    "--confirm",
    type=click.Choice(CONFIRMATIONS),
    default="all",
    show_default=True,
    help="The cases for which one of two whole runs is a process of its own, not a forked one. Other than "
    "with all, the tests that reach a change may settle that none notices it.",
)
@click.option(
    "--no-witness", is_flag=True, help="Search for no inputs that tell a change from what was before it."
)
@click.option(
    "--accept",
    type=click.Choice(["witness"]),
    help="Keep, too, a fault that no test notices, where an input shows it; its proof is that input alone.",
)
@click.option(
    "--control-tier",
    type=click.Choice(["G1", "G2", "G3"]),
    default="G2",
    show_default=True,
    help="The evidence that a change which claims to preserve must have: the suite stays green (G1), and "
    "still notices the faults that it noticed (G2), and a search finds no input on which it differs (G3).",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
@told_if_stopped("stopped: what was proved is kept; the same command goes on from here")
def command(
    names: tuple[str, ...],
    seeds: tuple[str, ...],
    out: Path | None,
    limit: int | None,
    jobs: int | None,
    rng: int,
    python: Path | None,
    paths: tuple[str, ...],
    keep_arid: tuple[str, ...],
    only_list: bool,
    dry_run: bool,
    explain: bool,
    no_controls: bool,
    timeout: float | None,
    floor: float,
    factor: float,
    sandbox: str,
    confirm: str,
    no_witness: bool,
    accept: str | None,
    control_tier: str,
    as_json: bool,
    pytest_args: tuple[str, ...],
) -> None:
    """Plant faults in a seed, prove each by the seed's own tests, and keep the proven ones as a corpus.

    What stands after `--` goes to pytest.

    \b
    Examples:
      mutate --class off-by-one --seed ledger
      mutate --class all --seed ./my-repo --limit 20
      mutate --class dropped-null-check --seed toolz --list
      mutate --class off-by-one --seed ./my-repo -- tests/unit
      mutate --class off-by-one --explain
    """
    _insist_on_known(names)
    chosen = classes(names)
    if not chosen:
        raise UsageError(f"name a class: --class {' | '.join(['all', *load('operators')])}")
    if explain:
        _explain(chosen, as_json)
        return
    if not seeds:
        raise UsageError("name a seed: --seed NAME or --seed PATH; `bebug seeds list` shows the names")
    if no_witness and (accept or control_tier == "G3"):
        raise UsageError("--no-witness leaves out the search that --accept and --control-tier G3 rest on")
    recipe = Recipe(
        classes=chosen,
        seeds=tuple(dict.fromkeys(seeds)),
        limit=limit,
        rng=rng,
        paths=paths,
        controls=not no_controls,
        keep_arid=keep_arid,
        pytest_args=pytest_args,
        confirm=confirm,
        witness=not no_witness,
        accept=("tests", accept) if accept else ("tests",),
        control_tier=control_tier,
    )
    jobs = jobs or cores()
    limits = limits_of(timeout, sandbox, floor=floor, factor=factor)
    with watching() as watch:
        if only_list or dry_run:
            _list(recipe, python, limits, jobs if dry_run else None, as_json, watch)
            return
        summary = build(
            recipe,
            out or default_folder(recipe, names),
            jobs=jobs,
            python=python,
            limits=limits,
            observer=watch,
        )
    print_json(summary.as_json()) if as_json else _print(summary)
    if summary.failed_seeds:
        left_out = ", ".join(summary.failed_seeds)
        raise SeedError(f"the corpus is written, but these seeds could not serve: {left_out}")


def _insist_on_known(names: tuple[str, ...]) -> None:
    """A `UsageError` where one of *names* is no class: what it may mean, and the names apart by their use."""
    faults, controls = load("operators"), load("controls")
    for name in names:
        if name == "all" or name in faults or name in controls:
            continue
        near = get_close_matches(name, ["all", *faults, *controls], n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"there is no class {name!r}; {hint}classes of faults: {', '.join(faults)}, or all; "
            f"controls, which change nothing: {', '.join(controls)}"
        )


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_folder(recipe: Recipe, names: tuple[str, ...]) -> Path:
    """`generated/<seed>-<class>`: long lists are told by their number."""
    seeds = [short_name(seed) for seed in recipe.seeds]
    what = "all" if "all" in names else "+".join(recipe.classes)
    where = "+".join(seeds) if len(seeds) <= 3 else f"{len(seeds)}-seeds"
    return Path("generated", f"{where}-{what}")


def _explain(chosen: tuple[str, ...], as_json: bool) -> None:
    known = {**load("operators"), **load("controls")}
    pages = {name: section(known[name]) for name in chosen}
    if as_json:
        print_json(pages)
        return
    console = Console()
    for page in pages.values():
        console.print(Markdown(page)) if console.is_terminal else click.echo(page)


def _list(
    recipe: Recipe, python: Path | None, limits: Limits, jobs: int | None, as_json: bool, watch: Watch
) -> None:
    found = listing(recipe, python=python, observer=watch)
    if not found.rows:
        raise NothingFound(f"no site of {', '.join(recipe.classes)}", reasons=found.reasons)
    minutes = (
        estimate(recipe, found, python=python, limits=limits, jobs=jobs, observer=watch) if jobs else None
    )
    watch.close()
    if as_json:
        print_json(
            {
                "sites": found.rows,
                "arid": found.arid,
                "unreadable_files": found.unreadable,
                "minutes": minutes,
            }
        )
        return
    _print_listing(found)
    if minutes is not None:
        click.echo(f"about {minutes:.1f} minutes to prove them, {jobs} at a time (estimated from one run)")


def _print_listing(found: Listing) -> None:
    for row in found.rows:
        click.echo(f"{row['seed']}:{row['path']}:{row['line']}  {row['rule']}  {row['note']}")
    click.echo(f"{found.sites} sites, {len(found.rows)} mutants")
    _print_left_out(found.unreadable, found.arid)


def _print_left_out(unreadable: Mapping[str, str], arid: Mapping[str, int]) -> None:
    for path, why in unreadable.items():
        click.echo(f"left out: {path}: {why}")
    if arid:
        rules = ", ".join(f"{n} {rule}" for rule, n in sorted(arid.items()))
        click.echo(f"skipped as unproductive (--keep-arid RULE plants there too): {rules}")


WORDS = {
    "survived": "survived (no test notices)",
    "unproved_by_tests": "shown by an input, and by no test",
    "below_tier": "with less evidence than --control-tier asks for",
    "no_loss_shown": "weakened tests with no loss shown",
    "not_green": "weakened tests that do not pass",
    "no_tests": "reached by no test",
    "equivalent": "equivalent (the same code)",
    "duplicate": "duplicates",
    "timeout": "timeouts",
    "broken": "broken (the suite does not load)",
    "unviable": "not compiling",
    "does_not_apply": "that do not apply as a diff",
}


def _became(outcomes: Mapping[str, int]) -> str:
    """What became of the mutants tried, proved ones first, then the largest; the parts are the sum."""
    ordered = sorted(outcomes.items(), key=lambda item: (item[0] != PROVED, -item[1], item[0]))
    return ", ".join(f"{n} {WORDS.get(name, name.replace('_', ' '))}" for name, n in ordered if n)


def _print(summary: Summary) -> None:
    folder = summary.folder
    became = _became(summary.outcomes)
    click.echo(f"{summary.sites} sites, {summary.mutants} mutants tried: {became}")
    if summary.refused:
        click.echo("controls tried beside them that are no case, by reason:")
        click.echo(histogram(summary.refused))
    _print_left_out(summary.unreadable, summary.arid)
    click.echo(
        f"{summary.cases} proven bad cases and {summary.controls} controls ({summary.twins} twins, "
        f"{summary.controls - summary.twins} preserving changes) in {summary.seconds:.0f} s: {folder}"
    )
    if summary.holes:
        click.echo(f"{summary.holes} mutants that no test notices: bebug show --survivors --corpus {folder}")
    click.echo(f"next: bebug score {folder} --backend mock")


def main() -> Any:
    """The console script `mutate`."""
    return command.main()
