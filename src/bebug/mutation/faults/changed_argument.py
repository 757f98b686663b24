"""Changed argument: a call that is told something else.

What it does: drops a keyword argument, or swaps the first two positional ones.
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
        "f(a, b)": ["f(b, a)"],
        "f(a, b=c)": ["f(a)"],
        "f(a, b, c=d)": ["f(a, b)", "f(b, a, c=d)"],
    },
    untouched=["f(a)", "f(*a, b)", "f(a, a)", "f(**a)", "class A(b=c): pass"],
)


@fault.on(cst.Call)
def drop_the_keyword(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """The last keyword argument of a call is left out."""
    if node.args and node.args[-1].keyword is not None:
        kept = list(node.args[:-1])
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        yield node, node.with_changes(args=kept)


@fault.on(cst.Call)
def swap_the_arguments(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """The first two positional arguments of a call change places."""
    if len(node.args) < 2 or any(each.star or each.keyword for each in node.args[:2]):
        return
    first, second, *rest = node.args
    if not first.value.deep_equals(second.value):
        swapped = [first.with_changes(value=second.value), second.with_changes(value=first.value)]
        yield node, node.with_changes(args=[*swapped, *rest])
