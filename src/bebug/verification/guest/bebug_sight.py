"""What a call does, as text that can be compared: value, exception, output, what became of its arguments.

Values are compared by structure, never by identity: addresses and private paths are left out, iterators are
drained for a while, objects without a text of their own are shown by their attributes. Runs in the seed's
interpreter; standard library only.
"""

from __future__ import annotations

import asyncio
import collections.abc
import contextlib
import enum
import io
import itertools
import pathlib
import random
import re
import types

DRAINED, NODES, DEEP, TEXT = 100, 1500, 30, 2000
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{4,}")
SCALARS = (type(None), bool, int, float, complex, str, bytes, bytearray, type(...), type(NotImplemented))
DEFAULT_REPRS = (object.__repr__, BaseException.__repr__)
NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)


class Sight:
    """Shows values; *private* are paths that differ between the two trees, with what to write for them."""

    def __init__(self, private):
        self.private, self.left = private, NODES

    def plain(self, text):
        """*text* less what differs between two runs of the same code."""
        for path, name in self.private:
            text = text.replace(path, name)
        return ADDRESS.sub("0x...", text)

    def shown(self, value, depth=0, above=()):
        self.left -= 1
        kind = type(value)
        if self.left < 0 or depth > DEEP:
            return "..."
        if kind in SCALARS:
            return self.scalar(value)
        if id(value) in above:
            return f"<the {kind.__name__} {len(above) - above.index(id(value))} above>"
        inner = (*above, id(value))
        if isinstance(value, enum.Enum):
            return f"{kind.__qualname__}.{value._name_}"
        if isinstance(value, NAMED):
            return f"<{kind.__name__} {getattr(value, '__qualname__', getattr(value, '__name__', '?'))}>"
        try:
            return self.structure(value, depth + 1, inner)
        except Exception as error:
            return f"<{kind.__qualname__} whose look raises {type(error).__name__}>"

    def scalar(self, value):
        if type(value) is int and value.bit_length() > 8000:
            return hex(value)
        return self.plain(repr(value))

    def structure(self, value, depth, above):
        kind = type(value)
        name = "" if kind.__module__ == "builtins" else kind.__qualname__
        if isinstance(value, (list, tuple, collections.deque)):
            return (
                f"{name or kind.__name__}[{self.all(value, depth, above)}]{self.extras(value, depth, above)}"
            )
        if isinstance(value, (set, frozenset, collections.abc.Set)):
            parts = sorted(self.shown(each, depth, above) for each in value)
            return f"{name or kind.__name__}{{{', '.join(parts)}}}"
        if isinstance(value, (dict, types.MappingProxyType)):
            parts = (
                f"{self.shown(key, depth, above)}: {self.shown(held, depth, above)}"
                for key, held in value.items()
            )
            return f"{name or kind.__name__}{{{', '.join(parts)}}}{self.extras(value, depth, above)}"
        if isinstance(value, SCALARS):
            plain = next(each for each in SCALARS if isinstance(value, each))
            return f"{name}({self.scalar(plain.__new__(plain, value))}){self.extras(value, depth, above)}"
        if isinstance(value, BaseException):
            given = self.shown(value.args, depth, above)
            return f"{name or kind.__name__}{given}{self.extras(value, depth, above)}"
        if isinstance(value, types.CoroutineType):
            return f"<coroutine {self.shown(asyncio.run(value), depth, above)}>"
        if isinstance(value, collections.abc.AsyncIterator):
            return f"<{kind.__name__} {self.shown(asyncio.run(drained(value)), depth, above)}>"
        if isinstance(value, collections.abc.Iterator):
            return f"<{kind.__qualname__} [{self.yielded(value, depth, above)}]>"
        if isinstance(value, pathlib.PurePath):
            return f"{name}({self.scalar(str(value))})"
        if isinstance(value, (io.StringIO, io.BytesIO)):
            return f"{name}({self.scalar(value.getvalue()) if not value.closed else 'closed'})"
        return self.instance(value, depth, above)

    def instance(self, value, depth, above):
        kind = type(value)
        held = self.extras(value, depth, above)
        if held or kind.__repr__ in DEFAULT_REPRS:
            return f"<{kind.__qualname__}{held}>"
        return f"<{kind.__qualname__} {self.plain(repr(value))[:TEXT]}>"

    def extras(self, value, depth, above):
        """The attributes that an instance carries, of its `__dict__` and its slots."""
        found = {}
        with contextlib.suppress(AttributeError):
            found.update(object.__getattribute__(value, "__dict__"))
        for each in type(value).__mro__:
            slots = vars(each).get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name in ("__dict__", "__weakref__"):
                    continue
                hidden = name.startswith("__") and not name.endswith("__")
                with contextlib.suppress(AttributeError):
                    found[name] = object.__getattribute__(
                        value, f"_{each.__name__.lstrip('_')}{name}" if hidden else name
                    )
        parts = (f"{name}={self.shown(held, depth, above)}" for name, held in found.items())
        return f"({', '.join(parts)})" if found else ""

    def all(self, values, depth, above):
        return ", ".join(self.shown(each, depth, above) for each in values)

    def yielded(self, values, depth, above):
        parts = []
        try:
            for each in itertools.islice(values, DRAINED):
                parts.append(self.shown(each, depth, above))
        except BaseException as error:
            parts.append(f"raises {name_of(error)}")
        return ", ".join(parts)


