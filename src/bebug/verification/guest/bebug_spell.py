"""Spelling values as Python expressions, so that a call that was seen can be made again, and be printed.

Nothing of the seed's is called while a value is spelled. Runs in the seed's interpreter; standard library
only.
"""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import datetime
import decimal
import enum
import fractions
import functools
import inspect
import io
import linecache
import math
import pathlib
import re
import types
import uuid

from bebug_instances import instance
from bebug_names import DOT, FIRST, WITHIN, Unspellable, named, word

MOST, DEEP, LONG = 400, 12, 6000  # nodes of a value, levels, and letters of an expression
HUGE = 10**40
ITERATORS = tuple(type(iter(each)) for each in ([], (), "", range(0)))
STANDARD = {"collections", "operator", "itertools", "functools", "datetime", "string", "random"}


class Speller:
    """Spells one value. *made* gives the id of an object how it was made and what it was then; see `Made`."""

    def __init__(self, made=None):
        self.made, self.left = made, MOST

    def spell(self, value, depth=0):
        """An expression for *value*; raises `Unspellable`."""
        self.left -= 1
        if self.left < 0 or depth > DEEP:
            raise Unspellable("too large")
        kind = type(value)
        way = PLAIN.get(kind)
        if way is not None:
            return way(self, value, depth + 1)
        if isinstance(value, type):
            return named(value)
        if isinstance(value, enum.Enum):
            name = value._name_
            return (
                f"{named(kind)}.{name}"
                if name and name.isidentifier()
                else self.call(kind, (value.value,), depth)
            )
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self.call(kind, tuple(value), depth + 1)
        if isinstance(value, pathlib.PurePath) and kind.__module__.startswith("pathlib"):
            return f"{word('pathlib', kind.__name__)}({str(value)!r})"
        if isinstance(value, BaseException) and hasattr(builtins, kind.__name__):
            return self.call(kind, value.args, depth + 1)
        if isinstance(value, ITERATORS):
            return self.remaining(value, depth + 1)
        if kind.__module__ in STANDARD:
            return self.reduced(value, depth + 1)
        return instance(self, value, depth + 1)

    def items(self, values, depth):
        return ", ".join(self.spell(each, depth) for each in values)

    def call(self, function, arguments, depth):
        return f"{named(function)}({self.items(arguments, depth)})"

    def pairs(self, mapping, depth):
        parts = [f"{self.spell(key, depth)}: {self.spell(value, depth)}" for key, value in mapping.items()]
        return "{" + ", ".join(parts) + "}"

    def remaining(self, value, depth):
        """An iterator over what this one has left, which stays as it is."""
        made, *rest = value.__reduce__()
        if not rest or made is not iter:
            raise Unspellable(f"a {type(value).__name__}")
        (items,), at = rest[0], (rest[1] if len(rest) > 1 else 0)
        return f"iter({self.spell(items[at:] if at else items, depth)})"

    def reduced(self, value, depth):
        """What the standard library's own types say of how they are made."""
        found = value.__reduce_ex__(2)
        if not isinstance(found, tuple) or (len(found) > 2 and any(part is not None for part in found[2:])):
            raise Unspellable(f"a {type(value).__name__}")
        return self.call(found[0], found[1], depth)


def _function(speller, value, depth):
    if not of_tests(value.__module__):
        with contextlib.suppress(Unspellable):
            return named(value)
    return as_lambda(value)


def of_tests(module):
    """Whether *module* is one of tests, which only a test session can import."""
    return any(
        part.startswith(("test_", "conftest")) or part.endswith("_test") or part == "tests"
        for part in module.split(".")
    )


def as_lambda(function):
    """A function of one expression over built-in names, as its source has it."""
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        raise Unspellable("a function with a state")
    if (text := expression_of(function.__code__)) is None:
        raise Unspellable("a function that is no expression")
    return text


@functools.cache
def expression_of(code):
    """The source of *code* as a lambda; None where it has none, or uses names of its module."""
    lines = linecache.getlines(code.co_filename)
    found = set()
    try:
        source = "".join(inspect.getblock(lines[code.co_firstlineno - 1 :]))
        whole = ast.parse("".join(lines))
    except (SyntaxError, ValueError, IndexError, EOFError):
        return None
    for node in ast.walk(whole):
        if getattr(node, "lineno", 0) != code.co_firstlineno and not (
            isinstance(node, ast.Lambda) and node.lineno <= code.co_firstlineno + source.count("\n")
        ):
            continue
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            found.add((ast.unparse(node.args), ast.unparse(node.body)))
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name and not node.decorator_list:
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
                for argument in (*node.args.args, *node.args.posonlyargs, *node.args.kwonlyargs):
                    argument.annotation = None
                found.add((ast.unparse(node.args), ast.unparse(body[0].value)))
    if len(found) != 1:
        return None
    arguments, body = found.pop()
    text = f"lambda {arguments}: {body}" if arguments else f"lambda: {body}"
    names = {each.id for each in ast.walk(ast.parse(text, mode="eval")) if isinstance(each, ast.Name)}
    known = all(name in code.co_varnames or hasattr(builtins, name) for name in names)
    return f"({text})" if known else None


