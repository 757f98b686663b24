"""De Morgan: a condition with `and` or `or` written by its negation.

What it does: `not (a and b)` becomes `not a or not b`, and the reverse.
Why it is safe: the same operands are asked in the same order, and as many of them; each is negated by `is`,
    `in` or `not` alone, which Python defines as exact negations; and the value is a bool before and after, or
    only its truth matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import TURNED, atom, chained, is_on_one_line, negated, operands
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    examples={
        "x = not (a and b)": ["x = not a or not b"],
        "x = not (a is None or b in c)": ["x = a is not None and b not in c"],
        "if not (not a or b.c):\n    pass\n": ["if a and not b.c:\n    pass\n"],
        "x = not a or not b": ["x = not (a and b)"],
        "if a is not None and not b:\n    pass\n": ["if not (a is None or b):\n    pass\n"],
        "while x and not (a and b and c()):\n    pass\n": [
            "while x and (not a or not b or not c()):\n    pass\n"
        ],
    },
    untouched=[
        "x = not (not a and b)",
        "x = a and not b",
        "if a and b:\n    pass\n",
        "if not (a < b and c):\n    pass\n",
        "x = not (a and (b or c))",
        "x = a is None or b is None",
        "if not a and not b or c:\n    pass\n",
    ],
)

OTHER: dict[type[cst.CSTNode], type[cst.BaseBooleanOp]] = {cst.And: cst.Or, cst.Or: cst.And}
TESTS = (cst.If, cst.While, cst.IfExp, cst.CompIf)
FEW = 4


@control.on(cst.UnaryOperation)
def spread_the_not(node: cst.UnaryOperation, context: Context) -> Iterator[Rewrite]:
    """`not` in front of a bracket goes to each of its operands."""
    inner = node.expression
    chain = turned(inner) if is_not(node) and isinstance(inner, cst.BooleanOperation) else ()
    if chain and (is_tested(node, context) or all(map(is_bool, chain))):
        assert isinstance(inner, cst.BooleanOperation)
        yield node, chained(chain, OTHER[type(inner.operator)])


@control.on(cst.BooleanOperation)
def gather_the_nots(node: cst.BooleanOperation, context: Context) -> Iterator[Rewrite]:
    """Operands of which one has a `not` at least go into a bracket behind a single one."""
    parent = context.parent(node)
    if isinstance(parent, cst.BooleanOperation | cst.UnaryOperation):
        return
    chain = turned(node)
    gains = any(map(is_not, operands(node))) and not any(map(is_not, chain))
    if chain and gains and (is_tested(node, context) or all(map(is_bool, operands(node)))):
        inner = chained(chain, OTHER[type(node.operator)])
        yield node, cst.UnaryOperation(cst.Not(), atom(inner))


def turned(node: cst.BooleanOperation) -> Sequence[cst.BaseExpression]:
    """The operands of the chain *node*, each negated; none where one cannot be, or breaks a line."""
    chain = [negated(each) for each in operands(node)]
    whole = [each for each in chain if each is not None]
    return whole if len(whole) == len(chain) <= FEW and is_on_one_line(node) else ()


def is_bool(node: cst.BaseExpression) -> bool:
    """Whether *node* gives True or False and nothing else, whatever its operands are."""
    if isinstance(node, cst.Comparison):
        return len(node.comparisons) == 1 and type(node.comparisons[0].operator) in TURNED
    return is_not(node)


def is_not(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)


def is_tested(node: cst.CSTNode, context: Context) -> bool:
    """Whether only the truth of *node* is asked: it is a test, or an operand of one."""
    for inner, outer in pairwise((node, *context.ancestors(node))):
        if not isinstance(outer, cst.BooleanOperation):
            return is_not(outer) or (isinstance(outer, TESTS) and outer.test is inner)
    return False
