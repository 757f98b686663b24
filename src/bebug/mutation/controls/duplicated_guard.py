"""Duplicated guard: a guard against None that stands twice, of which the change takes the second away.

What it does: starts from a tree in which a guard that leaves, `if x is None: return`, stands once more below
    itself, and deletes that copy.
Why it is safe: whatever passes the first guard passes the second, since what it asks about is a local name
    that nothing between them can bind anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nullness import is_short, leaves, null_test
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    undone=True,
    examples={
        "def f(x):\n    if x is None:\n        return 0\n    y = 1\n    return x + y\n": [
            "def f(x):\n    if x is None:\n        return 0\n    if x is None:\n        return 0\n    y = 1\n"
            "    return x + y\n"
        ],
        "def f(x):\n    # no x\n    if not x:\n        raise E\n    for y in x: y()\n": [
            "def f(x):\n    # no x\n    if not x:\n        raise E\n    if not x:\n        raise E\n"
            "    for y in x: y()\n"
        ],
        "def f(xs):\n    for x in xs:\n        if x is None:\n            continue\n        x = x.a\n        "
        "x()\n": [
            "def f(xs):\n    for x in xs:\n        if x is None:\n            continue\n"
            "        if x is None:\n            continue\n        x = x.a\n        x()\n"
        ],
    },
    untouched=[
        "if x is None:\n    raise E\nx.a()\n",
        "def f(x):\n    if x is None:\n        x = 0\n    return x\n",
        "def f(x):\n    if x is None:\n        return 0\n    else:\n        return x\n",
        "def f(x):\n    if x.a is None:\n        return 0\n    return x.a + 1\n",
        "def f(x):\n    if x < 0:\n        return 0\n    return x + 1\n",
        "def f():\n    if x is None:\n        return 0\n    return x + 1\n",
        "def f(x):\n    global y\n    if y is None:\n        return 0\n    return y + 1\n",
        "def f(x):\n    def g():\n        nonlocal x\n        x = 1\n    if x is None:\n        return 0\n"
        "    "
        "return x + 1\n",
        "def f(x):\n    if x is None:\n        return 0\n",
    ],
)


@control.on(cst.If)
def repeat_the_guard(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """A guard that leaves stands once more, where nothing has changed what it asks about."""
    asked = null_test(node.test, context)
    following = context.following(node)
    if asked is None or not asked.absent or node.orelse is not None or not following:
        return  # with nothing below it in its block: an `elif` among them
    if not isinstance(asked.subject, cst.Name) or not is_local(asked.subject, context):
        return
    if not isinstance(node.body, cst.IndentedBlock) or not is_short(node.body) or not leaves(node.body):
        return
    yield node, cst.FlattenSentinel([node, node.with_changes(leading_lines=[])])


def is_local(name: cst.Name, context: Context) -> bool:
    """Whether *name* belongs to the function around it alone: no inner or outer scope binds it."""
    around = [each for each in context.ancestors(name) if isinstance(each, cst.FunctionDef | cst.Lambda)]
    if not around:
        return False
    function = around[0]
    inside = context.within(function)
    if any(isinstance(each, cst.NameItem) and each.name.value == name.value for each in inside):
        return False
    targets = (cst.Param, cst.AssignTarget, cst.For, cst.AnnAssign)
    return any(isinstance(each, targets) and bound(each) == name.value for each in inside)


def bound(node: cst.CSTNode) -> str:
    """The one name that a parameter, an assignment or a loop binds; "" where it is not one."""
    target = node.name if isinstance(node, cst.Param) else getattr(node, "target", None)
    return target.value if isinstance(target, cst.Name) else ""
