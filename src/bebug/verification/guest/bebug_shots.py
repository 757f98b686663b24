"""Shots: one collected session, and a forked child for each set of changed files to run tests over.

The child swaps the code of the functions that changed, or imports the seed's modules anew where that does not
do (module level, class bodies, decorators, free variables), and reports which tests failed. What neither can
tell is said to be `cold`. This is a screen: what it says is proved by whole runs afterwards.
Runs in the seed's interpreter; standard library and pytest only.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import random
import select
import signal
import sys
import time
import types
from pathlib import Path

import _pytest.python
import bebug_fresh
import bebug_heirs
from _pytest._code.code import ExceptionInfo
from _pytest.runner import runtestprotocol
from bebug_codes import Source, Unswappable
from bebug_traces import Traces

_write, _exit = os.write, os._exit  # taken hold of now: a test may patch them

LOOK = 0.2  # seconds between two looks at a child that says nothing
IDLE = 10  # seconds by the clock that a shot may take
WALL = 4  # and how many times its processor time it may take on top, on a busy machine


class Live:
    """The function objects that are there after collection, by file, name and first line.

    *real* gives the real path of a file that code names.
    """

    def __init__(self, real):
        self.functions = {}
        for each in gc.get_objects():
            if type(each) is types.FunctionType:
                code = each.__code__
                key = real(code.co_filename), code.co_name, code.co_firstlineno
                self.functions.setdefault(key, []).append(each)

    def swap(self, path, functions, defaults):
        """Give every live function of the file *path* its changed defaults and code."""
        for code, place, old, new in defaults:
            for function in self.of(path, code):
                self.default(function, place, old, new)
        for old, new, _ in functions:
            for function in self.of(path, old):
                if function.__code__.co_freevars != new.co_freevars:
                    raise Unswappable
                function.__code__ = new

    def default(self, function, place, old, new):
        """Give *function* the default *new* at *place*, where *old* is still there."""
        by_name = isinstance(place, str)
        has = dict(function.__kwdefaults__ or {}) if by_name else list(function.__defaults__ or ())
        if (place not in has if by_name else place >= len(has)) or repr(has[place]) != repr(old):
            raise Unswappable
        has[place] = new
        if by_name:
            function.__kwdefaults__ = has
        else:
            function.__defaults__ = tuple(has)

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

    def __init__(self, session, plan, recorder, real):
        self.recorder = recorder
        self.session, self.config = session, session.config
        self.items = {item.nodeid: item for item in session.items}
        self.tree = Path(plan["tree"])
        self.live = Live(real)
        self.sources = {}
        ExceptionInfo.getrepr = unrendered  # rendering tracebacks costs more than most tests do
        self.look_up()
        private = [os.environ.get(name, "") for name in ("HOME", "TMPDIR")]
        self.traces = Traces([plan["tree"], *private, *plan["private"]])
        bebug_heirs.adopt()
        self.spared = bebug_heirs.children()
        self.asked, self.renewed = {}, {}
        gc.collect()
        gc.freeze()

    def look_up(self):
        """Have at hand what pytest would look up in every child: where tests lie, and their packages."""
        once = getattr(_pytest.python, "importtestmodule", None)
        if once is not None:
            _pytest.python.importtestmodule = once = functools.lru_cache(maxsize=None)(once)
        for item in self.items.values():
            with contextlib.suppress(Exception):
                item.location  # noqa: B018 - it is kept once asked for
        for package in {node for item in self.items.values() for node in item.listchain()}:
            init = package.path / "__init__.py"
            if once is not None and isinstance(package, _pytest.python.Package) and init.is_file():
                with contextlib.suppress(Exception):
                    once(init, package.config)

    def fire(self, shot):
        """What came of one shot: (status, failed tests)."""
        tests = [self.items[test] for test in shot["tests"] if test in self.items]
        if len(tests) != len(shot["tests"]):
            return "cold", []
        each = shot["each"] or [shot["seconds"]] * len(tests)
        enough = shot["enough"], dict(zip(shot["tests"], shot["groups"]))  # noqa: B905 - not in Python 3.9
        self.asked.update(zip(shot["tests"], each))  # noqa: B905
        try:
            swaps = None if shot["fresh"] else self.swaps(shot["files"])
            if swaps is None and not self.renewable(tests):
                return "cold", []
            with self.in_place(shot["files"]):
                return self.forked(swaps, tests, shot["seconds"], each, enough)
        except (SyntaxError, ValueError, OSError):  # no Python, or a child has taken the tree away
            return "cold", []

    def swaps(self, files):
        """What is to be swapped for *files*; None where that does not do."""
        try:
            found = [
                (os.path.realpath(self.tree / path), *self.changed(path, file))
                for path, file in files.items()
            ]
        except Unswappable:
            return None
        return found if all(self.reachable(*swap) for swap in found) else None

    def renewable(self, tests):
        """Whether *tests* pass without any change when all of the seed's modules are imported anew."""
        new = [item for item in tests if item.nodeid not in self.renewed]
        if new:
            status, failed = self.forked(None, new, IDLE, [IDLE] * len(new))
            wrong = {each["test"] for each in failed}
            told = status in ("survived", "killed")
            self.renewed.update((item.nodeid, told and item.nodeid not in wrong) for item in new)
        return all(self.renewed[item.nodeid] for item in tests)

    def sound(self):
        """Whether no file changed since the last look, or else all tests so far pass without any change."""
        if not self.traces.changed():
            return True
        tests = [item for test, item in self.items.items() if test in self.asked]
        each = [self.asked[item.nodeid] for item in tests]
        tries = (self.forked([], tests, sum(each), each)[0] for _ in range(2))  # once, where it is well
        return "survived" in tries

    @contextlib.contextmanager
    def in_place(self, files):
        """The changed files where they belong, for tests that read them, reload them or start processes."""
        before = [(path, (self.tree / path).read_bytes(), (self.tree / path).stat()) for path in files]
        try:
            for path, file in files.items():
                (self.tree / path).write_bytes(Path(file).read_bytes())
            yield
        finally:
            for path, raw, status in before:
                (self.tree / path).write_bytes(raw)
                os.utime(self.tree / path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def reachable(self, path, functions, defaults):
        """Whether each function to change is live, but for those that no call has made yet."""
        if any(old.co_freevars != new.co_freevars and self.live.of(path, old) for old, new, _ in functions):
            return False
        made = [(code, True) for code, *_ in defaults] + [(code, at_top) for code, _, at_top in functions]
        return all(self.live.of(path, code) for code, at_top in made if at_top or self.live.known(path, code))

    def changed(self, path, file):
        if path not in self.sources:
            real = os.path.realpath(self.tree / path)
            by_pytest = bebug_fresh.rewritten(real)
            self.sources[path] = bebug_fresh.Rewritten(real, self.config) if by_pytest else Source(real)
        return self.sources[path].changed(Path(file).read_bytes())

    def described(self, test):
        failure = self.recorder.loose.get(test, {})
        exception = "AssertionError" if failure.get("asserts", True) else failure["exception"]
        return {"test": test, "exception": exception, "frame": failure.get("frame", "")}

    def forked(self, swaps, tests, seconds, each, enough=(0, None)):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self.run(writing, swaps, tests, each, enough)
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
        bebug_heirs.bury(self.spared)
        if not data.endswith(b"\n"):
            spent = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
            return ("timeout" if spent or not deadline else "crash"), []
        answer = json.loads(data)
        return answer["status"], answer["failed"]

    def run(self, writing, *work):
        """The child: swap, run, say what failed, and be gone without any exit handler, come what may."""
        try:
            data = (json.dumps(self.outcome(*work)) + "\n").encode("ascii")
            while data:
                data = data[_write(writing, data) :]
        finally:
            _exit(0)

    def outcome(self, swaps, tests, each, enough):
        failed, groups = [], set()
        try:
            os.setpgid(0, 0)
            gc.disable()
            random.seed(0)  # what hangs on chance is to be answered alike in every session
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            if swaps is None:
                signal.setitimer(signal.ITIMER_PROF, IDLE)
                tests = bebug_fresh.collected_anew(
                    self.session, [item.nodeid for item in tests], os.path.realpath(self.tree)
                )
            for swap in swaps or ():
                self.live.swap(*swap)
            for number, item in enumerate(tests):
                signal.setitimer(signal.ITIMER_PROF, each[number])  # a busy machine changes no verdict
                following = tests[number + 1] if number + 1 < len(tests) else None
                reports = runtestprotocol(item, log=False, nextitem=following)
                passed = any(report.when == "call" and report.passed for report in reports)
                heard = self.recorder.outcomes.get(item.nodeid)  # subtests report by themselves
                if any(report.failed for report in reports) or not passed or heard in ("failed", "error"):
                    failed.append(item.nodeid)
                    groups.add(enough[0] and enough[1][item.nodeid])
                    if len(groups) == enough[0]:
                        break
            described = [self.described(test) for test in failed]
            return {"status": "killed" if failed else "survived", "failed": described}
        except BaseException as error:  # whatever a test does must not leave this child
            return {"status": "cold" if isinstance(error, Unswappable) else "crash", "failed": []}


def fire(session, plan, send, recorder, real):
    """Fire the shots of *plan*, a block at a time; *send* tells of each once its block is known to be sound.

    What one shot leaves in files may show in the next ones: where tests fail without any change afterwards,
    nothing is told of the block, nor of those that would come. In a block of one shot the shot itself is
    told of. *recorder* and *real* are the reporter's: the one hears subtests, the other finds a file's real
    path.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 2000))
    shooting = Range(session, plan, recorder, real)
    size = plan["block"]
    for at in range(0, len(plan["shots"]), size):
        block = plan["shots"][at : at + size]
        answers = [(shot["key"], *shooting.fire(shot)) for shot in block]
        sound = shooting.sound()
        for key, status, failed in answers if sound or size == 1 else ():
            send("shot", key=key, status=status, failed=failed)
        if not sound:
            return
