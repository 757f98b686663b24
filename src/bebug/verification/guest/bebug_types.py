"""Strategies of values by their types: each draws the text of an expression.

Runs in the seed's interpreter, with the Hypothesis that lies there or beside it.
"""

from __future__ import annotations

import collections.abc
import enum
import inspect
import string
import sys
import types
import typing

from bebug_names import Unspellable
from bebug_spell import spelled
from bebug_target import NoTarget, Unknown, parameters_of
from hypothesis import strategies as st

FEW, DEEP = 5, 4  # items of a container, and levels of types
OMITTED = ""
EMPTY = (inspect.Parameter.empty, None, typing.Any, object)
SEQUENCES = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
SEQUENCES += (collections.abc.MutableSequence, collections.abc.Reversible, collections.abc.Container)
MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
SETS = (set, collections.abc.Set, collections.abc.MutableSet)
ITERATORS = (collections.abc.Iterator, collections.abc.Generator)
STANDARD = frozenset(getattr(sys, "stdlib_module_names", ("builtins", "collections", "datetime", "decimal")))
KNOWN = {"datetime", "decimal", "fractions", "ipaddress", "numbers", "pathlib", "re", "uuid", "zoneinfo"}
FUNCTIONS = (
    "(lambda *args, **named: None)",
    "(lambda *args, **named: args[0] if args else 0)",
    "str",
    "bool",
    "len",
)
UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


class Unbuildable(Exception):
    """No value of a type can be made, and why."""


def texts(strategy):
    return strategy.map(spelled)


INTEGERS = texts(st.integers(-10, 10) | st.integers())
FLOATS = texts(st.floats(-10, 10, width=16) | st.floats())
LETTERS = string.printable + "\xa0\xdf\xe9\u0130\u0301\u0661\u2028\u4e2d\ufb01\U0001f600"
"""All of Unicode would take a second to be listed, in every search anew."""
STRINGS = texts(st.text("ab0 ", max_size=FEW) | st.text(LETTERS, max_size=2 * FEW))
SCALARS = {
    int: INTEGERS,
    float: FLOATS | INTEGERS,
    str: STRINGS,
    bool: st.sampled_from(["False", "True"]),
    bytes: texts(st.binary(max_size=2 * FEW)),
    type(None): st.just("None"),
    complex: texts(st.complex_numbers(max_magnitude=100)),
    bytearray: texts(st.binary(max_size=2 * FEW).map(bytearray)),
}


def joined(strategy, opening, closing, most=FEW):
    return st.lists(strategy, max_size=most).map(lambda parts: opening + ", ".join(parts) + closing)


def tuples(strategies):
    return st.tuples(*strategies).map(lambda parts: f"({', '.join(parts)}{',' if len(parts) == 1 else ''})")


def pairs(keys, values):
    parts = st.lists(st.tuples(keys, values), max_size=FEW, unique_by=lambda pair: pair[0])
    return parts.map(lambda found: "{" + ", ".join(f"{key}: {value}" for key, value in found) + "}")


def near(constants):
    """Type → constant expressions of it, and of numbers what lies one beside."""
    found = collections.defaultdict(list)
    for text in constants:
        kind = type(eval(text))
        found[kind].append(text)
        if kind in (int, float):
            found[kind] += [f"{text} - 1", f"{text} + 1"]
    return found


def anything():
    """Plain data of no known type."""
    leaf = INTEGERS | SCALARS[type(None)] | SCALARS[bool] | STRINGS | FLOATS
    return (
        leaf
        | joined(INTEGERS, "[", "]")
        | joined(STRINGS, "[", "]")
        | pairs(STRINGS, INTEGERS)
        | joined(leaf, "[", "]")
    )


