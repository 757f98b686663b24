"""Proving the instrument: an edit that must be noticed, file by file, and edits that must not be."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from bebug.errors import SeedError
from bebug.records import Baseline, Ending, Files, Run, Status
from bebug.verification import comments
from bebug.verification.baselines import listed
from bebug.verification.verdicts import judge

HARMLESS = frozenset([Status.SURVIVED, Status.KILLED, Status.LOST])


@dataclass(frozen=True, slots=True, kw_only=True)
class Idle:
    """Why edits of a file say nothing. *elsewhere*: tests import that module from another file."""

    reason: str
    elsewhere: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What canaries and no-op edits showed. *set_aside*: tests that even a comment fails, or that flaked."""

    idle: Mapping[str, Idle] = field(default_factory=dict)
    set_aside: tuple[str, ...] = ()
    source_readers: tuple[str, ...] = ()  # fail when comments stand on the lines: never the only killer
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Calibrator:
    """Edits files of the seed at *tree* with *run* and looks at what its tests say against *baseline*."""

    run: Callable[[Files], Run]
    compile: Callable[[str, Sequence[bytes]], Sequence[str | None]]
    baseline: Baseline
    loaded: Mapping[str, str]  # module → file, in runs of the untouched seed
    tree: Path
    roots: Sequence[str]
    jobs: int = 1

    def calibrate(self, paths: Iterable[str]) -> Calibration:
        """Try every file of *paths* by itself, then comments in all of them at once."""
        wanted = sorted(set(paths))
        with ThreadPoolExecutor(self.jobs) as pool:
            found = pool.map(self.idle, wanted)
            idle = {path: why for path, why in zip(wanted, found, strict=True) if why is not None}
            live = [path for path in wanted if path not in idle]
            edited = [self.overlay(live, edit) for edit in (comments.appended, comments.on_each_line)]
            (steady, shaken), (readers, flaky) = pool.map(self.noticed, edited)
        aside = steady | shaken | flaky
        notes = []
        if steady:
            notes.append(
                f"set aside, since a comment at the end of a file fails them: {listed(sorted(steady))}"
            )
        if shaken | flaky:
            notes.append(f"set aside, passing only now and then: {listed(sorted(shaken | flaky))}")
        if readers - aside:
            notes.append(f"reading the source, never the only proof: {listed(sorted(readers - aside))}")
        return Calibration(
            idle=idle,
            set_aside=tuple(sorted(aside)),
            source_readers=tuple(sorted(readers - aside)),
            notes=tuple(notes),
        )

    def idle(self, path: str) -> Idle | None:
        """Why replacing all of *path* goes unnoticed; None where it is noticed, or where the file did run."""
        if judge(self.baseline, self.run({path: comments.CANARY})).status is not Status.SURVIVED:
            return None
        real = os.path.relpath(os.path.realpath(self.tree / path), self.tree).replace(os.sep, "/")
        if real in self.loaded.values():
            return None
        for name in module_names(self.tree, path, self.roots):
            if name in self.loaded:
                return Idle(
                    reason=f"not loaded from the work copy: tests import {self.loaded[name]}", elsewhere=True
                )
        return Idle(reason="nothing in the suite executes it", elsewhere=False)

    def overlay(self, paths: Iterable[str], edit: Callable[[bytes], bytes]) -> Files:
        """Those of *paths* that *edit* leaves with the same compiled code, edited."""
        found: dict[str, bytes] = {}
        for path in paths:
            before = (self.tree / path).read_bytes()
            try:
                after = edit(before)
            except ValueError:
                continue
            codes = self.compile(path, [before, after])
            if codes[0] is not None and codes[0] == codes[1] and before != after:
                found[path] = after
        return found

    def noticed(self, overlay: Files) -> tuple[frozenset[str], frozenset[str]]:
        """Tests that *overlay*, which changes nothing, fails each time; and those it fails only sometimes."""
        if not overlay:
            return frozenset(), frozenset()
        first = self.unhappy(overlay)
        if not first:
            return frozenset(), frozenset()
        second = self.unhappy(overlay)
        return first & second, first ^ second

    def unhappy(self, overlay: Files) -> frozenset[str]:
        run = self.run(overlay)
        judged = judge(self.baseline, run)
        if run.ending is not Ending.FINISHED or judged.status not in HARMLESS:
            named = ", ".join(sorted(overlay)[:3])
            raise SeedError(
                f"a comment in {named} keeps the suite from running: it checks its own files", detail=run.tail
            )
        return frozenset((*judged.fail_to_pass, *judged.lost))


def module_names(tree: Path, path: str, roots: Iterable[str]) -> list[str]:
    """The names under which *path* may be imported: from each source root, and from its package's top."""
    file = PurePosixPath(path)
    module = file.parent if file.name == "__init__.py" else file.with_suffix("")
    top = module.parent if file.name != "__init__.py" else module
    while top != top.parent and (tree / top / "__init__.py").is_file():
        top = top.parent
    starts = [PurePosixPath(os.path.normpath(root)) for root in roots] + [top]
    names = [module.relative_to(start).parts for start in starts if module.is_relative_to(start)]
    return list(dict.fromkeys(".".join(parts) for parts in names if parts))
