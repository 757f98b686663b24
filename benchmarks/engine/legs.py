"""What bebug does, a leg at a time, each in a process of its own: `legs.py NAME JSON` prints a line of JSON.

A process of its own keeps a leg's clocks free of what other legs left in memory.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import json
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider
from measure import adopt_orphans, clocked, family, spent

from bebug.mutation.arid import ARID
from bebug.mutation.engine import mine
from bebug.pipeline.building import build
from bebug.pipeline.mining import drawn
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe
from bebug.records import Mutant, Workspace
from bebug.registry import load
from bebug.seeds import open_workspace
from bebug.verification import Laboratory, Limits
from bebug.verification.cold import Shot
from bebug.verification.events import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A file to screen with the tests below *tests*, less one that is *left_out*.

    Peers are told of the package *source*, and of what lies beside it that the tests need; *others* are tests
    to be taken out of the tree that they work in, since some run all that they find. *few* names the mutants
    of mutmut for a trial.
    """

    seed: str
    file: str
    source: str
    tests: str
    few: str
    beside: tuple[str, ...] = ()
    others: str = ""
    left_out: str = ""

    @property
    def pytest_args(self) -> tuple[str, ...]:
        return (self.tests, *([f"--deselect={self.left_out}"] if self.left_out else ()))


TARGETS = {
    "toolz": Target(
        seed="pypi:toolz==1.1.0",
        file="toolz/itertoolz.py",
        source="toolz",
        tests="toolz/tests",
        few="toolz.itertoolz.x_interleave*",
        beside=("tlz", "toolz.egg-info"),
        others="toolz/sandbox/tests",
    ),
    "more-itertools": Target(
        seed="pypi:more-itertools==10.8.0",
        file="more_itertools/recipes.py",
        source="more_itertools",
        tests="tests",
        few="more_itertools.recipes.x_nth*",
        beside=("tests",),
        left_out="tests/test_recipes.py::PrimeFunctionTests::test_primes",
    ),
}
CLASSES = ("dropped-null-check", "off-by-one")
TELLING = ("killed", "survived")


class Nowhere:
    """A shelf that keeps nothing: every round measures all anew."""

    def recall(self, key: str, environment: str) -> Any:
        return None

    def remember(self, key: str, environment: str, payload: Any) -> None: ...


class Recording(Laboratory):
    """A laboratory that remembers which shots told something."""

    telling: list[Shot]

    def shoot(self, shots: Sequence[Shot]) -> Mapping[str, Hit]:
        hits = super().shoot(shots)
        told = {key for key, hit in hits.items() if hit.status in TELLING}
        self.telling = [*getattr(self, "telling", []), *(shot for shot in shots if shot.key in told)]
        return hits


def faults_of(workspace: Workspace, file: str, limit: int | None) -> list[Mutant]:
    """The internal faults of *file*, as `mutate` mines them; *limit* of them by the usual draw."""
    raw = (workspace.tree / file).read_bytes()
    recipe = Recipe(classes=(), seeds=())
    found = mine(file, raw, recipe.faults, keep_arid=frozenset(ARID)).mutants
    return list(found) if limit is None else drawn(found, 0)[:limit]


def opened(python: str, target: Target) -> Any:
    return open_workspace(target.seed, python=Path(python), pytest_args=target.pytest_args)


def tier_of(laboratory: Laboratory) -> str:
    """By what the tests that it runs are held in."""
    return str(getattr(laboratory.sandbox, "tier", "limits"))


def preparing(target: str, python: str, folder: str) -> dict[str, Any]:
    """Lay a copy of the tree into *folder* for the peers, and say what the seed is run with."""
    aim = TARGETS[target]
    with opened(python, aim) as workspace, Laboratory(workspace) as laboratory:
        shutil.copytree(workspace.tree, folder, symlinks=True)
        if aim.others:
            shutil.rmtree(Path(folder) / aim.others)
        return {
            "seed": f"{workspace.seed.name} {workspace.seed.version}",
            "file": aim.file,
            "given": " ".join(aim.pytest_args),
            "python": workspace.python_version,
            "packages": list(workspace.packages),
            "tests": len(laboratory.baseline().green),
            "tier": tier_of(laboratory),
            "versions": {name: importlib.metadata.version(name) for name in ("bebug", "libcst", "pytest")},
        }


def screening(target: str, python: str, begun: float, limit: int | None, jobs: int) -> dict[str, Any]:
    """The kill matrix of the file's faults with all that comes before it. *begun*: when this was started."""
    parts = {"start": [time.time() - begun, spent()]}
    aim = TARGETS[target]
    with opened(python, aim) as workspace:  # environments and trees are made beforehand for the peers, too
        parts["mining"], faults = clocked(lambda: faults_of(workspace, aim.file, limit))
        with Laboratory(workspace, jobs=jobs) as laboratory:

            def calibrate() -> None:
                laboratory.crowd()
                laboratory.calibrate([aim.file])

            parts["baseline"], _ = clocked(laboratory.baseline)
            parts["calibration"], _ = clocked(calibrate)
            laboratory.arm(faults, shelf=Nowhere(), environment="", patch=lambda fault: None)
            parts["coverage"], aimed = clocked(lambda: laboratory.faults.fillable)
            words = Counter(killed=0, timeout=0, cold=0)
            parts["shots"], _ = clocked(
                lambda: laboratory.faults.fill(jobs, lambda word: words.update([word]), enough=0)
            )
            jobs = laboratory.jobs
    told = aimed - words["cold"]
    return {"parts": parts, "mutants": told, "words": dict(words), "mined": len(faults), "workers": jobs}