def _string(speller, value, depth):
    text = repr(value)
    if any(letter in text for letter in (FIRST, DOT, WITHIN)) or not text.isprintable():
        text = ascii(value)
    return text


def _float(speller, value, depth):
    return repr(value) if math.isfinite(value) else f"float({str(value)!r})"


def _set(speller, value, depth):
    texts = sorted(speller.spell(each, depth) for each in value)
    inner = "{" + ", ".join(texts) + "}" if texts else "set()"
    return inner if type(value) is set else f"frozenset({inner if texts else ''})"


def _tuple(speller, value, depth):
    return f"({speller.items(value, depth)}{',' if len(value) == 1 else ''})"


def _bound(speller, value, depth):
    return f"{speller.spell(value.__self__, depth)}.{value.__name__}"


def _builtin(speller, value, depth):
    owner = value.__self__
    if owner is None or isinstance(owner, types.ModuleType):
        return named(value)
    return f"{speller.spell(owner, depth)}.{value.__name__}"


def _partial(speller, value, depth):
    parts = [speller.spell(value.func, depth), *(speller.spell(each, depth) for each in value.args)]
    parts += [f"{name}={speller.spell(each, depth)}" for name, each in value.keywords.items()]
    return f"{word('functools', 'partial')}({', '.join(parts)})"


def _buffer(speller, value, depth):
    if value.closed or value.tell():
        raise Unspellable("a buffer that is read already")
    return f"{word('io', type(value).__name__)}({speller.spell(value.getvalue(), depth)})"


def _pattern(speller, value, depth):
    flags = value.flags & ~re.UNICODE if isinstance(value.pattern, str) else value.flags
    return f"{word('re', 'compile')}({speller.spell(value.pattern, depth)}{f', {flags}' if flags else ''})"


def _moment(speller, value, depth):
    return re.sub(r"\bdatetime\.(\w+)", lambda match: word("datetime", match.group(1)), repr(value))


def _by_repr(module):
    def spelled(speller, value, depth):
        return f"{word(module, type(value).__name__)}({str(value)!r})"

    return spelled


def _ordered(speller, value, depth):
    return f"{word('collections', 'OrderedDict')}({speller.pairs(value, depth) if value else ''})"


def _default(speller, value, depth):
    factory = speller.spell(value.default_factory, depth)
    held = f", {speller.pairs(value, depth)}" if value else ""
    return f"{word('collections', 'defaultdict')}({factory}{held})"


def _counter(speller, value, depth):
    return f"{word('collections', 'Counter')}({speller.pairs(value, depth) if value else ''})"


def _deque(speller, value, depth):
    size = "" if value.maxlen is None else f", {value.maxlen}"
    return f"{word('collections', 'deque')}([{speller.items(value, depth)}]{size})"


PLAIN = {
    **{
        kind: lambda speller, value, depth: repr(value)
        for kind in (type(None), bool, bytes, bytearray, type(...))
    },
    int: lambda speller, value, depth: repr(value) if -HUGE < value < HUGE else hex(value),
    type(NotImplemented): lambda speller, value, depth: "NotImplemented",
    str: _string,
    float: _float,
    complex: lambda speller, value, depth: (
        f"complex({_float(None, value.real, 0)}, {_float(None, value.imag, 0)})"
    ),
    list: lambda speller, value, depth: f"[{speller.items(value, depth)}]",
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    dict: lambda speller, value, depth: speller.pairs(value, depth),
    range: lambda speller, value, depth: repr(value),
    slice: lambda speller, value, depth: (
        f"slice({speller.items((value.start, value.stop, value.step), depth)})"
    ),
    types.FunctionType: _function,
    types.MethodType: _bound,
    types.BuiltinFunctionType: _builtin,
    type(str.join): lambda speller, value, depth: f"{named(value.__objclass__)}.{value.__name__}",
    functools.partial: _partial,
    io.StringIO: _buffer,
    io.BytesIO: _buffer,
    re.Pattern: _pattern,
    decimal.Decimal: _by_repr("decimal"),
    fractions.Fraction: _by_repr("fractions"),
    uuid.UUID: _by_repr("uuid"),
    collections.OrderedDict: _ordered,
    collections.defaultdict: _default,
    collections.Counter: _counter,
    collections.deque: _deque,
    **{getattr(datetime, name): _moment for name in ("datetime", "date", "time", "timedelta", "timezone")},
}


def spelled(value, made=None):
    """An expression for *value* of no more than `LONG` letters; raises `Unspellable`."""
    try:
        text = Speller(made).spell(value)
    except Unspellable:
        raise
    except Exception as error:
        raise Unspellable(f"{type(error).__name__} while it was looked at") from None
    if len(text) > LONG:
        raise Unspellable("too large")
    return text
