"""Changed argument: a call that is told something else.

What it does: leaves out a keyword argument or the last of several positional ones, or swaps the first two.
Why it hides: it does not, where a test looks at what the call does.
Seen in: calls of functions with many parameters of one type.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "f(a, b)": ["f(a)", "f(b, a)"],
        "f(a, b=c, *d)": ["f(a, *d)"],
        "f(b=c)": ["f()"],
        "f(a, b, c=d)": ["f(a, c=d)", "f(a, b)", "f(b, a, c=d)"],
    },
    untouched=["f(a)", "f(*a, b)", "f(**a)", "class A(b=c): pass", "isinstance(a, b)"],
)

PARTICULAR = frozenset(
    f"builtins.{name}"
    for name in ("isinstance", "issubclass", "super", "setattr", "hasattr", "delattr", "zip", "map", "filter")
)
"""Calls that with other arguments only crash, or mean the same."""


@fault.on(cst.Call)
def drop_the_argument(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """A keyword argument is left out, or the last positional one behind another."""
    if context.origin(node.func) in PARTICULAR:
        return
    plain = [each for each in node.args if not each.star and each.keyword is None]
    last = plain[-1] if len(plain) > 1 and not any(each.star for each in node.args) else None
    for each in node.args:
        if each is last or (each.keyword is not None and not each.star):
            yield node, without(node, each)


def without(node: cst.Call, gone: cst.Arg) -> cst.Call:
    kept = [each for each in node.args if each is not gone]
    if kept:
        kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return node.with_changes(args=kept)


@fault.on(cst.Call)
def swap_the_arguments(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """The first two positional arguments of a call change places."""
    if len(node.args) < 2 or any(each.star or each.keyword for each in node.args[:2]):
        return
    first, second, *rest = node.args
    unlike = not first.value.deep_equals(second.value)
    if unlike and context.origin(node.func) not in PARTICULAR | {"builtins.getattr"}:
        swapped = [first.with_changes(value=second.value), second.with_changes(value=first.value)]
        yield node, node.with_changes(args=[*swapped, *rest])
