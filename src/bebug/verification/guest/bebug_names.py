"""Names of what modules hold, as words in an expression, and the imports that give them a meaning.

A name of a module is spelled as one word, `ǀpkgǃcoreǂNode`, until `rendered` gives all expressions of a call
imports that do not clash. Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import builtins
import collections
import keyword
import re
import sys

FIRST, DOT, WITHIN = "\u01c0", "\u01c3", "\u01c2"  # letters, so that a word of them is a name to a parser
WORD = re.compile(f"{FIRST}([\\w{DOT}]+){WITHIN}([\\w{DOT}]+)")
WHOLE = {"asyncio", "contextlib", "functools", "io", "itertools", "operator", "re"}
"""Modules whose names are read with theirs, as one would write it."""


class Unspellable(Exception):
    """There is no expression for a value, and why."""


def word(module, name):
    return FIRST + module.replace(".", DOT) + WITHIN + name.replace(".", DOT)


def rendered(texts, taken=()):
    """Import lines for all words in *texts*, and *texts* with names that these lines give; not in *taken*."""
    found = sorted({match.groups() for text in texts for match in WORD.finditer(text)})
    tops = collections.defaultdict(set)
    for module, name in found:
        tops[name.split(DOT)[0]].add(module)
    lines, names = set(), {}
    for module, name in found:
        top, plain = name.split(DOT)[0], module.replace(DOT, ".")
        unclear = (
            plain in WHOLE
            or len(tops[top]) > 1
            or hasattr(builtins, top)
            or keyword.iskeyword(top)
            or top in taken
        )
        lines.add(f"import {plain}" if unclear else f"from {plain} import {top}")
        path = name.replace(DOT, ".")
        names[module, name] = f"{plain}.{path}" if unclear else path
    return sorted(lines), [WORD.sub(lambda match: names[match.groups()], text) for text in texts]


def named(thing):
    """The word for what a module holds under its own name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if type(module) is not str or type(name) is not str or "<" in name:
        raise Unspellable(f"a {type(thing).__name__} without a name")
    if getattr(builtins, name, None) is thing:
        return name
    held = sys.modules.get(module)
    for part in name.split("."):
        held = getattr(held, part, None) if held is not None else None
    if held is not thing:
        raise Unspellable(f"{module}.{name} is another")
    return word(module, name)
