"""Other mutation testers on the same file: how each is installed, set up and run, and what it says it did."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from legs import Target
from measure import Ran, run_program

from bebug.errors import BebugError
from bebug.seeds.uv import make_environment, run_uv

MEMORY = 8 << 30  # bytes of address space to a process: a mutant may well eat all there is
LONGEST = 1800.0  # seconds for one run
WORKERS = 2


class Unusable(Exception):
    """A peer that does not install or run here, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A run to make: in *tree*, a copy of its own, with the programs in *bin*; *few* mutants for a trial."""

    target: Target
    tree: Path
    bin: Path
    sample: int
    few: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """*run* gives the timed run, the mutants that were tried, and its words for what became of them."""

    package: str
    how: str
    workers: int
    run: Callable[[Task], tuple[Ran, int, dict[str, int]]]


def timed(task: Task, *argv: str, codes: tuple[int, ...] = (0,)) -> Ran:
    """Run the program argv[0] of the peer's environment. Raises `Unusable` with its last words."""
    ran = run_program([task.bin / argv[0], *argv[1:]], cwd=task.tree, seconds=LONGEST, memory=MEMORY)
    if ran.wall >= LONGEST:
        raise Unusable(f"stopped after {LONGEST:.0f} s")
    if ran.code not in codes:
        last = " / ".join(ran.output.strip().splitlines()[-3:])[-300:]
        raise Unusable(f"{argv[0]} ended with {ran.code}: {last}")
    return ran


def last_json(text: str) -> Any:
    """The JSON object that *text* ends in; what a program said before it is passed over."""
    starts = [at for at in range(len(text)) if text[at] == "{" and (at == 0 or text[at - 1] == "\n")]
    for at in starts:
        try:
            return json.loads(text[at:])
        except ValueError:
            continue
    raise Unusable(f"no JSON in what it says: {text.strip()[-200:]}")


def mutmut(*lines: str, given: str = "") -> Callable[[Task], tuple[Ran, int, dict[str, int]]]:
    def run(task: Task) -> tuple[Ran, int, dict[str, int]]:
        aim = task.target
        _, *left_out = aim.pytest_args
        settings = [
            "[mutmut]",
            f"source_paths={aim.source}",
            f"only_mutate={aim.file}",
            "also_copy=" + "".join(f"\n    {each}" for each in (aim.source, *aim.beside)),
            f"pytest_add_cli_args_test_selection={aim.tests}",
            "pytest_add_cli_args=" + "".join(f"\n    {each}" for each in (given, *left_out) if each),
            *lines,
        ]
        with (task.tree / "setup.cfg").open("a") as file:
            file.write("\n" + "\n".join(settings) + "\n")
        only = [aim.few] if task.few else []
        ran = timed(task, "mutmut", "run", "--max-children", str(WORKERS), *only)
        timed(task, "mutmut", "export-cicd-stats")
        said = json.loads((task.tree / "mutants" / "mutmut-cicd-stats.json").read_text())
        words = {name: said[name] for name in ("killed", "survived", "timeout", "suspicious", "segfault")}
        return ran, sum(words.values()), words

    return run


def moonbuggy(*more: str) -> Callable[[Task], tuple[Ran, int, dict[str, int]]]:
    def run(task: Task) -> tuple[Ran, int, dict[str, int]]:
        aim = task.target
        argv = ["--json", "--no-progress", "--jobs", str(WORKERS), "--source", aim.source]
        argv += ["--include", aim.file, *(f"--pytest-arg={each}" for each in aim.pytest_args)]
        argv += ["--operators", "boundary,constant_bool" if task.few else "all"]
        ran = timed(task, "moonbuggy", *argv, *more, codes=(0, 1))
        counts = last_json(ran.output)["counts"]
        words = {name: n for name, n in counts.items() if name not in ("no_coverage", "skipped")}
        words["killed"] += words.pop("killed_by_error")
        return ran, sum(words.values()), words

    return run


def wesker(task: Task) -> tuple[Ran, int, dict[str, int]]:
    few = ["--max-per-category", "1", "--passes", "1"] if task.few else []
    ran = timed(task, "wesker", task.target.file, "--json", "--quiet", *few, codes=(0, 1))
    said = last_json(ran.output)["mutation"]
    tried, killed = said["total_mutants"], said["total_killed"]
    return ran, tried, {"killed": killed, "survived": tried - killed}


