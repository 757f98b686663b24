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

PATIENCE = 60.0  # seconds for a server to be ready, and for an answer that is due at once


class NoServer(Exception):
    """There is no server, or none any more: a process of its own must do."""


class Server:
    """One server, which runs one child at a time. Raises `NoServer` where it cannot serve, and why.

    *names* are the modules at the top of the seed's import path, *blocked* the pytest plugins that it does
    without, *private* the folders of its own to empty before each child; *token* marks all that the server
    starts. *walled* turns its command into one behind walls; *tidy* takes away what a child left in the
    system's temporary folder; an `OSError` where that is gone.
    """

    def __init__(
        self,
        python: Path,
        *,
        cwd: Path,
        env: Mapping[str, str],
        names: Sequence[str],
        blocked: Sequence[str],
        private: Sequence[str],
        token: str,
        walled: Callable[[Sequence[str]], list[str]] = list,
        tidy: Callable[[], None] = lambda: None,
    ) -> None:
        self.token, self.tidy = token, tidy
        self._socket, other = socket.socketpair()
        self._rest = b""
        self._own = 0
        known = {"names": list(names), "blocked": list(blocked), "private": list(private)}
        plan = json.dumps({**known, "roots": prefixes(python)})
        command = walled([str(python), str(GUEST / "bebug_server.py"), str(other.fileno()), plan])
        try:
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**env, process.TOKEN: token},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
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

    def run(
        self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str], seconds: float, limits: Limits
    ) -> process.Ended:
        """Run pytest with *argv* in a child; what it starts is killed at its end, as for any process."""
        begun = time.monotonic()
        read, write = os.pipe()
        wish = {
            "cwd": str(cwd),
            "env": {**env, process.TOKEN: self.token},
            "argv": list(argv),
            "resources": limits.resources(seconds),
        }
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
        return os.waitstatus_to_exitcode(self._answer(PATIENCE)["status"])

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


def prefixes(python: Path) -> list[str]:
    """The folders in which *python* keeps its standard library and what is installed."""
    code = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix]))"
    try:
        run = subprocess.run(
            [str(python), "-I", "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoServer(f"{python} does not answer: {error}") from None
    found: list[str] = json.loads(run.stdout)
    return found
