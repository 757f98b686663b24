"""Renamed local: a name of one function's own, called otherwise throughout.

What it does: gives a local that takes part in a test, an index or a bound another usual name, everywhere in
    its function.
Why it is safe: the name is bound by plain assignment, `for` or `with` and by nothing else, no inner scope
    sees it, nothing there can look a local up by its name, and the new name occurs nowhere in the file.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.controls._names import other_names
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    examples={
        "def f(x):\n    result = g(x)\n    if result is None:\n        x.result\n    return result\n": [
            "def f(x):\n    outcome = g(x)\n    if outcome is None:\n        x.result\n    return outcome\n"
        ],
        "def f(xs):\n    for i in range(9):\n        if xs[i] < h(i=i): return\n": [
            "def f(xs):\n    for idx in range(9):\n        if xs[idx] < h(i=idx): return\n"
        ],
        "def f(xs):\n    last_pos, b = xs\n    last_pos += 1\n    return xs[last_pos:]\n": [
            "def f(xs):\n    last_position, b = xs\n    last_position += 1\n    return xs[last_position:]\n"
        ],
    },
    untouched=[
        "result = g(x)\nif result is None:\n    h(result)\n",
        "def f(result):\n    result = g(result)\n    return result is None\n",
        "def f(x):\n    result = g(x)\n    return result\n",
        "def f(x):\n    result = g(x)\n    if result is None: h(outcome=1)\n",
        "def f(x):\n    result = g(x)\n    if result is None: return lambda: result\n",
        "def f(x):\n    global result\n    result = g(x)\n    return result is None\n",
        "def f(x):\n    result = g(x)\n    return result is None and f'{result=}'\n",
        "def f(x):\n    result = g(x)\n    return result is None and '{result}'.format(**locals())\n",
        "def f(x):\n    if (result := g(x)) is None: h(result)\n",
        "def f(x):\n    result = g(x)\n    # a result at last\n    return result is None\n",
        "def f(x):\n    from a import result\n    return result is None\n",
    ],
)

FEW = 8  # occurrences: a change of many lines looks like no bad one
NARROW = 79
INNER = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
PLACES = (cst.Comparison, cst.BooleanOperation, cst.IfExp, cst.BaseSlice)
PEEKING = frozenset(
    (
        "__class__",
        "_getframe",
        "currentframe",
        "dir",
        "eval",
        "exec",
        "f_locals",
        "locals",
        "vars",
        "NameError",
        "UnboundLocalError",
    )
)
"""Whoever says one of these may come to see what a local is called."""


@control.on(cst.FunctionDef)
def rename_the_local(node: cst.FunctionDef, context: Context) -> Iterator[Rewrite]:
    """A local of a function has another name, everywhere in it."""
    uses: dict[str, list[cst.Name]] = {}
    for each in context.within(node.body):
        if isinstance(each, cst.Name) and is_variable(each, context):
            uses.setdefault(each.value, []).append(each)
    if PEEKING.intersection(context.names(node.body)):
        return
    hidden = unclear(node, context)
    for name, found in uses.items():
        clear = name not in hidden and len(found) <= FEW and is_local(found, context)
        if clear and takes_part(found, context) and (new := renamed(node, found, context)) is not None:
            yield node, new


def is_variable(node: cst.Name, context: Context) -> bool:
    """Whether *node* stands for a variable: not for an attribute, a keyword or a module."""
    parent = context.parent(node)
    if isinstance(parent, cst.Attribute):
        return parent.value is node and not any(
            isinstance(each, cst.Import | cst.ImportFrom) for each in context.ancestors(node)
        )
    if isinstance(parent, cst.Arg):
        return parent.value is node
    return not isinstance(parent, cst.ImportAlias | cst.ImportFrom | cst.MatchKeywordElement)


def unclear(node: cst.FunctionDef, context: Context) -> Collection[str]:
    """The names in *node* that are a parameter, are seen by an inner scope or shown, or are bound oddly."""
    odd: set[str] = set(names_in(node.params, context))
    for each in context.within(node.body):
        if isinstance(each, (*INNER, cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.Del)):
            odd.update(names_in(each, context))
        elif isinstance(each, cst.NamedExpr | cst.CompFor):
            odd.update(names_in(each.target, context))
        elif isinstance(each, cst.MatchPattern) or (
            isinstance(each, cst.FormattedStringExpression) and each.equal is not None
        ):
            odd.update(names_in(each, context))
        elif isinstance(each, cst.ExceptHandler | cst.ExceptStarHandler) and each.name is not None:
            odd.update(names_in(each.name, context))
        elif isinstance(each, cst.Comment):
            odd.update(re.findall(r"\w+", each.value))
    return odd


def names_in(node: cst.CSTNode, context: Context) -> Iterator[str]:
    return (each.value for each in context.within(node) if isinstance(each, cst.Name))


def is_local(found: Sequence[cst.Name], context: Context) -> bool:
    """Whether some of *found* binds the name."""
    return any(binds(each, context) for each in found)


def binds(name: cst.Name, context: Context) -> bool:
    node: cst.CSTNode = name
    parent = context.parent(node)
    while isinstance(parent, cst.Element | cst.StarredElement | cst.Tuple | cst.List):
        node, parent = parent, context.parent(parent)
    if isinstance(parent, cst.AsName):
        return isinstance(context.parent(parent), cst.WithItem)
    return isinstance(parent, cst.AssignTarget | cst.AnnAssign | cst.For) and parent.target is node


def takes_part(found: Sequence[cst.Name], context: Context) -> bool:
    """Whether one of *found* stands in a test, an index or a bound."""
    return any(isinstance(outer, PLACES) for each in found for outer in context.ancestors(each))


def renamed(node: cst.FunctionDef, found: Sequence[cst.Name], context: Context) -> cst.FunctionDef | None:
    """*node* with the first usual other name for *found* that is free and makes no line too long."""
    taken = all_names(context)
    for name in other_names(found[0].value):
        if name not in taken and not keyword.iskeyword(name) and not hasattr(builtins, name):
            new = cast(cst.FunctionDef, node.visit(_Rename(found, name)))
            widths = [longest(context.module.code_for_node(each)) for each in (node, new)]
            if widths[1] <= max(NARROW, widths[0]):
                return new
    return None


def longest(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


@lru_cache(maxsize=1)
def all_names(context: Context) -> Collection[str]:
    """Every name that the file of *context* mentions, in whatever role."""
    return frozenset(names_in(context.module, context))


class _Rename(cst.CSTTransformer):
    def __init__(self, found: Sequence[cst.Name], name: str) -> None:
        super().__init__()
        self._found, self._name = frozenset[cst.CSTNode](found), name

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        return updated_node.with_changes(value=self._name) if original_node in self._found else updated_node
