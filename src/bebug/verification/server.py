"""A server process of the seed's interpreter that forks a child for each run; see `guest/bebug_server.py`."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bebug.errors import MachineError
from bebug.verification import process
from bebug.verification.environment import GUEST
from bebug.verification.limits import Limits

LATER = ("PYTHONPATH", "PWD")  # what the script that is started sets by itself
PATIENCE = 60.0  # seconds for a server to be ready, and for an answer that is due at once


class NoServer(Exception):
    """There is no server, or none any more: a process of its own must do."""


class Server:
    """One server, which runs one child at a time. Raises `NoServer` where it cannot serve, and why.

    *session* writes what `guest/bebug_server.py` reads, with the number of its socket, and gives the path;
    *token* marks all that the server starts. *walled* turns its command into one behind walls; *tidy* takes
    away what a child left in the system's temporary folder; an `OSError` where that is gone.
    """

    def __init__(
        self,
        python: Path,
        *,
        cwd: Path,
        env: Mapping[str, str],
        session: Callable[[int], Path],
        token: str,
        walled: Callable[[Sequence[str]], list[str]] = list,
        tidy: Callable[[], None] = lambda: None,
    ) -> None:
        self.token, self.tidy = token, tidy
        self._socket, other = socket.socketpair()
        self._rest = b""
        self._own = 0
        self.ahead: frozenset[str] = frozenset()
        """Files of the tree that are loaded before any child is: no change of one can be run here."""
        self.changed: Sequence[str] = ()
        """Paths of what the last child has changed in the tree."""
        number = other.fileno()
        try:
            command = walled([str(python), str(GUEST / "bebug_server.py"), str(session(number))])
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env={name: value for name, value in env.items() if name not in LATER},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,
            )
        except OSError as error:
            self._socket.close()
            raise MachineError(f"cannot start {python}: {error.strerror}") from None
        finally:
            other.close()

    @property
    def pid(self) -> int:
        """The process that was started: the server, or what walls it off."""
        return self._process.pid

    @property
    def pids(self) -> frozenset[int]:
        """All processes that must live for the server to serve."""
        return frozenset({self.pid, self._own})

    def ready(self) -> None:
        """Wait until children can be had."""
        answer = self._answer(PATIENCE)
        if not answer.get("ready"):
            raise NoServer(answer.get("foreign", "it does not start"))
        self._own = int(answer["pid"])
        self.ahead = frozenset(answer.get("ahead", ()))

    def run(self, request: Mapping[str, Any], *, seconds: float, limits: Limits) -> process.Ended:
        """Run a child as *request* says; what it starts is killed at its end, as for any process."""
        begun = time.monotonic()
        read, write = os.pipe()
        wish = {**request, "resources": limits.resources(seconds)}
        try:
            with suppress(OSError):
                socket.send_fds(self._socket, [json.dumps(wish).encode() + b"\n"], [write])
            os.close(write)
            child = process.Child(
                pid=self._answer(PATIENCE)["pid"],
                output=read,
                done=lambda: bool(select.select([self._socket], [], [], 0)[0]),
                wait=self._code,
                wakes=self._socket.fileno(),
            )
        except BaseException:
            os.close(read)
            raise
        return process.guard(
            child,
            begun=begun,
            seconds=seconds,
            limits=limits,
            mark=process.mark_of(self.token),
            spared=self.pids,
        )

    def close(self) -> None:
        """End the server and all that carries its token."""
        process.kill_tree(self.pid, process.mark_of(self.token))
        self._process.kill()
        self._process.wait()
        self._socket.close()

    def _code(self) -> int:
        answer = self._answer(PATIENCE)
        self.changed = answer.get("changed", ())
        return os.waitstatus_to_exitcode(answer["status"])

    def _answer(self, seconds: float) -> dict[str, Any]:
        """The next line of the server's; a child may have killed it."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._socket], [], [], left)[0]:
                raise NoServer("it does not answer")
            try:
                data = self._socket.recv(65536)
            except OSError:
                data = b""
            if not data:
                raise NoServer("it is gone")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer
