"""Spelling instances of the seed's classes: by how they were made, else by what they hold.

Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import dataclasses

from bebug_names import Unspellable, named

CONTAINERS = {list: "extend", dict: "update", set: "update"}
VALUES = (tuple, str, int, float, bytes, frozenset)
_members = object.__getattribute__


def instance(speller, value, depth):
    """An expression for an instance; raises `Unspellable`."""
    kind = type(value)
    if dataclasses.is_dataclass(value) and (text := dataclass(speller, value, depth)):
        return text
    contents, held = parts(speller, value, depth)
    if speller.made is not None and (text := speller.made.said(value, (contents, held))):
        return text
    base = base_of(kind)
    new = f"{base.__name__}.__new__({named(kind)}{', ' + contents if base in VALUES else ''})"
    steps = []
    if held != "{}":
        steps.append(f"made.__dict__.update({held})")
    if base in CONTAINERS and contents not in ("[]", "{}", "set()"):
        steps.append(f"{base.__name__}.{CONTAINERS[base]}(made, {contents})")
    if not steps:
        return new
    return f"(lambda made: {' or '.join(steps)} or made)({new})"


def parts(speller, value, depth):
    """What *value* holds as a container or a plain value, and its attributes, as texts."""
    kind = type(value)
    base = base_of(kind)
    state = attributes(value)
    if base is None or state is None:
        raise Unspellable(f"a {kind.__module__}.{kind.__qualname__}")
    contents = "" if base is object else speller.spell(plain(base, value), depth)
    return contents, speller.pairs(state, depth)


def plain(base, value):
    """The contents of *value* as an object of *base*, by its own methods and none of a subclass."""
    if base in (list, tuple, set, frozenset):
        return base(base.__iter__(value))
    if base is dict:
        return dict(dict.items(value))
    return base.__add__(value, base()) if base in (str, bytes) else base.__pos__(value)


def base_of(kind):
    """The built-in type that instances of *kind* are made like; None where they hold more than we can see."""
    for each in kind.__mro__[:-1]:
        slots = vars(each).get("__slots__")
        if each in CONTAINERS or each in VALUES:
            fits = kind.__basicsize__ <= each.__basicsize__ + 3 * 8
            return each if fits and kind.__new__ is each.__new__ else None
        if each.__module__ == "builtins" or slots:
            return None
    return object if kind.__basicsize__ <= object.__basicsize__ + 3 * 8 else None


def attributes(value):
    """The `__dict__` of *value*, {} where it has none; None where it is no plain one."""
    try:
        state = _members(value, "__dict__")
    except AttributeError:
        return {}
    return state if type(state) is dict and all(type(key) is str for key in state) else None


def dataclass(speller, value, depth):
    kind = type(value)
    fields = dataclasses.fields(value)
    state = attributes(value)
    plain = all(each.init for each in fields) and "__init__" in vars(kind)
    if (
        not plain
        or hasattr(kind, "__post_init__")
        or (state and set(state) != {each.name for each in fields})
    ):
        return ""
    try:
        parts = [(each, _members(value, each.name)) for each in fields]
    except AttributeError:
        return ""
    shown = [
        f"{each.name}={speller.spell(held, depth)}"
        for each, held in parts
        if not (
            each.default is not dataclasses.MISSING
            and type(held) is type(each.default)
            and held is each.default
        )
    ]
    return f"{named(kind)}({', '.join(shown)})"
