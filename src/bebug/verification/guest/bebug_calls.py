"""Recording the calls that tests make: for each function of a file, expressions that make them again.

A profile function looks at each call of a function in the files asked for, before its first line runs, and
keeps some of different tests. How an instance was made is kept too, for as long as that still tells what it
is. Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from bebug_instances import parts
from bebug_names import Unspellable, named
from bebug_spell import LONG, Speller, spelled

EACH, TRIES, ALL = 6, 24, 60  # calls of a function kept of a test, looked at in a test, and kept
OBJECTS = 20000  # instances whose making is known
VARIABLE, KEYWORDS = 0x04, 0x08
_setprofile, _thread_setprofile = sys.setprofile, threading.setprofile


class Made:
    """Instance → how it was made, and what it was then."""

    def __init__(self):
        self.known, self.pending = {}, {}

    def entered(self, frame, code):
        """A constructor of a class that Python code has begins."""
        if len(self.known) >= OBJECTS:
            return
        instance, arguments = arguments_of(frame, code)
        try:
            texts = [spelled(each, self) for each in arguments["args"]]
            texts += [f"{name}={spelled(each, self)}" for name, each in arguments["kwargs"].items()]
            self.pending[id(frame)] = instance, f"{named(type(instance))}({', '.join(texts)})"
        except Unspellable:
            return

    def left(self, frame):
        """That constructor ends."""
        found = self.pending.pop(id(frame), None)
        if found is None:
            return
        instance, text = found
        try:
            state = parts(Speller(self), instance, 0)
        except Unspellable:
            return
        self.known[id(instance)] = instance, text, state

    def said(self, value, state):
        """How *value* was made, where it is still what that gave: *state*."""
        found = self.known.get(id(value))
        return found[1] if found is not None and found[0] is value and found[2] == state else ""


def arguments_of(frame, code):
    """The first argument, and the others as they were given: {"count", "args", "kwargs"}, it counted too."""
    names, held = code.co_varnames, frame.f_locals
    count, only = code.co_argcount, code.co_kwonlyargcount
    positional = [held[name] for name in names[:count]]
    more = count + only
    if code.co_flags & VARIABLE:
        positional += held[names[more]]
        more += 1
    named_ones = {name: held[name] for name in names[count : count + only]}
    if code.co_flags & KEYWORDS:
        named_ones.update(held[names[more]])
    found = {"count": len(positional), "args": positional[1:], "kwargs": named_ones}
    return (positional[0] if positional else None), found


class Calls:
    """Records calls of all functions in *plan*'s files."""

    def __init__(self, plan):
        self.tree, self.target, self.owner = plan["tree"], plan["calls"], os.getpid()
        self.wanted = {os.path.join(plan["tree"], path): path for path in plan["record"]}  # noqa: PTH118
        self.files, self.codes, self.found = {}, {}, {}
        self.made, self.test, self.private = Made(), "", [text for text, _ in plan["names"]]
        self.lock = threading.local()
        _thread_setprofile(self.profile)
        _setprofile(self.profile)

    def profile(self, frame, event, argument):
        if event == "call":
            code = frame.f_code
            entry = self.codes.get(code, self)
            if entry is self:
                entry = self.codes[code] = self.entry_of(code)
            if entry is not None and not getattr(self.lock, "held", False):
                self.lock.held = True
                try:
                    self.called(frame, code, entry)
                except Exception:
                    entry["odd"] = entry.get("odd", 0) + 1
                finally:
                    self.lock.held = False
        elif event == "return" and id(frame) in self.made.pending:
            self.lock.held = True
            try:
                self.made.left(frame)
            finally:
                self.lock.held = False

    def entry_of(self, code):
        """Where calls of *code* are kept; None where nobody asks."""
        file = code.co_filename
        if file not in self.files:
            inside = file.startswith(self.tree + os.sep) or (
                not file.startswith("<") and os.path.realpath(file).startswith(self.tree + os.sep)
            )
            self.files[file] = (self.wanted.get(file) or self.wanted.get(os.path.realpath(file)), inside)
        path, inside = self.files[file]
        if not inside or code.co_name.startswith("<"):
            return None
        known = {"init": code.co_name == "__init__", "kept": {}, "test": None, "tries": 0}
        if path is not None:
            self.found.setdefault(path, {})[str(code.co_firstlineno)] = known
            known["wanted"] = True
        return known if path is not None or known["init"] else None

    def called(self, frame, code, entry):
        if entry["init"]:
            self.made.entered(frame, code)
        if "wanted" not in entry or len(entry["kept"]) >= ALL:
            return
        if entry["test"] != self.test:
            entry.update(test=self.test, tries=0, new=0)
        entry["tries"] += 1
        if entry["tries"] > TRIES or entry["new"] >= EACH:
            return
        texts = self.texts_of(frame, code)
        if texts is not None and texts not in entry["kept"].values():
            key = json.dumps(texts)
            if key not in entry["kept"] and not any(name in key for name in self.private):
                entry["kept"][key] = texts
                entry["new"] += 1

    def texts_of(self, frame, code):
        """The call as expressions, the first argument apart; None where it cannot be spelled."""
        first, rest = arguments_of(frame, code)
        try:
            texts = {
                "count": rest["count"],
                "first": self.first_of(first),
                "args": [spelled(each, self.made) for each in rest["args"]],
                "kwargs": {name: spelled(each, self.made) for name, each in rest["kwargs"].items()},
            }
        except Unspellable:
            return None
        return texts if len(json.dumps(texts)) <= LONG else None

    def first_of(self, value):
        try:
            return spelled(value, self.made)
        except Unspellable:
            return None

    def enter(self, test):
        self.test = test
        if sys.getprofile() is None:
            _setprofile(self.profile)

    def save(self):
        """Write path → first line of a function → the calls of it, in the order in which they came."""
        _setprofile(None)
        _thread_setprofile(None)
        if os.getpid() != self.owner:
            return
        told = {
            path: {line: list(entry["kept"].values()) for line, entry in functions.items() if entry["kept"]}
            for path, functions in self.found.items()
        }
        Path(self.target).write_text(json.dumps(told), encoding="ascii")
