"""Shots: one collected session, and a forked child for each set of changed files to run tests over.

The child swaps the code of the functions that changed and reports which tests failed. What cannot be swapped
(module level, class bodies, defaults, free variables) is said to be `cold`. This is a screen: what it says is
proved by cold runs afterwards. Runs in the seed's interpreter; standard library and pytest only.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import sys
import time
import types
from pathlib import Path

from _pytest._code.code import ExceptionInfo
from _pytest.runner import runtestprotocol

LOOK = 0.2  # seconds between two looks at a child that says nothing
IDLE = 10  # seconds by the clock that a shot may take
WALL = 4  # and how many times its processor time it may take on top, on a busy machine


class Unswappable(Exception):
    """More than the code of functions changed."""


def inner_codes(code):
    """The code objects made in *code*, each by its name and which of that name it is."""
    found, seen = {}, {}
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            seen[const.co_name] = seen.get(const.co_name, 0) + 1
            found[const.co_name, seen[const.co_name]] = const
    return found


def own(code):
    """What *code* does itself, without the code objects in it and whatever the lines are."""
    consts = tuple("code" if isinstance(c, types.CodeType) else (type(c).__name__, c) for c in code.co_consts)
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def is_function(code):
    return bool(code.co_flags & 2)  # CO_NEWLOCALS: no class body and no module has it


def differs(one, other):
    """Whether two functions differ, themselves or in a function that they make."""
    first, second = inner_codes(one), inner_codes(other)
    if own(one) != own(other) or list(first) != list(second):
        return True
    return any(differs(first[key], second[key]) for key in first)


def changed_functions(old, new):
    """(old code, new code, at the top?) of each function that changed or holds one that did.

    Raises `Unswappable` where a module or a class body did.
    """
    before, after = inner_codes(old), inner_codes(new)
    at_top = not is_function(old)
    if at_top and (list(before) != list(after) or own(old) != own(new)):
        raise Unswappable
    for key, code in before.items():
        if key not in after:
            continue
        if not is_function(code):
            yield from changed_functions(code, after[key])
        elif differs(code, after[key]):
            yield code, after[key], at_top
            yield from changed_functions(code, after[key])


class Live:
    """The function objects that are there after collection, by file, name and first line."""

    def __init__(self):
        self.functions, real = {}, {}
        for each in gc.get_objects():
            if type(each) is types.FunctionType:
                name = each.__code__.co_filename
                if name not in real:
                    real[name] = os.path.realpath(name)
                key = real[name], each.__code__.co_name, each.__code__.co_firstlineno
                self.functions.setdefault(key, []).append(each)

    def swap(self, path, changed):
        """Give every live function of the file *path* its changed code."""
        for old, new, _ in changed:
            for function in self.of(path, old):
                if function.__code__.co_freevars != new.co_freevars:
                    raise Unswappable
                function.__code__ = new

    def known(self, path, code):
        """Whether any function of that line and name is live."""
        return (path, code.co_name, code.co_firstlineno) in self.functions

    def of(self, path, code):
        """The live functions of the file *path* that run *code*; another of its line and name may not."""
        found = self.functions.get((path, code.co_name, code.co_firstlineno), ())
        return [function for function in found if function.__code__ == code]


class Asleep:
    """How long a child has done nothing but wait; one that has children of its own waits for them."""

    def __init__(self, pid):
        self.pid, self.since, self.spent = pid, None, None

    def seconds(self):
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as file:  # noqa: PTH123 - a test may patch pathlib
                fields = file.read().rpartition(b")")[2].split()
            with open(f"/proc/{self.pid}/task/{self.pid}/children", "rb") as file:  # noqa: PTH123
                waits = fields[0] == b"S" and not file.read()
        except OSError:
            return 0.0
        if not waits or fields[11:13] != self.spent:
            self.since, self.spent = time.monotonic(), fields[11:13]
        return time.monotonic() - self.since


def unrendered(self, *args, **options):
    """What stands for the rendered traceback of a failure that nobody reads."""
    return self.typename


class Range:
    """Fires the shots of a plan over the collected *session*."""

    def __init__(self, session, plan, recorder):
        self.recorder = recorder
        self.items = {item.nodeid: item for item in session.items}
        self.tree = Path(plan["tree"])
        self.live = Live()
        self.compiled = {}
        ExceptionInfo.getrepr = unrendered  # rendering tracebacks costs more than most tests do
        gc.collect()
        gc.freeze()

    def original(self, path):
        if path not in self.compiled:
            self.compiled[path] = compile((self.tree / path).read_bytes(), path, "exec", dont_inherit=True)
        return self.compiled[path]

    def fire(self, shot):
        """What came of one shot: (status, failed tests)."""
        try:
            swaps = [
                (os.path.realpath(self.tree / path), self.changed(path, file))
                for path, file in shot["files"].items()
            ]
        except (Unswappable, SyntaxError, ValueError):
            return "cold", []
        missing = [
            old
            for path, changed in swaps
            for old, _, at_top in changed
            if (at_top or self.live.known(path, old)) and not self.live.of(path, old)
        ]
        tests = [self.items[test] for test in shot["tests"] if test in self.items]
        if missing or len(tests) != len(shot["tests"]):
            return "cold", []
        return self.forked(swaps, tests, shot["seconds"])

    def changed(self, path, file):
        new = compile(Path(file).read_bytes(), str(self.tree / path), "exec", dont_inherit=True)
        return list(changed_functions(self.original(path), new))

    def described(self, test):
        failure = self.recorder.loose.get(test, {})
        exception = "AssertionError" if failure.get("asserts", True) else failure["exception"]
        return {"test": test, "exception": exception, "frame": failure.get("frame", "")}

    def forked(self, swaps, tests, seconds):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self.run(swaps, tests, writing, seconds)
        os.close(writing)
        data, begun = b"", time.monotonic()
        deadline, asleep = begun + IDLE + WALL * seconds, Asleep(child)
        while not data.endswith(b"\n"):  # a process that the tests left behind may hold the other end open
            if select.select([reading], [], [], LOOK)[0]:
                chunk = os.read(reading, 65536)
                if not chunk:
                    break
                data += chunk
            elif time.monotonic() > deadline or asleep.seconds() > 2 * seconds:
                deadline = 0.0
                break
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                kill(child, signal.SIGKILL)
        os.close(reading)
        status = os.waitpid(child, 0)[1]
        if not data.endswith(b"\n"):
            spent = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
            return ("timeout" if spent or not deadline else "crash"), []
        answer = json.loads(data)
        return answer["status"], answer["failed"]

    def run(self, swaps, tests, writing, seconds):
        """The child: swap, run, say what failed, and be gone without any exit handler."""
        answer = {"status": "cold", "failed": []}
        try:
            os.setpgid(0, 0)
            gc.disable()
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, seconds)  # processor time: a busy machine changes no verdict
            for path, changed in swaps:
                self.live.swap(path, changed)
            for number, item in enumerate(tests):
                following = tests[number + 1] if number + 1 < len(tests) else None
                reports = runtestprotocol(item, log=False, nextitem=following)
                passed = any(report.when == "call" and report.passed for report in reports)
                heard = self.recorder.outcomes.get(item.nodeid)  # subtests report by themselves
                if any(report.failed for report in reports) or not passed or heard in ("failed", "error"):
                    answer["failed"].append(item.nodeid)
            answer["status"] = "killed" if answer["failed"] else "survived"
            answer["failed"] = [self.described(test) for test in answer["failed"]]
        except BaseException as error:  # whatever a test does must not leave this child
            answer = {"status": "cold" if isinstance(error, Unswappable) else "crash", "failed": []}
        data = (json.dumps(answer) + "\n").encode("ascii")
        while data:
            data = data[os.write(writing, data) :]
        os._exit(0)


def fire(session, plan, send, recorder):
    """Fire every shot of *plan*; *send* tells of each. *recorder* is the reporter's, which hears subtests."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2000))
    shooting = Range(session, plan, recorder)
    for shot in plan["shots"]:
        status, failed = shooting.fire(shot)
        send("shot", key=shot["key"], status=status, failed=failed)
