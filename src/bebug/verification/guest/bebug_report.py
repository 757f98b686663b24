"""The reporter: a pytest plugin that streams what a session does, a JSON line an event, into a private file.

Runs in the seed's interpreter (Python 3.9 and later, pytest 7.4 and later) and imports only the standard
library and pytest. `BEBUG_PLAN` names a JSON file that says where to write and what to do. Only the process
that started reports: forked children run on unheard. What is needed later is taken hold of now, for tests
that patch modules.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import resource
import sys
from pathlib import Path

import pytest

_write, _open, _close, _dup, _fstat, _getpid = os.write, os.open, os.close, fcntl.fcntl, os.fstat, os.getpid
_encode = json.JSONEncoder(ensure_ascii=True).encode
_exit, _realpath = os._exit, os.path.realpath
_errors = (Exception, SystemExit, KeyboardInterrupt)

PLAN = json.loads(Path(os.environ.pop("BEBUG_PLAN")).read_text(encoding="ascii"))

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")  # colours, by `--color=yes`
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")
PREFIXES = sorted({sys.prefix, sys.base_prefix}, key=len, reverse=True)
USERS_FOLDER = re.compile(r"pytest-of-[^/\s'\"]+/pytest-\d+")
RANDOM_NAME = re.compile(r"<tmp>(/[^\s'\"]*?)?/tmp[a-z0-9_]{8}\b")
FAILED = ("failed", "error")


class Channel:
    """The way out: a descriptor too high for tests to hit by chance, opened anew where it was closed."""

    def __init__(self, path):
        self.path, self.owner = path, _getpid()
        self.reopen()

    def reopen(self):
        low = _open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        start = min(soft, 4096) - 16 if soft > 0 else 900
        try:
            self.fd = _dup(low, fcntl.F_DUPFD_CLOEXEC, start)
            _close(low)
        except OSError:
            self.fd = low
        self.identity = self.where()

    def where(self):
        status = _fstat(self.fd)
        return status.st_dev, status.st_ino

    def send(self, event, **fields):
        if _getpid() != self.owner:
            return
        data = (_encode(dict(fields, event=event)) + "\n").encode("ascii")
        try:
            ours = self.where() == self.identity
        except OSError:
            ours = False
        if not ours:
            self.reopen()
        while data:
            data = data[_write(self.fd, data) :]


CHANNEL = Channel(PLAN["events"])
REACH = None
if PLAN.get("contexts"):
    if PLAN.get("coverage_path"):
        sys.path.append(PLAN["coverage_path"])
    try:
        import bebug_reach

        REACH = bebug_reach.Reach(PLAN)
    except _errors as _error:
        CHANNEL.send("no-coverage", why=repr(_error)[:200])
CALLS = None
if PLAN.get("record"):
    import bebug_calls

    CALLS = bebug_calls.Calls(PLAN)


def printable(text):
    """At most 500 printable characters on a line, the same in every run: no colour, address, private path."""
    text = ESCAPES.sub("", text)
    for path, name in PLAN["names"]:
        text = text.replace(path, name)
    for prefix in PREFIXES:
        text = text.replace(prefix, "<python>")
    text = USERS_FOLDER.sub("pytest", text)
    text = ADDRESS.sub("0x...", text)
    text = RANDOM_NAME.sub("<tmp>/...", text)
    text = " ".join(" ".join(line.split()) for line in text.split("\n")[:6]).strip()
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:500])[:500]


def message_of(error):
    try:
        return printable(str(error)[:20000])
    except _errors as broken:
        return f"(no message: str() raised {type(broken).__name__})"


REAL = {}


def real(name):
    """The real path of a file that code names, looked up once."""
    if name not in REAL:
        REAL[name] = name if name.startswith("<") else _realpath(name)  # `<frozen os>` is no file
    return REAL[name]


def frame_of(trace):
    """The innermost frame that lies inside the tree, as `path:line in function`."""
    found, root = "", PLAN["tree"] + os.sep
    while trace is not None:
        code = trace.tb_frame.f_code
        path = real(code.co_filename)
        if path.startswith(root):
            found = f"{path[len(root) :].replace(os.sep, '/')}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    return found


class Recorder:
    """Folds pytest's reports into one outcome a test, and sends each change."""

    def __init__(self):
        self.outcomes, self.seconds, self.described, self.loose = {}, {}, set(), {}

    def report(self, report):
        node = report.nodeid
        self.seconds[node] = self.seconds.get(node, 0.0) + getattr(report, "duration", 0.0)
        if report.when == "call" or report.outcome != "passed":
            name = report.outcome
            if report.when != "call" and name == "failed":
                name = "error"
            if hasattr(report, "wasxfail"):
                name = "xfailed" if report.outcome == "skipped" else "xpassed"
            if self.outcomes.get(node) not in FAILED:
                self.outcomes[node] = name
                CHANNEL.send("outcome", test=node, outcome=name)
            if name in FAILED and node not in self.described:
                self.describe(node, report)
        if report.when == "teardown":
            CHANNEL.send("done", test=node, seconds=round(self.seconds[node], 6))

    def describe(self, node, report):
        self.described.add(node)
        failure = self.loose.pop(node, None)
        if failure is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            message = getattr(crash, "message", None) or str(report.longrepr or "")
            failure = {"exception": "", "message": message_of(message), "frame": ""}
        known = {name: failure[name] for name in ("exception", "message", "frame")}
        CHANNEL.send("failure", test=node, **known)


