"""The warm runner: a cold run less all that comes before the seed is imported, in a fork of a session.

The session has set pytest and its plugins up, and imported what the tests import besides the seed. The child
loads conftests, collects and runs, over changed files put in place in the room of the session. Whether it
does all that a process of its own does is looked at before it may stand for one, and while it does; see
`Laboratory`.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bebug.records import Files, Run
from bebug.verification import environment, events
from bebug.verification.cold import ColdRunner, private_names
from bebug.verification.process import TOKEN
from bebug.verification.sandbox import FOLDER_MODE, Room, clear, inside, remove
from bebug.verification.server import NoServer, Server

MOST = 100  # changed files that are worth mending
KNOWN = {"tree", "home", "tmp", "system", "session.json", "ready.json", "ready.jsonl"}
KNOWN |= {"plan.json", "events.jsonl", "changed"}
"""The names in the folder of a session's room."""


@dataclass(kw_only=True)
class Standing:
    """One session that stands ready in *room*, and what is to be closed with it."""

    server: Server
    room: Room
    stack: ExitStack
    mode: int
    """That of the room's folders at first."""

    def request(self, overlay: Files, plan: Path) -> Mapping[str, Any]:
        """What asks for a child that follows *plan*; its files are staged in the room."""
        files: dict[str, str | None] = {}
        folder = self.room.folder / "changed"
        folder.mkdir(exist_ok=True)
        for number, (path, content) in enumerate(overlay.items()):
            inside(self.room.tree, path)
            files[path] = None if content is None else str(folder / str(number))
            (folder / str(number)).write_bytes(content or b"")
        return {"plan": str(plan), "files": files}

    def mended(self, pristine: Path) -> bool:
        """Whether the room is as it was at first, what the last child has changed in the tree put back."""
        changed = [Path(name) for name in self.server.changed]
        try:
            self.server.tidy()
            for folder in (self.room.home, self.room.temporary):
                folder.mkdir(exist_ok=True)
                folder.chmod(self.mode)
            self.room.tree.chmod(pristine.stat().st_mode & 0o7777)
            known = {entry.name for entry in os.scandir(self.room.folder)} <= KNOWN
            if known and len(changed) <= MOST:
                for path in changed:
                    put_back(pristine / path.relative_to(self.room.tree), path)
                return True
        except (OSError, ValueError):
            pass
        return False

    def close(self) -> None:
        self.stack.close()


@dataclass(kw_only=True)
class WarmRunner(ColdRunner):
    """Runs in children of as many sessions as there are runs at a time.

    A run whose session dies is run again, in a process of its own; so is one for which none can be had though
    there was one before, and one that a session cannot have: under coverage, or over a file that it has read
    already. Raises `NoServer` where there never was a session.
    """

    _stood: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _standing: list[Standing] = field(default_factory=list)

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
        if not contexts:
            wish = {"tests": tests and list(tests), "stop": stop_at_first, "shuffle": shuffle}
            try:
                standing = self._one_standing()
                if not standing.server.ahead & overlay.keys():
                    return self._served_by(standing, overlay, wish)
                self._keep(standing)
            except NoServer:
                if not self._stood:
                    raise
        return super().run(
            overlay, tests=tests, stop_at_first=stop_at_first, shuffle=shuffle, contexts=contexts
        )

    def _served_by(self, standing: Standing, overlay: Files, wish: Mapping[str, Any]) -> Run:
        room, server = standing.room, standing.server
        plan = room.folder / "plan.json"
        try:
            (room.folder / "events.jsonl").unlink(missing_ok=True)
            plan.write_text(json.dumps({**wish, **self._places(room)}), "ascii")
            request = standing.request(overlay, plan)
            with self.sandbox.guarding() as started:
                started(server.pid)
                seconds = self.limits.seconds(self.slowest)
                ended = replace(server.run(request, seconds=seconds, limits=self.limits), tier="warm")
            self.sandbox.unlock(room.tree)
            record = events.read(room.folder / "events.jsonl")
        except BaseException as error:
            standing.close()
            if isinstance(error, OSError):
                raise NoServer(f"its room is gone: {error.strerror}") from None
            raise
        if standing.mended(self.sandbox.pristine):
            self._keep(standing)
        else:
            standing.close()
        return events.run_of(record, ended, dict(private_names(room)), None)

    def _keep(self, standing: Standing) -> None:
        with self._lock:
            self._standing.append(standing)

    def _one_standing(self) -> Standing:
        """An idle session, or a new one. Raises `NoServer` where this seed can have none."""
        with self._lock:
            if self._standing:
                return self._standing.pop()
        stack = ExitStack()
        try:
            room = stack.enter_context(self.sandbox.room({}))
            mode = room.home.stat().st_mode & 0o7777
            standing = Standing(server=self._started(room), room=room, stack=stack, mode=mode)
            stack.callback(standing.server.close)
            standing.server.ready()
        except BaseException:
            stack.close()
            raise
        self._stood = True
        return standing

    def _started(self, room: Room) -> Server:
        cwd, token = room.tree / self.seed.cwd, self.sandbox.new_token()
        walls = self.sandbox.walls(cwd, python=self.python, apart=False)
        plan, session = room.folder / "ready.json", room.folder / "session.json"
        emptied = [str(room.home), str(room.temporary), *self.sandbox.private]
        told = {**self._places(room), "events": str(room.folder / "ready.jsonl"), "emptied": emptied}
        env = environment.of_run(os.environ, self.seed, room) | {"BEBUG_PLAN": str(plan), TOKEN: token}
        known = {"cwd": str(cwd), "env": env, "argv": environment.arguments(self.seed)}
        session.write_text(json.dumps(known), "ascii")

        def numbered(number: int) -> Path:
            plan.write_text(json.dumps({**told, "ready": number}), "ascii")
            return session

        return Server(
            self.python,
            cwd=cwd,
            env=env,
            session=numbered,
            token=token,
            walled=lambda argv: self.sandbox.walled(argv, walls),
            tidy=lambda: clear(walls.system, walls.kept),
        )

    def close(self) -> None:
        """End the sessions."""
        with self._lock:
            standing, self._standing = self._standing, []
        for each in standing:
            each.close()


def put_back(was: Path, there: Path) -> None:
    """Let what is *there* be as it *was*: a folder, a file or a link, or nothing."""
    if was.is_dir() and not was.is_symlink():
        if there.is_symlink() or not there.is_dir():
            there.unlink(missing_ok=True)
            there.mkdir()
        there.chmod(FOLDER_MODE)
        return
    remove(there) if there.is_dir() and not there.is_symlink() else there.unlink(missing_ok=True)
    if was.is_symlink():
        raise ValueError("a link may have to move along")
    if was.exists():
        shutil.copy2(was, there)
