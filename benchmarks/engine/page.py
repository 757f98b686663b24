"""The page: Markdown from what was measured, and from nothing else."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

COMMAND = "python benchmarks/engine --python PYTHON3.12 --out docs/performance.md"
PARTS = {
    "start": "start of Python and imports",
    "mining": "mining",
    "baseline": "baseline: one run, then three, two at a time",
}
PARTS |= {"calibration": "calibration", "coverage": "coverage run", "shots": "shots"}
WALL, CPU, PEAK = 0, 1, 2


def page(results: dict[str, Any]) -> str:
    """The whole page."""
    found = results["parts"]
    parts = [
        "# Performance",
        "Measured and written by one command, never by hand:\n\n    " + COMMAND,
        "Each number is the median of the rounds, with the least and the greatest in brackets. What is "
        "compared ran in turn within each round; a ratio is taken round by round, and the median of these "
        "is given. Processor time (CPU) is that of all processes that the work started.",
        f"{results['date']}: {results['cores']} cores, {results['model']}, {results['system']}, bebug on "
        f"Python {results['python']}; the load before was {results['load']}. Rounds: "
        + ", ".join(f"{name} {part['count']}" for name, part in found.items())
        + ".",
    ]
    if results["quick"]:
        parts.append("**A trial run: these numbers mean nothing.**")
    if results["busy"]:
        parts.append("**The machine was busy with something else: these numbers mean little.**")
    for name, part in found.items():
        title, write = WRITERS[name]
        parts.append(f"## {name}. {title}")
        parts += [f"Not measured: {part['failed']}"] if "failed" in part else write(part)
    return "\n\n".join(map(filled, parts)) + "\n"


def filled(part: str) -> str:
    """*part* in lines of a readable length; tables and the like as they are."""
    return part if "\n" in part or part.startswith("#") else textwrap.fill(part, 140, break_on_hyphens=False)


def screening(part: dict[str, Any]) -> Iterable[str]:
    rounds = {name: each for name, each in part["rounds"].items() if each and "failed" not in each[-1]}
    failed = {
        name: each[-1]["failed"] for name, each in part["rounds"].items() if each and "failed" in each[-1]
    }
    versions = ", ".join(f"{name} {version}" for name, version in part["versions"].items())
    yield (
        f"Mutants of `{part['file']}` ({part['seed']}) on the {part['tests']} tests of `{part['given']}`, "
        f"Python {part['python']}; {versions}. bebug runs all tests that reach a fault and keeps every one "
        "that fails; the others stop at the first. Each tool makes mutants of its own: what is compared "
        "is what one costs, not what it is worth. bebug's runs are held in by the tier "
        f"`{part['tier']}`; the others run free. Installing and copying the tree are left out for all. A "
        "process of a peer may take 8 GiB of addresses, since a mutant may eat all there is."
    )
    ours = rounds.get("bebug", [])
    rows = []
    for name, runs in rounds.items():
        row = [
            name,
            (part["peers"].get(name) or {"how": "all internal faults, with all that comes before"})["how"],
        ]
        costs = [whole(run) for run in runs]
        rows.append([*row, *screened(runs, costs), *against(ours, runs)])
    if ours:
        shots = [run["parts"]["shots"] for run in ours]
        rows.insert(1, ["bebug", "the shots alone", *screened(ours, shots), "", ""])
    head = ["tool", "how", "workers", "mutants", "noticed", "timeouts", "wall s", "CPU s", "mutants/s"]
    yield table([*head, "CPU ms a mutant", "times the speed of it", "times less CPU"], rows)
    yield (
        "The last two columns: bebug's mutants per second, all included, against this tool's, and this "
        "tool's CPU for a mutant against bebug's. More than 1 is in bebug's favour."
    )
    if failed:
        yield table(["did not run here", "why"], [[name, cell(why)] for name, why in failed.items()])
    if ours:
        yield "Where bebug's own time goes:"
        total = [whole(run) for run in ours]
        rows = [
            [PARTS[name], *(told([run["parts"][name][at] for run in ours]) for at in (WALL, CPU))]
            for name in ours[0]["parts"]
        ]
        rows.append(["all", told([cost[WALL] for cost in total]), told([cost[CPU] for cost in total])])
        yield table(["part", "wall s", "CPU s"], rows)
        last = ours[-1]
        yield (
            f"{last['mined']} faults were mined; {last['mined'] - sum(last['words'].values())} lie on "
            f"lines that no test runs, and {last['words']['cold']} in code that cannot be swapped: they "
            "are not counted."
        )


def whole(run: dict[str, Any]) -> list[float]:
    """Wall and processor seconds of one tool's whole run."""
    cost: list[float] | None = run.get("cost")
    if cost:
        return cost
    return [sum(part[at] for part in run["parts"].values()) for at in (WALL, CPU)]


