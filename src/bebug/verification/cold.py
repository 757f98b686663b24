"""The cold runner: a fresh copy and a fresh process for each run; slow, and what others must agree with."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bebug.records import Files, Run, Seed
from bebug.verification import environment, events
from bebug.verification.events import Hit
from bebug.verification.limits import Limits
from bebug.verification.process import Ended
from bebug.verification.sandbox import Room, Sandbox

RECORDING = 4.0  # times the limit of a run, for one whose calls are recorded
BLOCKS = (20, *[1] * 6)  # shots to a block where a session of all spoils itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """Changed files to run *tests* over in a child of one collected session.

    *seconds* of processor time are for all of them, *each* for one by one, where it is given. Where *enough*
    is not 0, the shot ends when tests of so many *groups*, a name for each test, have failed. *fresh*: the
    seed's modules are imported anew, as they are where swapped code does not do.
    """

    key: str
    overlay: Files
    tests: Sequence[str]
    seconds: float
    each: Sequence[float] = ()
    enough: int = 0
    groups: Sequence[str] = ()
    fresh: bool = False


@dataclass(kw_only=True)
class ColdRunner:
    """Runs a seed's tests in rooms of *sandbox*. *slowest*: wall time of the untouched seed, once known."""

    sandbox: Sandbox
    python: Path
    seed: Seed
    limits: Limits
    slowest: float | None = None
    coverage_path: Path | None = None  # where coverage.py lies, for an interpreter that has none

    def run(
        self,
        overlay: Files,
        *,
        tests: Sequence[str] | None = None,
        stop_at_first: bool = False,
        shuffle: int | None = None,
        contexts: bool = False,
    ) -> Run:
        """See `Runner.run`."""
        wish: dict[str, Any] = {"tests": None if tests is None else list(tests), "stop": stop_at_first}
        wish |= {"shuffle": shuffle, "contexts": contexts}
        with self.sandbox.room(overlay) as room:
            ended, record = self._session(room, wish)
            reached = events.reached_of(room.folder / "reached.json")
            return events.run_of(record, ended, dict(private_names(room)), reached)

    def shoot(self, shots: Sequence[Shot]) -> Mapping[str, Hit]:
        """Key → what came of each of *shots*, in one session unless one spoils it for others.

        Where what a session said cannot be relied on, or it ended, the rest is asked in another, in smaller
        blocks, down to single shots: so that one which spoils the next is found. One without an answer is
        missing.
        """
        said: dict[str, Hit] = {}
        left = list(shots)
        for block in (len(left), *BLOCKS):
            if not left:
                break
            new = self._fired(left, block)
            said |= new
            if block == 1 and left[0].key not in new:
                del left[0]  # with it the session ends
            left = [shot for shot in left if shot.key not in said]
        return said

    def _fired(self, shots: Sequence[Shot], block: int) -> Mapping[str, Hit]:
        with self.sandbox.room({}) as room:
            plan = [self._loaded_shot(room, number, shot) for number, shot in enumerate(shots)]
            more = sum(1 + 4 * shot.seconds for shot in shots)  # they end themselves, unless stuck
            wish = {"shots": plan, "block": block, "private": list(self.sandbox.private)}
            return self._session(room, wish, more=more)[1].shots

    def _loaded_shot(self, room: Room, number: int, shot: Shot) -> dict[str, Any]:
        files: dict[str, str] = {}
        for path, content in shot.overlay.items():
            file = room.folder / f"shot-{number}-{len(files)}.py"
            file.write_bytes(content or b"")
            files[path] = str(file)
        limits = {
            "seconds": shot.seconds,
            "each": list(shot.each),
            "enough": shot.enough,
            "fresh": shot.fresh,
        }
        groups = list(shot.groups or shot.tests)
        return {"key": shot.key, "files": files, "tests": list(shot.tests), "groups": groups, **limits}

    def probe(self) -> tuple[Ended, events.Record]:
        """Ask pytest for its effective settings, without collecting."""
        with self.sandbox.room({}) as room:
            return self._session(room, {"probe": True})

    def recorded(self, paths: Sequence[str]) -> Mapping[str, Any]:
        """Path → first line of a function → calls that the tests made of it; see `guest/bebug_calls.py`.

        Empty where the suite does not bear that its calls are looked at.
        """
        with self.sandbox.room({}) as room:
            wish = {"record": list(paths), "calls": str(room.folder / "calls.json")}
            self._session(room, wish, more=RECORDING * self.limits.seconds(self.slowest))
            try:
                found: dict[str, Any] = json.loads((room.folder / "calls.json").read_text("ascii"))
            except (OSError, ValueError):
                return {}
            return found

    def _session(
        self, room: Room, wish: Mapping[str, Any], *, more: float = 0.0
    ) -> tuple[Ended, events.Record]:
        plan = room.folder / "plan.json"
        plan.write_text(json.dumps({**wish, **self._places(room)}), "ascii")
        ended = self._execute(
            environment.arguments(self.seed),
            cwd=room.tree / self.seed.cwd,
            env=environment.of_run(os.environ, self.seed, room) | {"BEBUG_PLAN": str(plan)},
            seconds=self.limits.seconds(self.slowest) + more,
        )
        return ended, events.read(room.folder / "events.jsonl")

    def _execute(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float) -> Ended:
        """Run pytest with *argv* in a process of its own."""
        command = [str(self.python), "-m", "pytest", *argv]
        return self.sandbox.execute(command, cwd=cwd, env=env, seconds=seconds, memory=self.limits.memory)

    @cached_property
    def _importable(self) -> list[str]:
        return importable_names(self.sandbox.pristine)

    def _places(self, room: Room) -> dict[str, Any]:
        return {
            "tree": str(room.tree),
            "events": str(room.folder / "events.jsonl"),
            "reach": str(room.folder / "reached.json"),
            "coverage": str(room.folder / "coverage.data"),
            "coverage_path": str(self.coverage_path or ""),
            "names": private_names(room),
            "packages": self._importable,
        }


def private_names(room: Room) -> list[tuple[str, str]]:
    """Paths that differ from run to run, with what to write for them; the longest first."""
    return [
        (f"{room.tree}/", ""),
        (str(room.tree), "<tree>"),
        (str(room.temporary), "<tmp>"),
        (str(room.home), "<home>"),
    ]


def importable_names(tree: Path) -> list[str]:
    """Top-level names under which modules of *tree* might be imported: of its folders and Python files."""
    found = set[str]()
    for _, folders, files in os.walk(tree):
        found.update(name for name in folders if name.isidentifier())
        found.update(name.removesuffix(".py") for name in files if name.endswith(".py"))
    return sorted(found)
