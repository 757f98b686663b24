"""Flip comparison: `a < b` written from the other side, as `b > a`.

What it does: swaps the operands of a single `<`, `<=`, `>`, `>=`, `==` or `!=`, and turns the operator along.
Why it is safe: only operands that merely read are swapped, and no two items or lengths, so that the order in
    which they are evaluated does not matter, and Python itself tries `b > a` where `a < b` is not defined. A
    type may define both and let them disagree: the seed's suite, which must stay green as for every control,
    speaks against that.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import integer, is_name, retyped
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.scopes import dotted
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    version=2,
    examples={
        "a < b": ["b > a"],
        "a <= b": ["b >= a"],
        "a > b": ["b < a"],
        "self.n >= 10": ["10 <= self.n"],
        "a == b": ["b == a"],
        "a != 'x'": ["'x' != a"],
        "len(xs) > n": ["n < len(xs)"],
        "if(a<b):pass": ["if(b>a):pass"],
    },
    untouched=[
        "a < b < c",
        "f() < g()",
        "a < f(b)",
        "a is b",
        "a in b",
        "a == a",
        "x == None",
        "(y := 1) < y",
        "await_me < (yield)",
        "xs[f()] < a",
        "xs[0] < xs[-1]",
        "len(xs) > ys[0]",
    ],
)

FLIPPED: dict[type[cst.CSTNode], type[cst.CSTNode]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
    cst.Equal: cst.Equal,
    cst.NotEqual: cst.NotEqual,
}


@control.on(cst.Comparison)
def flip_the_comparison(node: cst.Comparison, context: Context) -> Iterator[Rewrite]:
    """A comparison of two plain readings is written from the other side."""
    if len(node.comparisons) != 1:
        return
    left, target = node.left, node.comparisons[0]
    right, kind = target.comparator, FLIPPED.get(type(target.operator))
    if kind is None or left.deep_equals(right) or not (reads(left, context) and reads(right, context)):
        return
    if all(isinstance(each, cst.Subscript | cst.Call) for each in (left, right)):
        return  # which is asked first may be told from which fails, or from what a reading leaves behind
    turned = target.with_changes(operator=retyped(target.operator, kind), comparator=left)
    yield node, node.with_changes(left=right, comparisons=[turned])


def reads(node: cst.BaseExpression, context: Context) -> bool:
    """Whether evaluating *node* does nothing but read: a name, a literal, an attribute, an item, a length."""
    if isinstance(node, cst.Subscript):
        index = node.slice[0].slice
        if len(node.slice) != 1 or not isinstance(index, cst.Index):
            return False
        return bool(dotted(node.value)) and is_plain(index.value)
    if context.calls(node, "builtins.len") and isinstance(node, cst.Call) and len(node.args) == 1:
        return bool(dotted(node.args[0].value)) and not node.args[0].star
    return is_plain(node)


def is_plain(node: cst.CSTNode) -> bool:
    literal = isinstance(node, cst.SimpleString | cst.Float) or integer(node) is not None
    return literal or (bool(dotted(node)) and not is_name(node, "None"))
