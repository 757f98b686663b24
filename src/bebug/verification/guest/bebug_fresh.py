"""What pytest makes of modules: test files as it rewrites them, and a fresh import of the seed's in a fork.

A fresh import is for what swapped code cannot tell: a module's own level, class bodies, decorators, and what
functions did before the first test. Runs in the seed's interpreter; standard library and pytest only.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import sys
import types
from importlib.machinery import SourceFileLoader

import _pytest.assertion.rewrite
import _pytest.fixtures
import _pytest.python
import _pytest.runner
import pytest
from bebug_codes import Source, changed_functions


class Stale(Exception):
    """What was loaded before holds on to the seed's modules, or cannot be loaded again."""


def keep_made():
    """Let what is made of the same file with the same content be made once for all forks."""
    SourceFileLoader.source_to_code = compiled_once(SourceFileLoader.source_to_code)
    _pytest.assertion.rewrite._rewrite_test = rewritten_once(_pytest.assertion.rewrite._rewrite_test)


def compiled_once(plain):
    """*plain*, the method that compiles a module, with a memory."""
    made = {}

    def source_to_code(self, data, path, **options):
        if not isinstance(data, bytes) or type(self) is not SourceFileLoader:
            return plain(self, data, path, **options)
        key = data, os.fspath(path), tuple(sorted(options.items()))
        if key not in made:
            made[key] = plain(self, data, path, **options)
        return made[key]

    return source_to_code


def rewritten_once(plain):
    """*plain*, by which pytest compiles a test file with its assertions rewritten, with a memory."""
    made = {}

    def rewrite_test(path, config):
        key = str(path), path.read_bytes()
        if key not in made:
            made[key] = plain(path, config)
        return made[key]

    return rewrite_test


class Rewritten(Source):
    """A file of tests, whose code is what pytest makes of its assertions."""

    def __init__(self, path, config):
        self.config, self.made = config, {}
        super().__init__(path)
        self.blocks = []  # what it adds at the top is not in a piece

    def compiled(self, source, flags):
        if source not in self.made:
            tree = ast.parse(source, filename=self.path)
            _pytest.assertion.rewrite.rewrite_asserts(tree, source, self.path, self.config)
            self.made[source] = compile(tree, self.path, "exec", dont_inherit=True)
        return self.made[source]

    def compared(self, before, old, after):
        return list(changed_functions(old, self.compiled(after, 0))), []


def rewritten(path):
    """Whether pytest has loaded the file *path* with its assertions rewritten."""
    hook = _pytest.assertion.rewrite.AssertionRewritingHook
    return any(
        isinstance(getattr(module, "__loader__", None), hook)
        and os.path.realpath(getattr(module, "__file__", None) or "") == path
        for module in list(sys.modules.values())
    )


def collected_anew(session, tests, root):
    """The items of *tests* of *session*, made of files below *root* as they now are. Raises `Stale`."""
    config = session.config
    paths = {item.nodeid: str(item.path) for item in session.items}
    ours = {name: module for name, module in list(sys.modules.items()) if lies_in(module, root)}
    if any(str(getattr(module, "__file__", "")).endswith((".so", ".pyd")) for module in ours.values()):
        raise Stale("a compiled module cannot be loaded twice")
    plugins = [each for each in config.pluginmanager.get_plugins() if each in ours.values()]
    for plugin in [each for each in plugins if holds(each, ours)]:
        forget_conftest(config.pluginmanager, plugin)
        plugins.remove(plugin)
    for name, module in ours.items():
        if module not in plugins:
            del sys.modules[name]
    importlib.invalidate_caches()
    with contextlib.suppress(AttributeError):  # only forks' sessions remember what they imported
        _pytest.python.importtestmodule.cache_clear()
    for name in ("session", "funcmanage"):
        config.pluginmanager.unregister(name=name)
    with contextlib.suppress(AttributeError):
        config.pluginmanager._duplicatepaths.clear()
    again = pytest.Session.from_config(config)
    _pytest.runner.pytest_sessionstart(again)
    _pytest.fixtures.pytest_sessionstart(again)
    again.perform_collect(list(dict.fromkeys(paths[test] for test in tests)))
    found = {item.nodeid: item for item in again.items}
    if not found.keys() >= set(tests):
        raise Stale("not every test is collected again")
    return [found[test] for test in tests]


def forget_conftest(manager, plugin):
    """Let the conftest *plugin* be loaded again. Raises `Stale` for a plugin of another kind."""
    if plugin not in getattr(manager, "_conftest_plugins", ()):
        raise Stale("a plugin holds on to the seed's modules")
    manager.unregister(plugin)
    manager._conftest_plugins.discard(plugin)
    manager._dirpath2confmods.clear()


def lies_in(module, root):
    path = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", None) or ()), None)
    return isinstance(path, str) and os.path.realpath(path).startswith(root + os.sep)


def holds(plugin, ours):
    """Whether *plugin* has something of the seed's other modules by name."""
    modules = [module for module in ours.values() if module is not plugin]
    for value in list(vars(plugin).values()):
        if isinstance(value, types.ModuleType):
            if value in modules:
                return True
        elif getattr(value, "__module__", None) in ours and value.__module__ != plugin.__name__:
            return True
    return False
