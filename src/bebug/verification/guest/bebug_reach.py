"""Which test reaches which line: coverage.py with our own settings, its context switched test by test.

Lines that run while no single test is in charge (fixtures wider than one test) are kept under a context that
means all tests; so are, under one of their own, lines that run before the first test, at import or in
collection. Tests that start processes are named, since lines run there are not seen.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path

import coverage

_getpid, _gettrace, _settrace = os.getpid, sys.gettrace, sys.settrace  # tests may patch these
SHARED = ""  # no test
CONTEXTS = {"": -2, "shared": -1}  # coverage's own name for what runs before it is given one, and ours
STARTS = {"os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "subprocess.Popen"}
HARMLESS = {
    "cc",
    "file",
    "gcc",
    "git",
    "hg",
    "id",
    "ld",
    "ldconfig",
    "locale",
    "ls",
    "lsb_release",
    "objdump",
}
HARMLESS |= {"stty", "tput", "uname", "which"}


def program_of(event, details):
    """The name of the program that an audit event is about to start, or "" where it cannot be told."""
    if event != "subprocess.Popen" or len(details) < 2:
        return ""
    command = details[1]
    first = command[0] if isinstance(command, (list, tuple)) and command else details[0]
    try:
        return Path(os.fsdecode(first)).name
    except (TypeError, ValueError):
        return ""


class Reach:
    """Coverage under way, with the test that is in charge."""

    def __init__(self, plan):
        self.tree, self.target, self.owner = plan["tree"], plan["reach"], _getpid()
        self.tests, self.numbers, self.hidden = [], {}, set()
        self.test, self.depth, self.running = SHARED, 0, False
        os.environ.pop("COVERAGE_CORE", None)
        include = [f"{self.tree}/*"]
        self.coverage = coverage.Coverage(
            data_file=plan["coverage"], config_file=False, include=include, messages=False
        )
        with contextlib.suppress(coverage.CoverageException):  # an older one has no such choice
            self.coverage.set_option("run:core", "ctrace")
        self.coverage.set_option("run:disable_warnings", ["no-data-collected", "trace-changed", "no-ctracer"])
        self.coverage.start()
        self.tracer, self.running = _gettrace(), True
        self.watch_processes()

    def watch_processes(self):
        start = BaseProcess.start

        def noted(process):
            self.hide()
            return start(process)

        BaseProcess.start = noted

        def heard(event, details):
            if event in STARTS and _getpid() == self.owner and program_of(event, details) not in HARMLESS:
                self.hide()

        sys.addaudithook(heard)

    def hide(self):
        """Lines may now run where they are not seen."""
        self.hidden.add(SHARED if self.depth else self.test)

    def switch(self, test):
        if _getpid() != self.owner or not self.running:
            return
        if test and test not in self.numbers:
            self.numbers[test] = str(len(self.tests))
            self.tests.append(test)
        self.coverage.switch_context(self.numbers[test] if test else "shared")

    def collected(self):
        """Collection is over."""
        self.switch(SHARED)

    def enter(self, test):
        self.test, self.depth = test, 0
        self.switch(test)

    def leave(self):
        if self.running and _getpid() == self.owner and _gettrace() is not self.tracer:
            self.hide()
            _settrace(self.tracer)
        self.test, self.depth = SHARED, 0
        self.switch(SHARED)

    def pause(self):
        self.depth += 1
        self.switch(SHARED)

    def resume(self):
        self.depth = max(0, self.depth - 1)
        if not self.depth:
            self.switch(self.test)

    def save(self):
        """Write {"tests": [id], "hidden": [id], "files": {path: {line: [index of test or context]}}}."""
        self.coverage.stop()
        self.running = False
        data, files = self.coverage.get_data(), {}
        for path in sorted(data.measured_files()):
            inside = os.path.relpath(os.path.realpath(path), self.tree).replace(os.sep, "/")
            lines = data.contexts_by_lineno(path)
            files[inside] = {
                line: sorted(CONTEXTS[name] if name in CONTEXTS else int(name) for name in names)
                for line, names in lines.items()
            }
        found = {"tests": self.tests, "hidden": sorted(self.hidden), "files": files}
        Path(self.target).write_text(json.dumps(found), encoding="ascii")
