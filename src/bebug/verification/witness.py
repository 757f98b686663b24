"""Witnesses: inputs, found by search, on which a function before and after a change differ.

The calls that the seed's tests make of each function are recorded once. A search runs behind the walls of a
run, in a room that holds the base and the change side by side; see `guest/bebug_witness.py`.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug.records import Files
from bebug.verification import environment, isolating
from bebug.verification.candidate import Candidate
from bebug.verification.cold import ColdRunner, private_names
from bebug.verification.process import Ended
from bebug.verification.sandbox import Room, copy_tree

EXAMPLES = 300
"""Inputs that Hypothesis draws for a change."""
SECONDS = 300.0
"""Wall time after which a search ends without a claim. It is far above what one takes: it bounds, it does
not choose."""
LOOK = 15.0  # seconds for one call, after which it does not return
LATE = "does not return"
DICE = 20261130
NONE = "no difference"
"""Why there is no witness where the search came to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search gave: a *witness*, or *why* there is none, after so many *examples* that told of it."""

    witness: Mapping[str, Any] | None = None
    why: str = ""
    examples: int = 0


class Witnesses:
    """Searches for inputs with *runner*'s interpreter and sandbox. *modules*: module → file in the tree."""

    def __init__(self, runner: ColdRunner, *, hypothesis: Path | None, modules: Mapping[str, str]) -> None:
        self.runner, self.hypothesis = runner, hypothesis
        self.modules: dict[str, str] = {}
        for name in sorted(modules, key=lambda name: (-len(name), name), reverse=False):
            self.modules[modules[name]] = name  # the shortest comes last and stays
        self.calls: Mapping[str, Any] = {}
        self._recorded = False
        self._lock = threading.Lock()

    def record(self, paths: Iterable[str]) -> None:
        """Keep the calls that the tests make into the files *paths*: of one run, at the first time."""
        with self._lock:
            if not self._recorded:
                self.calls = self.runner.recorded(sorted(paths))
                self._recorded = True

    def search(self, candidate: Candidate, *, examples: int = EXAMPLES, dice: int = DICE) -> Found:
        """Look for an input that tells *candidate*'s two versions apart."""
        if why := self._hindrance(candidate.path):
            return Found(why=why)
        sandbox = self.runner.sandbox
        with sandbox.room({candidate.path: candidate.after}) as room:
            base = Room(folder=room.folder / "before")
            base.folder.mkdir()
            copy_tree(sandbox.pristine, base.tree)
            (base.tree / candidate.path).write_bytes(candidate.before)
            plan = {
                "base": self._roots(base),
                "changed": self._roots(room),
                "old": str(base.tree / candidate.path),
                "module": self.modules[candidate.path],
                "lines": list(candidate.lines),
                "calls": self.calls.get(candidate.path, {}),
                "private": [*private_names(base), *private_names(room)],
                "hypothesis": str(self.hypothesis or ""),
                "examples": examples,
                "dice": dice,
            }
            ended, told = self._asked(room, plan)
        if told is None:
            return Found(
                why="the search did not end in time" if ended.timed_out else "the search was cut short"
            )
        return Found(witness=told["witness"], why=told["why"], examples=told["examples"])

    def look(self, witness: Mapping[str, Any], path: str, overlay: Files) -> str:
        """What one sees who types *witness*, on a function of *path*, in the tree with *overlay*.

        "" where nothing can be seen: without walls, or where the module does not load.
        """
        if self._hindrance(path):
            return ""
        with self.runner.sandbox.room(overlay) as room:
            request = {name: witness[name] for name in ("imports", "setup", "call")}
            job = {
                "roots": self._roots(room),
                "module": self.modules[path],
                "private": private_names(room),
                "request": {**request, "dice": 0},
            }
            ended, told = self._asked(room, job, "look")
        if told is None:
            return LATE if ended.timed_out else ""
        text = str(told.get("text", ""))
        return LATE if text == "raises MemoryError" else text

    def _hindrance(self, path: str) -> str:
        """Why no function of *path* can be called; "" where it can."""
        if not isolating.tiers()[self.runner.sandbox.tier].strength:
            return "no walls here: what is drawn might do harm"
        return "" if path in self.modules else "no test imports the file"

    def _asked(self, room: Room, plan: Mapping[str, Any], *words: str) -> tuple[Ended, dict[str, Any] | None]:
        """How the guest ended that follows *plan* in *room*, and what it said."""
        sandbox, seed = self.runner.sandbox, self.runner.seed
        here, temporary = room.temporary / "here", room.temporary / "tmp"
        here.mkdir()
        temporary.mkdir()
        path, answer = room.folder / "plan.json", room.folder / "answer.json"
        scratch = [str(here), str(temporary), str(room.home), *sandbox.private]
        path.write_text(json.dumps({**plan, "scratch": scratch, "answer": str(answer)}), "ascii")
        env = environment.of_run(os.environ, seed, room)
        ended = sandbox.execute(
            [self.runner.python, "-B", environment.GUEST / "bebug_witness.py", *words, path],
            cwd=here,
            env=env | {"PYTHONPATH": str(environment.GUEST), "TMPDIR": str(temporary)},
            seconds=LOOK if words else SECONDS,
            memory=self.runner.limits.memory,
        )
        try:
            found: dict[str, Any] = json.loads(answer.read_text("ascii"))
        except (OSError, ValueError):
            return ended, None
        return ended, found

    def _roots(self, room: Room) -> list[str]:
        seed = self.runner.seed
        folders = [seed.cwd, *seed.source_roots]
        return list(dict.fromkeys(os.path.normpath(room.tree / folder) for folder in folders))
