"""The laboratory: one seed, its baseline, and everything that a proof needs of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from types import TracebackType
from typing import Any, Self

from bebug.errors import SeedError, UsageError
from bebug.records import Baseline, Ending, Files, Mutant, Outcome, Run, Seed, Workspace, digest
from bebug.verification import complaints, neutral
from bebug.verification.baselines import Measurer, listed
from bebug.verification.calibration import Calibration, Calibrator, Idle
from bebug.verification.candidate import Candidate
from bebug.verification.cold import ColdRunner, Shot
from bebug.verification.compiling import Compiler
from bebug.verification.events import Hit
from bebug.verification.forks import Forks, key_of, sampled
from bebug.verification.limits import Limits
from bebug.verification.matrix import Matrix, Shelf
from bebug.verification.measuring import failing
from bebug.verification.patches import Patcher
from bebug.verification.reach import Reach
from bebug.verification.sandbox import Sandbox, inside
from bebug.verification.server import NoServer
from bebug.verification.warm import WarmRunner
from bebug.verification.witness import Found, Witnesses

CONFIRMATIONS = ("all", "sample", "none")
DOUBTS = 2  # more runs before a test that passed is said to fail for good


class Laboratory:
    """Runs the tests of *workspace* over changes of it, in private copies. Threads may share it; close it.

    Nothing runs before it is asked for; what was measured is kept. *confirm* says for which changes one of
    two whole runs must be a process of its own: one of `CONFIRMATIONS`. *searches*: inputs are searched for.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        limits: Limits | None = None,
        jobs: int = 1,
        confirm: str = "all",
        searches: bool = True,
        notify: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.workspace, self.limits, self.jobs, self.notify = workspace, limits or Limits(), jobs, notify
        self.confirm, self.searches = confirm, searches
        beside = [path for path in (workspace.coverage_path, workspace.hypothesis_path) if path]
        self.sandbox = Sandbox(workspace.tree, self.limits, readable=beside)
        self._patcher, self._compiler = Patcher(self.sandbox), Compiler(workspace.python)
        self._lock = threading.RLock()
        self._runner: ColdRunner | None = None
        self._reach: Reach | None = None
        self._dropped: tuple[str, ...] = ()
        self._measured: Baseline | None = None
        self._crowd: Sequence[Run] = ()
        self._loaded: dict[str, str] = {}
        self._aside: frozenset[str] = frozenset()
        self._readers: frozenset[str] = frozenset()
        self._idle: dict[str, Idle] = {}
        self._codes: dict[tuple[str, str], str | None] = {}
        self._faults: Matrix | None = None
        self._warm: WarmRunner | None = None
        self._sources: frozenset[str] = frozenset()
        self._witnesses: Witnesses | None = None
        self.forks = Forks(self.shoot)
        self.distrusted = ""
        """Why forked children do not serve here; "" while they may."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what still runs and remove every private copy."""
        if self._warm is not None:
            self._warm.close()
        self.sandbox.close()

    # ------------------------------------------------------------------------------------ the seed as it is

    @property
    def seed(self) -> Seed:
        """The seed with its effective, neutralised `test_argv`."""
        return self.runner.seed

    @property
    def runner(self) -> ColdRunner:
        """The runner of this seed; making it asks pytest once for the seed's own settings."""
        with self._lock:
            if self._runner is None:
                self._runner = self._made_runner()
            return self._runner

    def _made_runner(self) -> ColdRunner:
        seed = self.workspace.seed
        given = replace(seed, test_argv=neutral.neutralised(seed.test_argv).kept)
        runner = ColdRunner(
            sandbox=self.sandbox,
            python=self.workspace.python,
            seed=given,
            limits=self.limits,
            coverage_path=self.workspace.coverage_path,
        )
        ended, record = runner.probe()
        if record.probe is None:
            raise complaints.cannot_start(ended.output.decode("utf-8", "replace")[-4000:], runner.python)
        argv, self._dropped = neutral.of_settings(record.probe["settings"], seed.test_argv)
        runner.seed = replace(seed, test_argv=argv)
        return runner

    def baseline(self) -> Baseline:
        """What the untouched seed does, less the tests that a calibration has set aside since.

        Raises `SeedError`, with the end of pytest's own output, where pytest does not start, finds no test,
        or none passes.
        """
        with self._lock:
            if self._measured is None:
                self._measured = self._measure()
            measured, aside = self._measured, self._aside
        if not aside:
            return measured
        return replace(
            measured,
            green=tuple(test for test in measured.green if test not in aside),
            set_aside=tuple(sorted({*measured.set_aside, *aside})),
            order_dependent=tuple(test for test in measured.order_dependent if test not in aside),
        )

    @property
    def current(self) -> Baseline:
        """The baseline as it now stands."""
        return self.baseline()

    @property
    def set_aside(self) -> frozenset[str]:
        """Tests that count nowhere."""
        return frozenset(self.baseline().set_aside)

    @property
    def source_readers(self) -> frozenset[str]:
        """Tests that fail when comments stand on the lines: they cannot be the only proof."""
        return self._readers

    def put_aside(self, tests: Iterable[str]) -> None:
        """Let *tests* count nowhere from now on."""
        with self._lock:
            self._aside |= frozenset(tests)

    def _measure(self) -> Baseline:
        runner = self.runner
        notes = [f"not passed on to pytest: {' '.join(self._dropped)}"] if self._dropped else []

        def run(shuffle: int | None) -> Run:
            found = runner.run({}, shuffle=shuffle)
            self._loaded.update(found.loaded)
            return found

        def deselect(prefixes: Sequence[str]) -> None:
            more = [word for prefix in prefixes for word in ("--deselect", prefix)]
            runner.seed = replace(runner.seed, test_argv=(*runner.seed.test_argv, *more))

        measurer = Measurer(run=run, deselect=deselect, python=runner.python, jobs=self.jobs, notes=notes)
        found = measurer.baseline()
        self._crowd = measurer.crowd
        runner.slowest = found.seconds
        for note in found.notes:
            self.notify(note)
        return found

    def crowd(self) -> tuple[str, ...]:
        """Tests that do not bear the untouched seed `jobs` times at once; if there are any, `jobs` becomes 1.

        A fixed port, a file at a fixed place or a limit of time makes a test fail beside another of itself.
        """
        self.baseline()
        wrong = self._disturbed(self._crowd)
        if wrong:
            self.jobs = 1
            self.notify(f"one run at a time, since two at once disturb each other: {listed(wrong)}")
        return wrong

    def disturbed(self) -> tuple[str, ...]:
        """Tests that now fail on the untouched seed, each time, though they passed: runs leave traces."""
        wrong = self._disturbed([self.runner.run({})])
        for _ in range(DOUBTS if wrong else 0):
            again = self._disturbed([self.runner.run({})])
            wrong = tuple(test for test in wrong if test in again)
        return wrong

    def _disturbed(self, runs: Iterable[Run]) -> tuple[str, ...]:
        green = self.baseline().green
        wrong = {test for run in runs for test in failing(run, green)}
        return tuple(test for test in green if test in wrong)

    def calibrate(self, paths: Iterable[str]) -> Calibration:
        """Prove that edits of *paths* are what runs, and that edits that change nothing change nothing."""
        paths = self._sources = frozenset(paths)
        calibrator = Calibrator(
            run=self.run,
            compile=self.compile,
            baseline=self.baseline(),
            loaded=self._loaded,
            tree=self.sandbox.pristine,
            roots=self.seed.source_roots,
            jobs=self.jobs,
        )
        found = calibrator.calibrate(paths)
        self.put_aside(found.set_aside)
        with self._lock:
            self._readers |= frozenset(found.source_readers)
            self._idle |= found.idle
        for note in found.notes:
            self.notify(note)
        if not self.baseline().green:
            raise SeedError(f"no test is left that a comment leaves alone: {listed(found.set_aside)}")
        return found

    @property
    def reach(self) -> Reach:
        """Which test reaches which line, from one run under coverage; made when first asked for."""
        with self._lock:
            if self._reach is None:
                self._reach = self._mapped()
            return self._reach

    def _mapped(self) -> Reach:
        baseline = self.baseline()
        run = self.runner.run({}, contexts=True)
        known = run.ending is Ending.FINISHED and bool(run.lines)
        if not known:
            self.notify("no coverage in the seed's interpreter: every test runs for every change")
        odd = {test for test in baseline.green if run.outcomes.get(test) is not Outcome.PASSED}
        return Reach(lines=run.lines, read=self.read, always=frozenset({*run.hidden, *odd}), known=known)

    @property
    def faults(self) -> Matrix:
        """The faults that weakened tests are shot at with; see `arm`."""
        if self._faults is None:
            raise RuntimeError("a laboratory must be armed before it can show a loss of detection")
        return self._faults

    def arm(
        self,
        faults: Iterable[Mutant],
        *,
        shelf: Shelf,
        environment: str,
        patch: Callable[[Mutant], Any],
    ) -> None:
        """Make a kill matrix of *faults*, less those in files whose edits say nothing; see `Matrix`."""
        live = [fault for fault in faults if self.idle(fault.site.path) is None]
        self._faults = Matrix(self, live, shelf=shelf, environment=environment, patch=patch)

    def shoot(self, shots: Sequence[Shot]) -> Mapping[str, Hit]:
        """See `ColdRunner.shoot`."""
        return self.runner.shoot(shots)

    def idle(self, path: str) -> Idle | None:
        """Why edits of *path* say nothing, as the calibration found."""
        return self._idle.get(path)

    # ------------------------------------------------------------------------------------------ changes to it

    def run(
        self,
        overlay: Files,
        *,
        tests: Sequence[str] | None = None,
        stop_at_first: bool = False,
        shuffle: int | None = None,
        contexts: bool = False,
        warm: bool = False,
    ) -> Run:
        """One run over *overlay*; see `Runner.run`. A *warm* one may be a forked child's."""
        runner = (self.forking() if warm else None) or self.runner
        return runner.run(
            overlay, tests=tests, stop_at_first=stop_at_first, shuffle=shuffle, contexts=contexts
        )

    def forking(self) -> ColdRunner | None:
        """The runner that forks; None where it will not do.

        It has run the untouched seed twice first, and what passed in the baseline has passed.
        """
        self.baseline()
        with self._lock:
            if self._warm is None and not self.distrusted:
                cold = self.runner
                made = WarmRunner(**{each.name: getattr(cold, each.name) for each in fields(ColdRunner)})
                self._warm = made
                try:
                    wrong = self._disturbed([made.run({}), made.run({})])
                except NoServer as why:
                    self.distrust(str(why))
                else:
                    if wrong:
                        self.distrust(f"{listed(wrong)} fails in one")
            return None if self.distrusted else self._warm

    def distrust(self, why: str) -> None:
        """Let no forked child stand for a process of its own any more."""
        with self._lock:
            if not self.distrusted:
                self.notify(f"each run in a process of its own, since a forked one will not do: {why}")
            self.distrusted = self.distrusted or why

    def confirms(self, overlay: Files) -> bool:
        """Whether one of two whole runs over *overlay* must be a process of its own."""
        return self.confirm == "all" or (self.confirm == "sample" and sampled(key_of(overlay)))

    @property
    def screens(self) -> bool:
        """Whether tests that reach a change may settle, without a whole run, that none notices it."""
        return self.confirm != "all"

    def doubt(self, why: str) -> None:
        """Let no fork with swapped code settle anything any more."""
        with self._lock:
            if not self.forks.doubted:
                self.notify(f"forks with swapped code settle nothing here, since {why}")
            self.forks.doubted = self.forks.doubted or why

    @property
    def doubts(self) -> tuple[str, str]:
        """Why forked runs, and forks with swapped code, will not do; each "" while it does."""
        return self.distrusted, self.forks.doubted

    def witness(self, candidate: Candidate) -> Found:
        """What a search for an input says that tells the two versions of *candidate* apart.

        The first asks for a run of the tests that records which calls they make.
        """
        if not self.searches:
            return Found(why="not searched for")
        searcher = self.searcher
        searcher.record(self._sources | {candidate.path})
        return searcher.search(candidate)

    @property
    def searcher(self) -> Witnesses:
        """What searches for inputs, and looks at one that is known."""
        with self._lock:
            if self._witnesses is None:
                self.baseline()
                where = self.workspace.hypothesis_path
                self._witnesses = Witnesses(self.runner, hypothesis=where, modules=self._loaded)
            return self._witnesses

    def apply(self, diff: bytes, overlay: Files | None = None) -> Files:
        """*overlay* with *diff* applied over it by `git apply`; a `UsageError` where it does not apply."""
        return self._patcher.apply(diff, overlay or {})

    def unapply(self, diff: bytes) -> Files:
        """The pristine files that *diff* names with it taken back; a `UsageError` where it is not in them."""
        return self._patcher.unapply(diff)

    def reverts(self, diff: bytes, overlay: Files | None = None) -> bool:
        """Whether *diff* applies over *overlay*, changes something, and reverts to the byte."""
        return self._patcher.reverts(diff, overlay or {})

    def read(self, path: str) -> bytes:
        """The pristine file's bytes."""
        try:
            return inside(self.sandbox.pristine, path).read_bytes()
        except OSError as error:
            raise UsageError(f"cannot read {path} in the seed: {error.strerror}") from None

    def compile(self, path: str, sources: Sequence[bytes]) -> list[str | None]:
        """A digest of what each source compiles to on the seed's interpreter, None where it does not."""
        keys = [(path, digest(source)) for source in sources]
        new = {key: source for key, source in zip(keys, sources, strict=True) if key not in self._codes}
        self._codes.update(zip(new, self._compiler.digests(path, list(new.values())), strict=True))
        return [self._codes[key] for key in keys]