class Types:
    """Strategies for types; the *constants* in a function are drawn where they are of the type asked for."""

    def __init__(self, constants):
        self.near, self.made = near(constants), {}

    def scalar(self, kind):
        """Values of *kind*, and constants of it."""
        texts_of = [*self.near[kind], *(self.near[int] if kind is float else ())]
        return SCALARS[kind] | st.sampled_from(texts_of) if texts_of else SCALARS[kind]

    def anything(self):
        texts_of = [text for found in self.near.values() for text in found]
        return anything() | st.sampled_from(texts_of) if texts_of else anything()

    def of(self, hint, depth=0):
        """A strategy for *hint*; raises `Unbuildable`."""
        if hint in EMPTY or isinstance(hint, typing.TypeVar):
            bound = getattr(hint, "__bound__", None)
            return self.of(bound, depth) if bound else self.anything()
        if hint is Unknown or depth > DEEP:
            raise Unbuildable(
                "a type that cannot be evaluated" if hint is Unknown else "a type of too many levels"
            )
        origin, inner = typing.get_origin(hint), typing.get_args(hint)
        if origin in UNIONS:
            return self.any_of(inner, depth)
        if origin is typing.Literal:
            return st.sampled_from([spelled(each) for each in inner])
        if origin is typing.Annotated if hasattr(typing, "Annotated") else False:
            return self.of(inner[0], depth)
        if origin is typing.ClassVar or str(origin) == "typing.Final":
            return self.of(inner[0], depth) if inner else self.anything()
        return self.of_class(origin or hint, inner, depth + 1)

    def any_of(self, hints, depth):
        found, why = [], None
        for each in sorted(hints, key=lambda hint: hint is not type(None)):
            try:
                found.append(self.of(each, depth))
            except Unbuildable as error:
                why = error
        if not found:
            raise why or Unbuildable("an empty union")
        return st.one_of(found)

    def of_class(self, kind, inner, depth):
        plain = [each for each in inner if each is not Ellipsis]
        if kind in SCALARS:
            return self.scalar(kind)
        if kind is tuple:
            if inner and Ellipsis not in inner:
                return tuples([self.of(each, depth) for each in inner])
            return joined(self.item(plain, depth), "(", ",)").map(
                lambda text: "()" if text == "(,)" else text
            )
        if kind in SEQUENCES:
            return joined(self.item(plain, depth), "[", "]")
        if kind in MAPPINGS:
            keys = self.of(plain[0], depth) if plain else STRINGS
            return pairs(keys, self.of(plain[1], depth) if len(plain) > 1 else self.anything())
        if kind in SETS:
            return joined(self.item(plain, depth), "set([", "])")
        if kind is frozenset:
            return joined(self.item(plain, depth), "frozenset([", "])")
        if kind in ITERATORS:
            return joined(self.item(plain, depth), "iter([", "])")
        if kind is collections.abc.Callable:
            return st.sampled_from(FUNCTIONS)
        if kind is type:
            return st.sampled_from(["int", "str", "list"])
        if not isinstance(kind, type):
            raise Unbuildable(f"{kind!r}"[:80])
        return self.instance(kind, depth)

    def item(self, inner, depth):
        return self.of(inner[0], depth) if inner else INTEGERS | STRINGS

    def instance(self, kind, depth):
        if issubclass(kind, enum.Enum):
            if not list(kind):
                raise Unbuildable(f"{kind.__qualname__} has no members")
            return st.sampled_from([spelled(each) for each in kind])
        if inspect.isabstract(kind) or getattr(kind, "_is_protocol", False):
            return self.concrete(kind, depth)
        if kind.__module__.split(".")[0] in STANDARD:
            return self.standard(kind)
        return self.constructed(kind, depth)

    def concrete(self, kind, depth):
        """One of a class below an abstract one."""
        if not getattr(kind, "_is_protocol", False):
            found = sorted(kind.__subclasses__(), key=lambda each: (each.__module__, each.__qualname__))
            for each in found:
                try:
                    return self.instance(each, depth + 1)
                except (Unbuildable, Unspellable):
                    continue
        raise Unbuildable(f"{kind.__qualname__} is abstract")

    def standard(self, kind):
        """Values of a type that Hypothesis knows how to make."""
        if kind.__module__.split(".")[0] not in KNOWN:
            raise Unbuildable(f"{kind.__module__}.{kind.__qualname__}")
        return st.from_type(kind).map(safely).filter(bool)

    def parameter(self, parameter, depth=0):
        """What *parameter* may be given: by its type, else by its default, else anything."""
        hint, default = parameter["hint"], parameter["default"]
        if hint not in EMPTY or not default or default[0] is None:
            return self.of(hint, depth)
        if type(default[0]) in (*SCALARS, list, tuple, dict, set, frozenset) or isinstance(
            default[0], enum.Enum
        ):
            return self.of(type(default[0]), depth)
        return st.just(spelled(default[0]))

    def constructed(self, kind, depth):
        """A call of the class, of types as its constructor says; it may hold more of the same."""
        if kind in self.made:
            return st.deferred(lambda: self.made[kind])
        self.made[kind] = None
        try:
            found = self.made[kind] = calling(spelled(kind), parameters_of(kind, bound=False), self, depth)
        except (Unspellable, NoTarget) as why:
            raise Unbuildable(f"{kind.__qualname__}: {why}") from None
        finally:
            if self.made[kind] is None:
                del self.made[kind]
        return found


def safely(value):
    try:
        return spelled(value)
    except Unspellable:
        return ""


def calling(function, parameters, of_types, depth):
    """Calls of what *function* spells, as text."""
    drawn = arguments([(each, of_types.parameter(each, depth)) for each in parameters if needed(each)])
    rest = [(each, optional(each, of_types, depth)) for each in parameters if not needed(each)]
    rest = arguments([(each, found) for each, found in rest if found is not None])
    return st.tuples(drawn, rest).map(lambda parts: f"{function}({', '.join(text_of(*parts))})")


def needed(parameter):
    return not parameter["default"] and parameter["kind"] not in ("VAR_POSITIONAL", "VAR_KEYWORD")


def optional(parameter, of_types, depth):
    """A strategy for a parameter that may be left out, as keyword; None where it always is."""
    if parameter["kind"] not in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"):
        return None
    try:
        found = of_types.parameter(parameter, depth)
    except (Unbuildable, Unspellable):
        return None
    return st.just(OMITTED) | found


def arguments(strategies):
    """[(parameter, text)] drawn of each strategy."""
    return st.tuples(*(st.tuples(st.just(each), found) for each, found in strategies))


def text_of(positional, named):
    parts = [
        f"{each['name']}={text}" if each["kind"] == "KEYWORD_ONLY" else text for each, text in positional
    ]
    return [*parts, *(f"{each['name']}={text}" for each, text in named if text != OMITTED)]
