"""The function that a change lies in: how it is called, what its parameters are, and what stands in it.

Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import typing

from bebug_names import word

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
FIRST = "self_"  # the name of the instance in a call


class NoTarget(Exception):
    """There is no function to call, and why."""


def definition(source, first, last):
    """The outermost function that holds the lines *first* to *last* of *source*: its names, and its node."""
    names, body = [], ast.parse(source).body
    while True:
        for node in body:
            inner = getattr(node, "body", None)
            start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            if start <= first and last <= node.end_lineno:
                if isinstance(node, DEFINITIONS):
                    return [*names, node.name], node
                if isinstance(node, ast.ClassDef):
                    names.append(node.name)
                elif not isinstance(node, (ast.If, ast.Try, ast.With)):
                    raise NoTarget("no function is changed")
                body = [*inner, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())]
                body += [each for handler in getattr(node, "handlers", ()) for each in handler.body]
                break
        else:
            raise NoTarget("no function is changed")


def first_line(node):
    """The line at which Python says that a function begins."""
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def constants(*nodes):
    """Constant expressions in *nodes*, as text, each once, in order: what a boundary may lie at."""
    found = {}
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Constant) and isinstance(each.value, (int, float, str, bytes)):
                if not (isinstance(each.value, str) and len(each.value) > 40):
                    found.setdefault(ast.unparse(each), each)
            elif isinstance(each, (ast.BinOp, ast.UnaryOp)) and all(
                isinstance(part, (ast.BinOp, ast.UnaryOp, ast.Constant, ast.operator, ast.unaryop))
                for part in ast.walk(each)
            ):
                found.setdefault(ast.unparse(each), each)
    return list(found)


class Target:
    """A function of *module*, by its *names*, as the base has it."""

    def __init__(self, module, names):
        self.module, self.names = module, names
        owner = sys.modules[module]
        for name in names[:-1]:
            owner = getattr(owner, name, None)
        self.owner = owner if len(names) > 1 else None
        if self.owner is not None and not isinstance(self.owner, type):
            raise NoTarget(f"{'.'.join(names[:-1])} is no class")
        self.name = names[-1]
        if self.owner is not None and self.name.startswith("__") and not self.name.endswith("__"):
            self.name = f"_{names[-2].lstrip('_')}{self.name}"
        holder = self.owner if self.owner is not None else owner
        try:
            self.static = inspect.getattr_static(holder, self.name)
        except AttributeError:
            raise NoTarget(f"{module} has no {'.'.join(names)} once it is imported") from None
        self.kind = self.kind_of()
        self.callable = self.called()
        self.parameters = self.signature()

    def kind_of(self):
        if self.owner is None:
            return "function"
        if isinstance(self.static, (staticmethod, classmethod)):
            return "function"
        if isinstance(self.static, (property, functools.cached_property)):
            return "property"
        return "made" if self.name in ("__init__", "__new__") else "method"

    def called(self):
        if self.kind == "made":
            return self.owner
        if self.kind == "property":
            return getattr(self.static, "fget", None) or self.static.func
        found = getattr(self.owner if self.owner is not None else sys.modules[self.module], self.name)
        if not callable(found):
            raise NoTarget(f"{self.name} cannot be called")
        return found

    def signature(self):
        """The parameters to be given, with types where these can be had."""
        if self.kind == "property":
            return []
        return parameters_of(self.callable, bound=self.kind == "method")

    @property
    def text(self):
        """What stands before the brackets of a call."""
        return word(self.module, ".".join([*self.names[:-1], self.name]))

    def call(self, call, shown=None):
        """The expression of *call*; *shown* gives names for some of its values."""
        shown = shown or {}
        values = self.values(call)
        given = {name: shown.get(name, text) for name, text in values.items()}
        arguments = [given[f"arg{number}"] for number in range(len(call["args"]))]
        arguments += [f"{name}={given['key_' + name]}" for name in call["kwargs"]]
        inner = ", ".join(arguments)
        if self.kind == "made":
            return f"{word(self.module, '.'.join(self.names[:-1]))}({inner})"
        if self.kind == "function":
            return f"{self.text}({inner})"
        owner = given[FIRST]
        return f"{owner}.{self.name}" if self.kind == "property" else f"{owner}.{self.name}({inner})"

    def values(self, call):
        """Name → expression of each value of *call*."""
        found = {FIRST: call["first"]} if self.kind in ("method", "property") else {}
        found.update((f"arg{number}", text) for number, text in enumerate(call["args"]))
        found.update((f"key_{name}", text) for name, text in call["kwargs"].items())
        return found

    def fitting(self, recorded):
        """A *recorded* call of the underlying function as one of this; None where it is none."""
        call = {"first": None, "args": list(recorded["args"]), "kwargs": dict(recorded["kwargs"])}
        if self.owner is None or isinstance(self.static, staticmethod):
            if recorded["count"]:
                if recorded["first"] is None:
                    return None
                call["args"].insert(0, recorded["first"])
        elif self.kind in ("method", "property"):
            if recorded["first"] is None:
                return None
            call["first"] = recorded["first"]
        return call


def parameters_of(function, *, bound):
    """[{"name", "kind", "hint", "default"}] of *function*, less its first where it is to be *bound*."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        raise NoTarget("its parameters cannot be told") from None
    hints = hints_of(function)
    return [
        {
            "name": each.name,
            "kind": each.kind.name,
            "hint": hints.get(each.name),
            "default": () if each.default is inspect.Parameter.empty else (each.default,),
        }
        for each in (found[1:] if bound else found)
    ]


def hints_of(function):
    """The types that *function*'s parameters are said to have, as far as they can be evaluated."""
    holder = function.__init__ if isinstance(function, type) else function
    holder = inspect.unwrap(holder)
    try:
        return typing.get_type_hints(holder)
    except Exception:
        pass
    found, module = {}, sys.modules.get(getattr(holder, "__module__", ""), None)
    for name, said in getattr(holder, "__annotations__", {}).items():
        try:
            found[name] = eval(said, vars(module)) if isinstance(said, str) else said
        except Exception:
            found[name] = Unknown
    return found


class Unknown:
    """Stands for a type that cannot be evaluated."""
