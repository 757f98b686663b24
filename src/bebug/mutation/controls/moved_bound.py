"""Moved bound: a comparison of whole numbers with its bound one further, `i < len(xs)` as `i <= len(xs) - 1`.

What it does: turns `<` into `<=`, `>` into `>=`, or back, and moves the right side by one along with it.
Why it is safe: both sides are whole numbers for certain: literals, lengths, and names that only a loop over
    a `range` or an `enumerate` gives their values.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import integer, retyped, stepped
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    examples={
        "len(xs) > 0": ["len(xs) >= 1"],
        "len(xs) >= 2": ["len(xs) > 1"],
        "len(xs) < len(ys)": ["len(xs) <= len(ys) - 1"],
        "len(xs) <= len(ys) - 1": ["len(xs) < len(ys)"],
        "for i in range(n):\n    if i < len(xs):\n        pass": [
            "for i in range(n):\n    if i <= len(xs) - 1:\n        pass"
        ],
        "for i, x in enumerate(xs):\n    if i > 0:\n        pass": [
            "for i, x in enumerate(xs):\n    if i >= 1:\n        pass"
        ],
    },
    untouched=[
        "i < n",
        "i < len(xs)",
        "n > 0",
        "len(xs) == 2",
        "len(xs) < n",
        "0 < len(xs) < 3",
        "for i in range(n):\n    i = f(i)\n    if i < 3:\n        pass",
        "for i in xs:\n    if i < 3:\n        pass",
        "for i in range(n):\n    pass\ndef f(i):\n    return i < 3",
        "len(xs) >= 0",
    ],
)

TURNED: dict[type[cst.CSTNode], tuple[type[cst.CSTNode], int]] = {
    cst.LessThan: (cst.LessThanEqual, -1),
    cst.LessThanEqual: (cst.LessThan, 1),
    cst.GreaterThan: (cst.GreaterThanEqual, 1),
    cst.GreaterThanEqual: (cst.GreaterThan, -1),
}


@control.on(cst.Comparison)
def move_the_bound_along(node: cst.Comparison, context: Context) -> Iterator[Rewrite]:
    """The operator is turned, and the right side moved so that the same numbers pass."""
    target = node.comparisons[0]
    kind, step = TURNED.get(type(target.operator), (None, 0))
    right = target.comparator
    if len(node.comparisons) != 1 or kind is None:
        return
    if not (is_whole(node.left, context) and is_whole(right, context)):
        return
    moved = stepped(right, step)
    if moved is not None:
        turned = target.with_changes(operator=retyped(target.operator, kind), comparator=moved)
        yield node, node.with_changes(comparisons=[turned])


def is_whole(node: cst.BaseExpression, context: Context) -> bool:
    """Whether *node* is a whole number whatever the program does."""
    if integer(node) is not None:
        return True
    if context.calls(node, "builtins.len") and isinstance(node, cst.Call):
        return len(node.args) == 1 and not node.args[0].star
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add | cst.Subtract):
        return is_whole(node.left, context) and is_whole(node.right, context)
    return isinstance(node, cst.Name) and is_counter(node, context)


def is_counter(name: cst.Name, context: Context) -> bool:
    """Whether *name* stands in a loop that gives it its values, and nothing else in that function does."""
    loop = function = None
    for each in context.ancestors(name):
        if isinstance(each, cst.For) and loop is None and counts(each, name.value, context):
            loop = each
        if isinstance(each, cst.FunctionDef | cst.Lambda | cst.Module | cst.ClassDef):
            function = each
            break
    if loop is None or function is None:
        return False
    bound = [each for each in context.within(function) if binds(each, name.value, context)]
    return len(bound) == 1


def counts(loop: cst.For, name: str, context: Context) -> bool:
    """Whether *loop* gives *name* the numbers of a `range`, or the places of an `enumerate`."""
    if context.calls(loop.iter, "builtins.range"):
        return isinstance(loop.target, cst.Name) and loop.target.value == name
    if context.calls(loop.iter, "builtins.enumerate") and isinstance(loop.target, cst.Tuple):
        assert isinstance(loop.iter, cst.Call)
        first = loop.target.elements[0].value
        return len(loop.iter.args) == 1 and isinstance(first, cst.Name) and first.value == name
    return False


def binds(node: cst.CSTNode, name: str, context: Context) -> bool:
    """Whether *node* is a place that gives *name* a value."""
    if not isinstance(node, cst.Name) or node.value != name:
        return False
    inner: cst.CSTNode = node
    for each in context.ancestors(node):
        if isinstance(each, cst.AssignTarget | cst.For | cst.CompFor | cst.AnnAssign | cst.AugAssign):
            return each.target is inner
        if isinstance(each, cst.NamedExpr):
            return each.target is inner
        if isinstance(each, cst.Param | cst.NameItem | cst.AsName | cst.Del | cst.MatchAs | cst.MatchStar):
            return True
        if not isinstance(each, cst.Tuple | cst.List | cst.Element | cst.StarredElement):
            return False
        inner = each
    return False
