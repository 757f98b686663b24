"""Witnesses: inputs, found by search, on which a function before and after a change differ.

The calls that the seed's tests make of each function are recorded once. A search runs behind the walls of a
run, in a room that holds the base and the change side by side; see `guest/bebug_witness.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug.verification import environment, isolating
from bebug.verification.candidate import Candidate
from bebug.verification.cold import ColdRunner, private_names
from bebug.verification.sandbox import Room, copy_tree

EXAMPLES = 300
"""Inputs that Hypothesis draws for a change."""
SECONDS = 90.0
"""Wall time after which a search ends without a claim. It is far above what one takes: it bounds, it does
not choose."""
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

    def record(self, paths: Iterable[str]) -> None:
        """Run the seed's tests once and keep the calls that they make into the files *paths*."""
        self.calls = self.runner.recorded(sorted(paths))

    def search(self, candidate: Candidate, *, examples: int = EXAMPLES, dice: int = DICE) -> Found:
        """Look for an input that tells *candidate*'s two versions apart."""
        if not isolating.tiers()[self.runner.sandbox.tier].strength:
            return Found(why="no walls here: what is drawn might do harm")
        module = self.modules.get(candidate.path)
        if module is None:
            return Found(why="no test imports the file")
        sandbox, seed = self.runner.sandbox, self.runner.seed
        with sandbox.room({candidate.path: candidate.after}) as room:
            base = Room(folder=room.folder / "before")
            base.folder.mkdir()
            copy_tree(sandbox.pristine, base.tree)
            (base.tree / candidate.path).write_bytes(candidate.before)
            here, temporary = room.temporary / "here", room.temporary / "tmp"
            here.mkdir()
            temporary.mkdir()
            plan = {
                "base": self._roots(base),
                "changed": self._roots(room),
                "old": str(base.tree / candidate.path),
                "module": module,
                "lines": list(candidate.lines),
                "calls": self.calls.get(candidate.path, {}),
                "private": [*private_names(base), *private_names(room)],
                "scratch": [str(here), str(temporary), str(room.home), *sandbox.private],
                "hypothesis": str(self.hypothesis or ""),
                "examples": examples,
                "dice": dice,
                "answer": str(room.folder / "answer.json"),
            }
            path = room.folder / "plan.json"
            path.write_text(json.dumps(plan), "ascii")
            ended = sandbox.execute(
                [self.runner.python, "-B", environment.GUEST / "bebug_witness.py", path],
                cwd=room.temporary,
                env=environment.of_run(os.environ, seed, room)
                | {"PYTHONPATH": str(environment.GUEST), "TMPDIR": str(temporary)},
                seconds=SECONDS,
                memory=self.runner.limits.memory,
            )
            with suppress(OSError, ValueError, KeyError):
                told = json.loads((room.folder / "answer.json").read_text("ascii"))
                return Found(witness=told["witness"], why=told["why"], examples=told["examples"])
            return Found(
                why="the search did not end in time" if ended.timed_out else "the search was cut short"
            )

    def _roots(self, room: Room) -> list[str]:
        seed = self.runner.seed
        folders = [seed.cwd, *seed.source_roots]
        return list(dict.fromkeys(os.path.normpath(room.tree / folder) for folder in folders))