def screened(runs: Sequence[dict[str, Any]], costs: Sequence[Sequence[float]]) -> list[str]:
    last, tried = runs[-1], [run["mutants"] for run in runs]
    words = last["words"]
    pairs = list(zip(tried, costs, strict=True))
    return [
        str(last["workers"]),
        told(tried, 0),
        f"{100 * (words.get('killed', 0) + words.get('timeout', 0)) / last['mutants']:.0f} %",
        str(words.get("timeout", "not told")),
        told([cost[WALL] for cost in costs]),
        told([cost[CPU] for cost in costs]),
        told([number / cost[WALL] for number, cost in pairs]),
        told([1000 * cost[CPU] / number for number, cost in pairs]),
    ]


def against(ours: Sequence[dict[str, Any]], runs: Sequence[dict[str, Any]]) -> list[str]:
    if not ours or ours is runs:
        return ["", ""]
    pairs = [
        (whole(one), one["mutants"], whole(two), two["mutants"]) for one, two in zip(ours, runs, strict=False)
    ]
    speed = [(n / own[WALL]) / (m / other[WALL]) for own, n, other, m in pairs]
    thrift = [(other[CPU] / m) / (own[CPU] / n) for own, n, other, m in pairs]
    return [told(speed), told(thrift)]


def running(part: dict[str, Any]) -> Iterable[str]:
    yield (
        "A whole run of the untouched suite: cold, in a process of its own and a fresh copy of the tree, and "
        "warm, in a child forked of a session that has loaded pytest and all that the tests import besides "
        "the seed. Both collect and run every test."
    )
    rows = []
    for seed, each in part["seeds"].items():
        if "failed" in each:
            rows.append([seed, "", cell(each["failed"]), *[""] * 7])
            continue
        cold, warm = each["cold"], each["warm"]
        cells = [told([cost[at] for cost in costs]) for at in (WALL, CPU) for costs in (cold, warm)]
        ratios = [
            told([one[at] / two[at] for one, two in zip(cold, warm, strict=True)]) for at in (WALL, CPU)
        ]
        rows.append(
            [seed, each["tests"], each["python"], each["tier"], *cells[:2], ratios[0], *cells[2:], ratios[1]]
        )
    head = [
        "seed",
        "tests",
        "Python",
        "isolation",
        "cold, wall s",
        "warm, wall s",
        "ratio",
        "cold, CPU s",
        "warm, CPU s",
        "ratio",
    ]
    yield table(head, rows)


def mining(part: dict[str, Any]) -> Iterable[str]:
    yield (
        f"`{part['module']}` of the standard library, {part['lines']:,} lines, mined with all "
        f"{part['operators']} classes, controls and internal faults ({part['mutants']:,} mutants), against "
        "what LibCST alone needs."
    )
    names = {
        "parse": "LibCST: parse",
        "positions": "LibCST: parse and positions of all nodes",
        "mine": "bebug: all mutants, with their edits and notes",
    }
    rows = []
    for name, title in names.items():
        costs, base = part[name], part["positions"]
        ratios = [one[CPU] / two[CPU] for one, two in zip(costs, base, strict=True)]
        rows.append([title, *(told([cost[at] for cost in costs]) for at in (WALL, CPU)), told(ratios)])
    yield table(["what", "wall s", "CPU s", "CPU against parse and positions"], rows)


