"""The two sides of a search: a process that has imported the base, and one that has imported the change.

Each answers a request in a forked child of its own, so that no call sees what another left; a call that does
not return is killed with all that it started. Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time

import bebug_heirs
from bebug_sight import all_seen, looked_at, seen

WAYS = {"seen": seen, "all_seen": all_seen, "looked_at": looked_at}
IDLE = 2  # times as long a call may take that uses no processor time
START = 60.0  # seconds for a side to import the seed


class NoSide(Exception):
    """The seed's module cannot be had on a side, and why."""


class Side:
    """One tree, with *module* imported from *roots*. *private* as in `Sight`; *scratch*: folders to empty."""

    def __init__(self, roots, module, private, scratch):
        self.socket, other = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            self.socket.close()
            with contextlib.suppress(BaseException):
                serve(other, roots, module, private, scratch)
            os._exit(0)
        other.close()
        self.rest = b""
        answer = self.answer(START)
        if "ready" not in answer:
            raise NoSide(answer.get("foreign", "it does not start"))

    def send(self, way, request, seconds):
        """Ask; the answer may take *seconds* of processor time, whatever else the machine does."""
        data = json.dumps({"way": way, "request": request, "seconds": seconds}).encode("ascii")
        self.socket.sendall(data + b"\n")

    def answer(self, seconds):
        """The next answer; {"gone": True} where the side has none."""
        while b"\n" not in self.rest:
            ready = select.select([self.socket], [], [], seconds)[0]
            data = self.socket.recv(1 << 20) if ready else b""
            if not data:
                return {"gone": True}
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def ask(self, way, request, seconds):
        self.send(way, request, seconds)
        return self.answer(seconds + START)


def loaded(roots, module):
    """Import *module* from *roots*, which come first."""
    sys.path[:0] = roots
    importlib.import_module(module)


def serve(connection, roots, module, private, scratch):
    silence()
    bebug_heirs.adopt()
    try:
        loaded(roots, module)
    except BaseException as error:
        tell(connection, foreign=f"{module} cannot be imported: {type(error).__name__}")
        return
    gc.collect()
    gc.freeze()
    tell(connection, ready=True)
    pending = b""
    while True:
        while b"\n" not in pending:
            data = connection.recv(1 << 20)
            if not data:
                return
            pending += data
        line, _, pending = pending.partition(b"\n")
        asked = json.loads(line)
        connection.sendall(forked(asked, private) + b"\n")
        for folder in scratch:
            bebug_heirs.empty(folder)


def forked(asked, private):
    """What a child says, or how it ended."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.setsid()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, asked["seconds"])
        said = WAYS[asked["way"]](asked["request"], private)
        data = json.dumps(said).encode("ascii")
        while data:
            data = data[os.write(writing, data) :]
        os._exit(0)
    os.close(writing)
    data, late = b"", False
    while True:
        if not select.select([reading], [], [], IDLE * asked["seconds"])[0]:
            late = True
            break
        more = os.read(reading, 1 << 20)
        if not more:
            break
        data += more
        if whole(data):
            break
    os.close(reading)
    if not whole(data) and not late:
        late = ended_by(pid) == signal.SIGPROF
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.waitpid(pid, 0)
    bebug_heirs.bury(set())
    if late:
        return b'{"late": true}'
    return data if whole(data) else b'{"died": true}'


def ended_by(pid):
    """The signal that ended *pid*, which has closed its output; 0 where none did within a second."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        time.sleep(0.01)
    return 0


def whole(data):
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def tell(connection, **said):
    connection.sendall(json.dumps(said).encode("ascii") + b"\n")


def silence():
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