RECORDER = Recorder()


def effective_options(config):
    """What the seed's own settings say, before options are checked: for neutralising them."""
    settings = getattr(config, "_inicfg", None)
    if settings is None:
        settings = config.inicfg
    raw = {name: getattr(value, "value", value) for name, value in settings.items()}
    plugins = sorted(str(name) for name, plugin in config.pluginmanager.list_name_plugin() if plugin)
    return {
        "settings": {name: value for name, value in raw.items() if isinstance(value, (str, list, bool, int))},
        "inipath": str(config.inipath or ""),
        "plugins": plugins,
        "pytest": pytest.__version__,
    }


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    if PLAN.get("probe"):
        CHANNEL.send("probe", **effective_options(early_config))
        _exit(0)
    if PLAN.get("ready"):
        import bebug_standing

        go_on(bebug_standing.stand(early_config, PLAN))


def go_on(plan):
    """Follow *plan* from here on."""
    global CHANNEL
    PLAN.clear()
    PLAN.update(plan)
    if not PLAN.get("scout"):
        _close(CHANNEL.fd)
        CHANNEL = Channel(PLAN["events"])


def pytest_configure(config):
    if PLAN.get("shots"):
        import bebug_fresh

        bebug_fresh.keep_made()
    if PLAN.get("stop"):
        config.option.maxfail = 1


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    CHANNEL.send("session")


def shuffled(items, number):
    """Modules in random order, and the tests of each: a module's fixtures are still made once."""
    dice, modules = random.Random(number), {}
    for item in items:
        modules.setdefault(item.nodeid.split("::")[0], []).append(item)
    names = sorted(modules)
    dice.shuffle(names)
    for name in names:
        dice.shuffle(modules[name])
    return [item for name in names for item in modules[name]]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    yield
    if PLAN.get("tests") is not None:
        chosen = set(PLAN["tests"])
        left = [item for item in items if item.nodeid not in chosen]
        items[:] = [item for item in items if item.nodeid in chosen]
        if left:
            config.hook.pytest_deselected(items=left)
    if PLAN.get("shuffle") is not None:
        items[:] = shuffled(items, PLAN["shuffle"])


def place_of(item):
    """`path:line` of the function that a test is made from, where that lies in the tree; else ""."""
    try:
        path, line = item.reportinfo()[:2]
        path = _realpath(Path(item.config.rootpath, path))
    except _errors:
        return ""
    root = PLAN["tree"] + os.sep
    inside = path.startswith(root) and isinstance(line, int)
    return f"{path[len(root) :].replace(os.sep, '/')}:{line + 1}" if inside else ""


def pytest_collection_finish(session):
    if PLAN.get("scout"):
        import bebug_standing

        bebug_standing.report(PLAN)
    tests = [item.nodeid for item in session.items]
    CHANNEL.send("collected", tests=tests, places=[place_of(item) for item in session.items])
    if REACH is not None:
        REACH.collected()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    if not PLAN.get("shots"):
        return None
    import bebug_shots

    bebug_shots.fire(session, PLAN, CHANNEL.send, RECORDER, real)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_collectreport(report):
    if report.failed:
        CHANNEL.send("collection-error", node=report.nodeid, why=message_of(str(report.longrepr)[-2000:]))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    result = yield
    if call.excinfo is not None and item.nodeid not in RECORDER.described:
        report = result.get_result()
        if report.outcome == "failed":
            error = call.excinfo.value
            RECORDER.loose[item.nodeid] = {
                "asserts": isinstance(error, (AssertionError, pytest.fail.Exception)),
                "exception": type(error).__name__,
                "message": message_of(error),
                "frame": frame_of(call.excinfo.tb),
            }


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report):
    RECORDER.report(report)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    if REACH is not None:
        REACH.enter(item.nodeid)
    if CALLS is not None:
        CALLS.enter(item.nodeid)
    yield
    if REACH is not None:
        REACH.leave()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef):
    """What a wider fixture does, it does for every test: its set-up and its end belong to none."""
    if REACH is None or fixturedef.scope == "function":
        yield
        return
    fixturedef.addfinalizer(REACH.resume)  # finalizers run last in, first out: this one is the last
    REACH.pause()
    yield
    REACH.resume()
    fixturedef.addfinalizer(REACH.pause)


def loaded_modules():
    """Modules that lie in the tree, or share a top-level name with something there: name → file."""
    root, names, found = PLAN["tree"] + os.sep, set(PLAN["packages"]), {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not isinstance(name, str) or not isinstance(path, str):
            continue
        path = _realpath(path)
        if path.startswith(root):
            found[name] = path[len(root) :].replace(os.sep, "/")
        elif name.split(".")[0] in names:
            found[name] = path
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session, exitstatus):
    if _getpid() != CHANNEL.owner:
        return
    CHANNEL.send("loaded", modules=loaded_modules())
    if REACH is not None:
        try:
            REACH.save()
        except _errors as error:
            CHANNEL.send("no-coverage", why=repr(error)[:200])
    if CALLS is not None:
        CALLS.save()
    CHANNEL.send("finish", exit=int(exitstatus))
