"""A session that stands ready: pytest and its plugins are set up, and each child loads, collects and runs.

A child goes on where the session stands, as if there had been no fork, over the changed files that the
request has put in place. What it imports besides the seed, what pytest makes of test files, and what the
seed's modules compile to, are had ready for it, as a first child, the scout, has found them: nothing of the
seed is imported here. A request is a JSON line with `plan`, `files` and `resources`, and the descriptor that
takes the output; the answers are the child's `pid`, then its `status` as `os.waitpid` has it, with the paths
of what has `changed` in the tree, which the other end is to mend. Runs in the seed's interpreter; standard
library and pytest only.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import resource
import socket
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

import _pytest.assertion.rewrite as rewriting
import bebug_heirs
from bebug_fresh import keep_made, lies_in
from bebug_traces import Traces


class Foreign(Exception):
    """What was loaded or made ahead is not what a process of its own would find."""


def stand(config, plan):
    """Serve; returns only in a child, with the plan that this is to follow."""
    connection = socket.socket(fileno=plan["ready"])
    connection.set_inheritable(False)
    try:
        fit(config, plan)
        keep_made()
        traces = Traces([plan["tree"]], own=())
        scouted = scouting(config, plan)
        if "scout" in scouted:
            return scouted
        load(config, scouted)
        ahead = fit(config, plan)
        if traces.changed():
            raise Foreign("collecting the tests changes files in the tree")
    except Exception as why:
        answer(connection, foreign=f"{type(why).__name__}: {why}")
        os._exit(0)
    answer(connection, ready=True, pid=os.getpid(), ahead=ahead)
    gc.collect()
    gc.freeze()
    return serve(config, plan, connection, traces)


def fit(config, plan):
    """Files of the tree that are read already. Raises `Foreign` where a child would be no new process."""
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        raise Foreign("pytest's plugins start a thread")
    if bebug_heirs.children():
        raise Foreign("pytest's plugins start a process")
    for folder in plan["emptied"]:
        if os.listdir(folder):  # noqa: PTH208
            raise Foreign("pytest's plugins make files")
    for name, module in list(sys.modules.items()):
        if lies_in(module, plan["tree"]):
            raise Foreign(f"{name} is imported before the tests are")
    inside = config.inipath and os.path.relpath(os.path.realpath(config.inipath), plan["tree"])
    return [inside] if inside else []


def scouting(config, plan):
    """What a child finds that collects the tests; in that child, the plan that it is to follow."""
    reading, writing = os.pipe()
    scout = os.fork()
    if scout == 0:
        os.close(reading)
        started(config)
        return {**plan, "ready": None, "scout": writing}
    os.close(writing)
    with open(reading, "rb") as pipe:  # noqa: PTH123
        said = pipe.read()
    os.waitpid(scout, 0)
    bebug_heirs.bury(set())
    for folder in plan["emptied"]:
        bebug_heirs.empty(folder)
    try:
        return json.loads(said)
    except ValueError:
        raise Foreign("the tests cannot be collected") from None


def report(plan):
    """The end of a scout: what is loaded once the tests are collected."""
    hook = rewriting.AssertionRewritingHook
    found = {"imported": [], "compiled": [], "rewritten": []}
    for name, module in list(sys.modules.items()):
        loader = getattr(module, "__loader__", None)
        path = getattr(module, "__file__", None)
        if not lies_in(module, plan["tree"]):
            found["imported"].append(name)
        elif isinstance(loader, hook):
            found["rewritten"].append(path)
        elif type(loader) is SourceFileLoader:
            found["compiled"].append([name, path])
    data = json.dumps(found).encode("ascii")
    while data:
        data = data[os.write(plan["scout"], data) :]
    os._exit(0)


def load(config, scouted):
    """Have ready what the scout found."""
    for name in scouted["imported"]:
        if name not in sys.modules and not name.startswith("__"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    for name, path in scouted["compiled"]:
        with contextlib.suppress(Exception):
            SourceFileLoader(name, path).get_code(name)
    for path in scouted["rewritten"]:
        with contextlib.suppress(Exception):
            rewriting._rewrite_test(Path(path), config)


def serve(config, plan, connection, traces):
    """Answer requests until the other end is closed; returns only in a child, with the plan of its own."""
    while True:
        request, descriptors = request_of(connection)
        traces.changed()  # what was mended meanwhile
        for folder in plan["emptied"]:
            bebug_heirs.empty(folder)
        before = place(plan["tree"], request["files"])
        pid = os.fork()
        if pid == 0:
            connection.close()
            limit(request["resources"])
            started(config, descriptors[0])
            return json.loads(Path(request["plan"]).read_text("ascii"))
        for each in descriptors:
            os.close(each)
        answer(connection, pid=pid)
        status = os.waitpid(pid, 0)[1]
        bebug_heirs.bury(set())
        with contextlib.suppress(OSError):
            put_back(before)
        answer(connection, status=status, changed=traces.changed())


def request_of(connection):
    """The next request, and the descriptors that came with it; ends where none will come."""
    data, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 1)
    while not data.endswith(b"\n"):
        more = connection.recv(1 << 20) if data else b""
        if not more:
            os._exit(0)
        data += more
    return json.loads(data), descriptors


def answer(connection, **said):
    connection.sendall(json.dumps(said).encode("ascii") + b"\n")


def limit(resources):
    for name, value in resources.items():
        number = getattr(resource, "RLIMIT_" + name.upper(), None)
        if number is not None:
            with contextlib.suppress(OSError, ValueError):  # as where a process of its own sets them
                resource.setrlimit(number, (value, value))


def place(tree, files):
    """Put each of *files*, path → where its new content lies, in place; what was there, to be put back."""
    before = []
    for path, file in files.items():
        target = Path(tree, path)
        was = (target.read_bytes(), target.stat()) if target.exists() else None
        before.append((target, was))
        if file is None:
            with contextlib.suppress(FileNotFoundError):
                target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(Path(file).read_bytes())
    return before


def put_back(before):
    for target, was in before:
        if was is None:
            with contextlib.suppress(FileNotFoundError):
                target.unlink()
            continue
        target.write_bytes(was[0])
        target.chmod(was[1].st_mode & 0o7777)
        os.utime(target, ns=(was[1].st_atime_ns, was[1].st_mtime_ns))


def started(config, output=None):
    """What a child does first: have a session, dice, and files for what pytest captures, of its own."""
    os.setsid()
    random.seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    manager = config.pluginmanager.getplugin("capturemanager")
    capturing = manager is not None and manager.is_globally_capturing()
    if capturing:
        manager.stop_global_capturing()
    if output is not None:
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
    if capturing:
        manager.start_global_capturing()
