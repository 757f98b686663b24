"""How fast the engine is, on this machine and beside other mutation testers: `docs/performance.md`, measured.

    python benchmarks/engine --python PYTHON3.12 --out docs/performance.md

Parts: A screening, beside peers; B cold runs and warm ones; C mining; D memory and cost of many shots;
E cases from nothing, by how they are confirmed; F screening another file, beside peers as they come.
What is compared is run in turn, round by round. Without --out the page goes to standard output. The peers are
installed into environments of their own in a temporary folder. Numbers of a busy machine mean nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from legs import TARGETS
from measure import machine, run_program
from page import page
from peers import PEERS, WORKERS, Pit
from rich.console import Console

LEGS = Path(__file__).with_name("legs.py")
ROUNDS = {"A": 3, "B": 10, "C": 5, "D": 3, "E": 1, "F": 1}
SEEDS = ("ledger", "toolz", "measures")
WAYS = ("all", "none")  # of confirming
SIZES, FEW_SIZES = (1, 1000, 5000, 10000), (1, 20, 50, 100)

say = Console(stderr=True, highlight=False).print


class Legs:
    """Runs legs of bebug's own, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, name: str, **settings: Any) -> dict[str, Any]:
        """What the leg *name* says; `failed` where it broke."""
        ran = run_program([sys.executable, LEGS, name, json.dumps(settings)], cwd=self.folder)
        lines = ran.output.strip().splitlines() or ["it said nothing"]
        if ran.code:
            return {"failed": f"{name}: {lines[-1]}"}
        found: dict[str, Any] = json.loads(lines[-1])
        return found


def screening(
    legs: Legs, options: argparse.Namespace, rounds: int, target: str = "toolz", peers: Iterable[str] = PEERS
) -> dict[str, Any]:
    tree = legs.folder / target
    facts = legs.run("preparing", target=target, python=options.python, folder=str(tree))
    if "failed" in facts:
        return facts
    pytest = next(package for package in facts["packages"] if package.startswith("pytest=="))
    pit = Pit(
        legs.folder,
        tree,
        target=TARGETS[target],
        python=options.python,
        pytest=pytest,
        sample=options.sample,
        few=options.quick,
    )
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in ("bebug", *peers)}
    for number in range(rounds):
        for name in sorted(found, reverse=bool(number % 2)):
            if any("failed" in each for each in found[name]):
                continue  # what does not run once is not asked again
            if name == "bebug":
                limit = 30 if options.quick else None
                wish = {"python": options.python, "limit": limit, "jobs": WORKERS}
                result = legs.run("screening", target=target, begun=time.time(), **wish)
            else:
                result = pit.run(name)
            found[name].append(result)
            say(f"{target} {number + 1}/{rounds} {name}: {result.get('failed') or result['mutants']}")
    known = {name: {"package": PEERS[name].package, "how": PEERS[name].how} for name in peers}
    broken = {"failed": found["bebug"][-1]["failed"]} if "failed" in found["bebug"][-1] else {}
    return {**facts, "rounds": found, "peers": known, **broken}


def running(legs: Legs, options: argparse.Namespace, rounds: int) -> dict[str, Any]:
    found = {}
    for seed in SEEDS[:1] if options.quick else SEEDS:
        found[seed] = legs.run("running", seed=seed, rounds=rounds)
        say(f"B {seed}: {found[seed].get('failed', 'done')}")
    return {"seeds": found}


def mining(legs: Legs, options: argparse.Namespace, rounds: int) -> dict[str, Any]:
    found = legs.run("mining", rounds=rounds)
    say(f"C {found.get('failed', 'done')}")
    return found


def shooting(legs: Legs, options: argparse.Namespace, rounds: int) -> dict[str, Any]:
    sizes, limit = (FEW_SIZES, 30) if options.quick else (SIZES, None)
    found = legs.run("shooting", python=options.python, rounds=rounds, sizes=sizes, limit=limit)
    say(f"D {found.get('failed', 'done')}")
    return found


def proving(legs: Legs, options: argparse.Namespace, rounds: int) -> dict[str, Any]:
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for seed in SEEDS[: 1 if options.quick else 2]:
        found[seed] = {way: [] for way in WAYS}
        for number in range(rounds):
            for way in sorted(WAYS, reverse=bool(number % 2)):
                folder = legs.folder / f"corpus-{seed}-{way}-{number}"
                made = legs.run("proving", seed=seed, confirm=way, folder=str(folder), jobs=WORKERS)
                found[seed][way].append(made)
                say(f"E {number + 1}/{rounds} {seed} {way}: {made.get('failed', 'done')}")
    return {"seeds": found}


def screening_more(legs: Legs, options: argparse.Namespace, rounds: int) -> dict[str, Any]:
    return screening(legs, options, rounds, "more-itertools", ("mutmut", "moonbuggy"))


PARTS = {"A": screening, "B": running, "C": mining, "D": shooting, "E": proving, "F": screening_more}


def options_of(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "benchmarks/engine", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(PARTS), help="parts to measure, as in A,C")
    parser.add_argument("--rounds", type=int, help=f"for every part (default: {ROUNDS})")
    parser.add_argument("--sample", type=int, default=20, help="mutants of the slowest peer (default: 20)")
    parser.add_argument(
        "--python", default=sys.executable, help="for seed and peers; some need 3.12 or later"
    )
    parser.add_argument("--quick", action="store_true", help="a trial of each part: its numbers mean nothing")
    parser.add_argument(
        "--from", type=Path, dest="earlier", metavar="FILE", help="take other parts from an earlier --json"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="every measurement, as JSON")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the page here")
    options = parser.parse_args(argv)
    options.only = [name for name in PARTS if name in options.only.upper().split(",")]
    if not options.only and not options.earlier:
        parser.error(f"--only takes some of {', '.join(PARTS)}")
    if options.quick and options.out:
        parser.error("a --quick run measures nothing that a page should say")
    return options


def main(argv: list[str] | None = None) -> int:
    options = options_of(argv)
    facts = machine()
    if facts["busy"]:
        say(f"the load is {facts['load']}: on a busy machine the numbers mean little")
    with tempfile.TemporaryDirectory(prefix="bebug-engine-") as folder:
        legs, found = Legs(Path(folder)), {}
        for name in options.only:
            rounds = options.rounds or (1 if options.quick else ROUNDS[name])
            found[name] = {"count": rounds, **PARTS[name](legs, options, rounds)}
    results = {**facts, "date": date.today().isoformat(), "quick": options.quick, "parts": found}
    if options.earlier:
        known = json.loads(options.earlier.read_text("utf-8"))
        results = {**(results if found else known), "parts": {**known["parts"], **found}}
        results["parts"] = {name: results["parts"][name] for name in PARTS if name in results["parts"]}
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    text = page(results)
    if options.out:
        options.out.write_text(text, "utf-8")
    else:
        print(text, end="")
    return int(any("failed" in part for part in found.values()))


if __name__ == "__main__":
    raise SystemExit(main())