async def drained(values):
    found = []
    async for each in values:
        found.append(each)
        if len(found) >= DRAINED:
            break
    return found


def name_of(error):
    return type(error).__qualname__


def kind_of(value):
    """What stands in the way of printing *value*, in a word."""
    if isinstance(value, types.CoroutineType):
        return "coroutine"
    if isinstance(value, collections.abc.AsyncIterator):
        return "async"
    if isinstance(value, collections.abc.Iterator):
        return "iterator"
    if isinstance(value, contextlib.AbstractContextManager) and hasattr(value, "gen"):
        return "manager"
    if isinstance(value, (*SCALARS, list, tuple, set, frozenset, dict)):
        return "plain"
    return "object"


def printed_by(act):
    """What *act* gives, and what it prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        given = act()
    return given, output.getvalue()


def prepared(request):
    """A namespace in which the expressions of *request* have a meaning."""
    namespace = {"__name__": "witness", "__builtins__": __builtins__}
    for line in request["imports"]:
        exec(line, namespace)
    random.seed(request["dice"])
    if "numpy.random" in __import__("sys").modules:
        __import__("sys").modules["numpy.random"].seed(request["dice"])
    return namespace


def seen(request, private):
    """All that a call does: {"result", "kind", "after", "printed"}, or {"unbuilt"} where there is no call."""
    sight = Sight(private)
    try:
        namespace = prepared(request)
        for name, text in request["values"].items():
            namespace[name] = eval(text, namespace)
        if len(sight.shown(list(map(namespace.get, request["values"])))) > 20 * TEXT:
            return {"unbuilt": "too large"}
        sight.left = NODES
    except BaseException as error:
        return {"unbuilt": name_of(error)}
    kind = ["none"]

    def act():
        try:
            value = eval(request["call"], namespace)
            kind[0] = kind_of(value)
            if kind[0] == "coroutine":
                value = asyncio.run(value)
                return f"awaited {sight.shown(value)}"
            return sight.shown(value)
        except MemoryError:
            return None
        except BaseException as error:
            kind[0] = "raises" if error.__traceback__.tb_next is not None else "unbound"
            return f"raises {name_of(error)}"

    result, output = printed_by(act)
    if result is None:
        return {"late": True}
    if kind[0] == "unbound":
        return {"unbuilt": "the call does not fit"}
    sight.left = NODES
    after = [sight.shown(namespace[name]) for name in request["values"]]
    return {"result": result, "kind": kind[0], "after": after, "printed": sight.plain(output)[:TEXT]}


def all_seen(requests, private):
    """What each of several calls does, one after the other."""
    return [seen(request, private) for request in requests]


def looked_at(request, private):
    """What a reader sees: {"text"} of the expression after the lines of set-up, and {"printed"}."""
    sight = Sight(private)
    try:
        namespace = prepared(request)
    except BaseException as error:
        return {"unbuilt": name_of(error)}

    def act():
        try:
            for line in request["setup"]:
                exec(line, namespace)
            return repr(eval(request["call"], namespace))
        except BaseException as error:
            return f"raises {name_of(error)}"

    text, output = printed_by(act)
    return {
        "text": sight.plain(text),
        "exact": sight.plain(text) == text,
        "printed": sight.plain(output)[:TEXT],
    }
