"""The warm runner: a cold run less the start of Python and pytest, in a child forked of a server.

The seed's own modules are imported afresh by each child. Whether a child does all that a process of its own
does is looked at before it may stand for one, and while it does; see `Laboratory`.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bebug.verification import environment
from bebug.verification.cold import ColdRunner
from bebug.verification.process import Ended
from bebug.verification.sandbox import Room, clear
from bebug.verification.server import NoServer, Server


@dataclass(kw_only=True)
class WarmRunner(ColdRunner):
    """Runs a seed's tests in children of as many servers as there are runs at a time.

    A run whose server dies is run again, by a process of its own; so is one for which none can be had though
    there was one before. Raises `NoServer` where there never was.
    """

    _served: bool = False
    _idle: list[Server] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def _execute(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float) -> Ended:
        try:
            server = self._taken()
        except NoServer:
            if not self._served:
                raise
            return super()._execute(argv, cwd=cwd, env=env, seconds=seconds)
        self._served = True
        with self.sandbox.guarding() as started:
            try:
                started(server.pid)
                ended = server.run(argv, cwd=cwd, env=env, seconds=seconds, limits=self.limits)
            except BaseException as error:
                server.close()
                if not isinstance(error, NoServer):
                    raise
            else:
                self._give_back(server)
                return replace(ended, tier="warm")
            finally:
                self.sandbox.unlock(cwd)
        if not cwd.is_dir():  # the run has done away with its copy, and with the server after it
            return Ended(code=-signal.SIGKILL, stopped="", output=b"", seconds=0.0)
        return super()._execute(argv, cwd=cwd, env=env, seconds=seconds)

    def _give_back(self, server: Server) -> None:
        """Let *server* serve again, unless the run has spoilt it."""
        try:
            server.tidy()
        except OSError:
            server.close()
        else:
            with self._lock:
                self._idle.append(server)

    def _taken(self) -> Server:
        """An idle server, or a new one. Raises `NoServer` where this seed can have none."""
        with self._lock:
            if self._idle:
                return self._idle.pop()
        room = Room(folder=Path(tempfile.mkdtemp(prefix="server-", dir=self.sandbox.folder)))
        for folder in (room.home, room.temporary):
            folder.mkdir()
        walls = self.sandbox.walls(room.folder, python=self.python, apart=False)
        env = environment.of_run(os.environ, self.seed, room)
        server = Server(
            self.python,
            cwd=room.folder,
            env={name: value for name, value in env.items() if name not in ("PYTHONPATH", "PWD")},
            names=self._top_names(),
            blocked=[word.removeprefix("no:") for word in self.seed.test_argv if word.startswith("no:")],
            private=self.sandbox.private,
            token=self.sandbox.new_token(),
            walled=lambda argv: self.sandbox.walled(argv, walls),
            tidy=lambda: clear(walls.system, walls.kept),
        )
        try:
            server.ready()
        except BaseException:
            server.close()
            raise
        return server

    def _top_names(self) -> list[str]:
        """The modules and packages in the folders that the import path of a run begins with."""
        tree = self.sandbox.pristine
        found = set[str]()
        for folder in {tree / self.seed.cwd, *(tree / root for root in self.seed.source_roots)}:
            for entry in os.scandir(folder) if folder.is_dir() else ():
                if entry.name.endswith((".py", ".so")) or Path(entry.path, "__init__.py").exists():
                    found.add(entry.name.partition(".")[0])
        return sorted(found)

    def close(self) -> None:
        """End the servers."""
        with self._lock:
            idle, self._idle = self._idle, []
        for server in idle:
            server.close()