def running(seed: str, rounds: int) -> dict[str, Any]:
    """Whole runs of an untouched suite: processes of their own and forked ones, in turn."""
    with open_workspace(seed) as workspace, Laboratory(workspace) as laboratory:
        tests = len(laboratory.baseline().green)
        start, warm = clocked(laboratory.forking)
        if warm is None:
            return {"failed": f"no forked run: {laboratory.distrusted}"}
        runners = {"cold": laboratory.runner, "warm": warm}
        costs: dict[str, list[list[float]]] = {name: [] for name in runners}
        for number in range(rounds):
            for name in sorted(runners, reverse=bool(number % 2)):
                cost, run = clocked(partial(runners[name].run, {}))
                if len(run.outcomes) < tests:
                    return {"failed": f"a {name} run told of {len(run.outcomes)} tests, not {tests}"}
                costs[name].append(cost)
        facts = {"tests": tests, "python": workspace.python_version, "tier": tier_of(laboratory)}
        return {**facts, "start": start, **costs}


def proving(seed: str, confirm: str, folder: str, jobs: int) -> dict[str, Any]:
    """All cases of the source classes of a seed, made from nothing: what a user waits for."""
    recipe = Recipe(classes=CLASSES, seeds=(seed,), confirm=confirm)
    cost, summary = clocked(
        lambda: build(recipe, Path(folder), jobs=jobs, python=None, limits=Limits(), observer=Silent())
    )
    return {"cost": cost, "mutants": summary.mutants, "cases": summary.cases, "controls": summary.controls}


def mining(rounds: int) -> dict[str, Any]:
    """All classes and faults on one module of the standard library, against LibCST alone."""
    module = Path(inspect.__file__)
    raw = module.read_bytes()
    everything = [rule for name in ("operators", "controls", "faults") for rule in load(name).values()]

    def positions() -> None:
        MetadataWrapper(libcst.parse_module(raw)).resolve(PositionProvider)

    legs: dict[str, Callable[[], Any]] = {
        "parse": lambda: libcst.parse_module(raw),
        "positions": positions,
        "mine": lambda: mine(module.name, raw, everything),
    }
    costs: dict[str, list[list[float]]] = {name: [] for name in legs}
    mutants = 0
    for number in range(rounds):
        for name in sorted(legs, reverse=bool(number % 2)):
            cost, result = clocked(legs[name])
            costs[name].append(cost)
            mutants = len(result.mutants) if name == "mine" else mutants
    lines = raw.count(b"\n")
    return {"module": module.name, "lines": lines, "operators": len(everything), "mutants": mutants, **costs}


def shooting(python: str, rounds: int, sizes: Sequence[int], limit: int | None) -> dict[str, Any]:
    """Sessions of so many shots: what they cost, and the peak memory of the process that forks."""
    aim = TARGETS["toolz"]
    with opened(python, aim) as workspace, Recording(workspace) as laboratory:
        faults = faults_of(workspace, aim.file, limit)
        laboratory.arm(faults, shelf=Nowhere(), environment="", patch=lambda fault: None)
        laboratory.faults.fill(1, lambda word: None, enough=0)
        telling = laboratory.telling
        plain, rows = list[float](), {size: list[list[float]]() for size in sizes}
        for number in range(rounds):
            with laboratory.sandbox.room({}) as room:
                argv = [str(workspace.python), "-m", "pytest", "-q", *aim.pytest_args]
                plain.append(peak_of(partial(run_beside, argv, room.tree))[0])
            for size in sorted(sizes, reverse=bool(number % 2)):
                volley = list(volley_of(telling, size))
                peak, (cost, hits) = peak_of(partial(clocked, partial(laboratory.shoot, volley)))
                if sum(hit.status in TELLING for hit in hits.values()) < size:
                    return {"failed": f"{size} shots gave {Counter(hit.status for hit in hits.values())}"}
                rows[size].append([*cost, peak])
        return {"faults": len(telling), "plain": plain, "sessions": rows}


def volley_of(shots: Sequence[Shot], size: int) -> Iterable[Shot]:
    return (replace(shots[number % len(shots)], key=str(number)) for number in range(size))


def run_beside(argv: Sequence[str], folder: Path) -> None:
    subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True)


def peak_of(act: Callable[[], Any]) -> tuple[float, Any]:
    """The peak memory, in MiB, of the pytest process that *act* starts (0.0: none seen), and what it gave.

    Its forked children are others: what a fault makes them take is no cost of the session.
    """
    peaks, done = [0.0], threading.Event()

    def watch() -> None:
        session: Path | None = None
        while not done.wait(0.05):
            session = session or next(sessions(), None)
            peaks.append(peak_now(session) if session else 0.0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = act()
    finally:
        done.set()
        watcher.join()
    return max(peaks), result


def sessions() -> Iterator[Path]:
    """The folders in /proc of descendants that run pytest, less those that they forked."""
    known = family()
    words = {pid: command(pid) for pid in known}
    for pid, (parent, _) in known.items():
        ours = words[pid]
        if ours[1:3] == [b"-m", b"pytest"] and words.get(parent) != ours:
            yield Path("/proc", str(pid))


def command(pid: int) -> list[bytes]:
    try:
        return Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def peak_now(process: Path) -> float:
    with suppress(OSError):
        for line in (process / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


LEGS = {each.__name__: each for each in (preparing, screening, running, proving, mining, shooting)}

if __name__ == "__main__":
    adopt_orphans()  # a run that is ended from outside leaves some
    print(json.dumps(LEGS[sys.argv[1]](**json.loads(sys.argv[2]))))