def shooting(part: dict[str, Any]) -> Iterable[str]:
    sessions = {int(size): rows for size, rows in part["sessions"].items()}
    least, small, middle, large = sorted(sessions)
    plain = part["plain"]
    yield (
        f"Sessions of so many shots ({part['faults']} faults of `toolz/itertoolz.py` that run to an end, "
        "over and over), one at a time. The peak is that of the process that forks; plain pytest on the "
        f"same tests peaks at {told(plain)} MiB."
    )
    rows = []
    for size, costs in sorted(sessions.items()):
        times = [told([cost[at] for cost in costs]) for at in (WALL, CPU)]
        over = [cost[PEAK] - base for cost, base in zip(costs, plain, strict=True)]
        rows.append([f"{size:,}", *times, told([cost[PEAK] for cost in costs]), told(over)])
    yield table(["shots", "wall s", "CPU s", "peak MiB", "over plain pytest, MiB"], rows)

    def beyond(size: int, at: int) -> list[float]:
        return [one[at] - two[at] for one, two in zip(sessions[size], sessions[least], strict=True)]

    ratios = [
        (many / large) / (few / small)
        for many, few in zip(beyond(large, CPU), beyond(small, CPU), strict=True)
    ]
    each = told([1000 * cpu / large for cpu in beyond(large, CPU)])
    yield (
        f"A session grows by {told(beyond(middle, PEAK), 1)} MiB over {middle:,} shots. A shot of "
        f"{large:,} costs {each} ms of CPU, {told(ratios, 2)} times one of {small:,} (1 is linear; the "
        "start of the session is taken off)."
    )


def proving(part: dict[str, Any]) -> Iterable[str]:
    yield (
        "`mutate --class dropped-null-check,off-by-one` with two workers, from the start of the work to the "
        "finished corpus; the environment of the seed is there. `--confirm` says for which cases one of two "
        "whole runs must be cold. Cases are bad ones, their repaired twins and other controls."
    )
    rows = []
    for seed, ways in part["seeds"].items():
        for way, runs in ways.items():
            if failed := [run["failed"] for run in runs if "failed" in run]:
                rows.append([seed, way, cell(failed[0]), *[""] * 5])
                continue
            last, walls = runs[-1], [run["cost"][WALL] for run in runs]
            rate = told([60 * (run["cases"] + run["controls"]) / run["cost"][WALL] for run in runs])
            costs = [told(walls), told([run["cost"][CPU] for run in runs])]
            rows.append([seed, way, last["mutants"], last["cases"], last["controls"], *costs, rate])
    head = ["seed", "confirmed", "mutants", "bad cases", "good cases", "wall s", "CPU s", "cases a minute"]
    yield table(head, rows)


WRITERS: dict[str, tuple[str, Callable[[dict[str, Any]], Iterable[str]]]] = {
    "A": ("Screening, beside other tools", screening),
    "B": ("A cold run against a warm one", running),
    "C": ("Mining alone", mining),
    "D": ("Shots: memory and linear cost", shooting),
    "E": ("Cases a minute", proving),
    "F": ("Screening another file, beside other tools", screening),
}


def told(values: Sequence[float], digits: int | None = None) -> str:
    """The median, and in brackets the least and the greatest where they differ."""
    middle = median(values)
    if digits is None:
        digits = 0 if abs(middle) >= 100 else 1 if abs(middle) >= 10 else 2
    texts = [f"{round(value, digits) + 0.0:.{digits}f}" for value in (middle, min(values), max(values))]
    return texts[0] if texts[1] == texts[2] else f"{texts[0]} [{texts[1]}, {texts[2]}]"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    ruler = ["---"] * len(head)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ruler, *rows))
