"""Joined conditions: two nested `if`s as one with `and`, or one as two.

What it does: joins an `if` that holds nothing but another `if`, neither with an `else`, and splits one that
    tests several things.
Why it is safe: without an `else` nothing else can happen when either fails, and `and` asks the second
    condition only where the first holds, as the nested `if` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import chained, is_on_one_line, operands
from bebug.mutation.nullness import is_short
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.precedence import NOT, strong
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    examples={
        "if a:\n    if b is None:\n        c()\n": ["if a and b is None:\n    c()\n"],
        "if a or b:\n    if c < d:\n        e()\n": ["if (a or b) and c < d:\n    e()\n"],
        "if a:\n    b()\nelif c:\n    if d:\n        e()\n": ["if a:\n    b()\nelif c and d:\n    e()\n"],
        "if a and b:\n    c()\n": ["if a:\n    if b:\n        c()\n"],
        "if a and (b):\n    c()\n": ["if a:\n    if b:\n        c()\n"],
        "if a and (b or c):  # both\n    d()\n": ["if a:\n    if b or c:  # both\n        d()\n"],
    },
    untouched=[
        "if a:\n    if b:\n        c()\n    else:\n        d()\n",
        "if a:\n    if b:\n        c()\n    d()\n",
        "if a:\n    if b:\n        c()\nelse:\n    d()\n",
        "if a:\n    # why\n    if b:\n        c()\n",
        "if a and b:\n    c()\nelse:\n    d()\n",
        "if a or b:\n    c()\n",
        "if a:\n    while b:\n        c()\n",
    ],
)

NARROW = 79
CLOSED = (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield)
"""What keeps its parentheses after `if`."""


@control.on(cst.If)
def join_the_conditions(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """An `if` that is all that another `if` holds is asked in one breath with it."""
    block = node.body
    if node.orelse is not None or not isinstance(block, cst.IndentedBlock) or len(block.body) != 1:
        return
    inner = block.body[0]
    if block.header.comment or block.footer or not isinstance(inner, cst.If) or inner.orelse is not None:
        return
    if not inner.leading_lines and is_on_one_line(node.test) and is_on_one_line(inner.test):
        parts = [strong(each, NOT) for test in (node.test, inner.test) for each in conjuncts(test)]
        whole = node.with_changes(test=chained(parts, cst.And), body=inner.body)
        if is_narrow(whole, sum(isinstance(each, cst.IndentedBlock) for each in context.ancestors(node))):
            yield node, whole


def is_narrow(node: cst.If, depth: int) -> bool:
    """Whether the first line of *node*, in so many blocks, is no longer than most would let it be."""
    head = cst.Module([]).code_for_node(node.with_changes(leading_lines=(), orelse=None))
    return 4 * depth + len(head.splitlines()[0]) <= NARROW


def conjuncts(test: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    conjunction = isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)
    return operands(test) if conjunction else [test]


@control.on(cst.If)
def split_the_conditions(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """The last of several conditions is asked by an `if` of its own."""
    test = node.test
    if node.orelse is not None or not isinstance(test, cst.BooleanOperation) or not is_short(node.body):
        return
    if isinstance(test.operator, cst.And) and is_on_one_line(test) and not test.lpar:
        inner = cst.If(bare(test.right), node.body)
        yield node, node.with_changes(test=bare(test.left), body=cst.IndentedBlock([inner]))


def bare(node: cst.BaseExpression) -> cst.BaseExpression:
    return node if isinstance(node, CLOSED) else node.with_changes(lpar=(), rpar=())