def cosmic_ray(task: Task) -> tuple[Ran, int, dict[str, int]]:
    """A sample, evenly spaced over its mutants; making the list of them is not timed."""
    command = f"{task.bin / 'python'} -m pytest -x -q {' '.join(task.target.pytest_args)}"
    (task.tree / "cr.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "{task.target.file}"\ntimeout = 30.0\nexcluded-modules = []\n'
        f'test-command = "{command}"\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    timed(task, "cosmic-ray", "init", "cr.toml", "session.sqlite")
    with closing(sqlite3.connect(task.tree / "session.sqlite")) as base, base:
        jobs = [job for (job,) in base.execute("SELECT job_id FROM work_items ORDER BY rowid")]
        size = max(1, min(len(jobs), task.sample))
        kept = [jobs[number * len(jobs) // size] for number in range(size)]
        for table in ("mutation_specs", "work_items"):
            base.execute(f"DELETE FROM {table} WHERE job_id NOT IN ({','.join('?' * size)})", kept)
    ran = timed(task, "cosmic-ray", "exec", "cr.toml", "session.sqlite")
    with closing(sqlite3.connect(task.tree / "session.sqlite")) as base:
        words = dict(base.execute("SELECT lower(test_outcome), count(*) FROM work_results GROUP BY 1"))
    return ran, sum(words.values()), words


PEERS = {
    "mutmut": Peer(package="mutmut==3.8.1", how="as it comes", workers=WORKERS, run=mutmut()),
    "mutmut, tuned": Peer(
        package="mutmut==3.8.1",
        how="`--tb=no`; 0.5 s + 5 × the tests' time",
        workers=WORKERS,
        run=mutmut("timeout_constant=0.5", "timeout_multiplier=5.0", given="--tb=no"),
    ),
    "moonbuggy": Peer(
        package="moonbuggy==0.2.0", how="all operators, else as it comes", workers=WORKERS, run=moonbuggy()
    ),
    "moonbuggy, tuned": Peer(
        package="moonbuggy==0.2.0",
        how="all operators; `--tb=no`, 0.6 s, no flaky probe",
        workers=WORKERS,
        run=moonbuggy("--pytest-arg=--tb=no", "--timeout", "0.6", "--flaky-probe", "0"),
    ),
    "wesker": Peer(package="wesker==1.2.2", how="as it comes, one process", workers=1, run=wesker),
    "cosmic-ray": Peer(
        package="cosmic-ray==8.7.0", how="local distributor, `-x`; a sample", workers=1, run=cosmic_ray
    ),
}


class Pit:
    """Where peers run: an environment for each package, and a fresh copy of the tree for each run."""

    def __init__(
        self,
        folder: Path,
        tree: Path,
        *,
        target: Target,
        python: str,
        pytest: str,
        sample: int,
        few: bool,
    ) -> None:
        self.folder, self.tree, self.python, self.pytest = folder, tree, python, pytest
        self.target = target
        self.sample, self.few = sample, few
        self._bins: dict[str, Path | Unusable] = {}

    def run(self, name: str) -> dict[str, Any]:
        """One run of the peer *name*, as plain data; `failed` says why there is none."""
        peer, tree = PEERS[name], self.folder / "run"
        try:
            place = self._bin(peer.package)
            task = Task(target=self.target, tree=tree, bin=place, sample=self.sample, few=self.few)
            shutil.copytree(self.tree, tree, symlinks=True)
            ran, mutants, words = peer.run(task)
            if not words.get("killed"):
                raise Unusable(f"it noticed none of {mutants} mutants: {words}")
        except (Unusable, OSError, LookupError, ValueError, sqlite3.Error) as why:
            return {"failed": f"{type(why).__name__}: {why}" if not isinstance(why, Unusable) else str(why)}
        finally:
            shutil.rmtree(tree, ignore_errors=True)
        return {"cost": [ran.wall, ran.cpu], "mutants": mutants, "words": words, "workers": peer.workers}

    def _bin(self, package: str) -> Path:
        if package not in self._bins:
            self._bins[package] = self._installed(package)
        found = self._bins[package]
        if isinstance(found, Unusable):
            raise found
        return found

    def _installed(self, package: str) -> Path | Unusable:
        folder = self.folder / f"{self.tree.name}-{package.partition('==')[0]}"
        try:
            python = make_environment(folder, self.python)
            wanted = ["pip", "install", "--quiet", "--python", str(python), package, self.pytest]
            run_uv(wanted, cwd=self.folder, purpose=f"installing {package}")
        except BebugError as error:
            return Unusable(f"does not install: {(error.detail or str(error)).strip().splitlines()[-1]}")
        return python.parent
