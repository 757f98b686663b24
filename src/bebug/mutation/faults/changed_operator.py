"""Changed operator: an operation that is another one.

What it does: swaps arithmetic operators, comparisons, `is`, `in`, `and` and `or` for their opposites, and
    drops a sign or a `not`.
Why it hides: it does not, where a test looks at the result.
Seen in: slips of the pen, conditions taken from another place.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.faults._loops import drives
from bebug.mutation.nodes import retyped
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.precedence import with_operator
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "a + b": ["a - b"],
        "a * b": ["a / b"],
        "a // b": ["a * b"],
        "a ** -b + c": ["a * -b + c", "a ** -b - c", "a ** b + c"],
        "a & b == c": ["a | b == c", "a & b != c"],
        "a < b <= c": ["a >= b <= c", "a < b > c"],
        "a is not b": ["a is b"],
        "a not in b": ["a in b"],
        "a and b": ["a or b"],
        "a and b and c": ["(a or b) and c", "(a and b) or c"],
        "a or b and c": ["a and (b and c)", "a or (b or c)"],
        "a += b": ["a -= b"],
        "f(not a)": ["f(a)"],
        "f(-1)": ["f(1)"],
    },
    untouched=["a @ b", "if not a: pass", "a = b", "'%s' % a", "a + 'b'", "while a:\n    a += 1"],
)

SWAPPED: dict[type[cst.CSTNode], type[cst.CSTNode]] = {
    cst.Add: cst.Subtract,
    cst.Subtract: cst.Add,
    cst.Multiply: cst.Divide,
    cst.Divide: cst.Multiply,
    cst.FloorDivide: cst.Multiply,
    cst.Modulo: cst.Multiply,
    cst.Power: cst.Multiply,
    cst.BitAnd: cst.BitOr,
    cst.BitOr: cst.BitAnd,
    cst.BitXor: cst.BitAnd,
    cst.LeftShift: cst.RightShift,
    cst.RightShift: cst.LeftShift,
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.LessThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.LessThan,
    cst.GreaterThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.GreaterThan,
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
    cst.And: cst.Or,
    cst.Or: cst.And,
    cst.AddAssign: cst.SubtractAssign,
    cst.SubtractAssign: cst.AddAssign,
    cst.MultiplyAssign: cst.AddAssign,
    cst.DivideAssign: cst.MultiplyAssign,
    cst.BitOrAssign: cst.BitAndAssign,
    cst.BitAndAssign: cst.BitOrAssign,
}


@fault.on(cst.BinaryOperation, cst.BooleanOperation)
def swap_the_operation(node: cst.BaseExpression, context: Context) -> Iterator[Rewrite]:
    """What two values are combined by becomes its opposite; of texts it could only crash."""
    assert isinstance(node, cst.BinaryOperation | cst.BooleanOperation)
    kind = SWAPPED.get(type(node.operator))
    if kind and not isinstance(node.left, cst.BaseString) and not isinstance(node.right, cst.BaseString):
        yield node, with_operator(node, retyped(node.operator, kind))


@fault.on(cst.ComparisonTarget)
def turn_the_comparison(node: cst.ComparisonTarget, context: Context) -> Iterator[Rewrite]:
    """A comparison is true where it was false."""
    if (kind := SWAPPED.get(type(node.operator))) is not None:
        yield node.operator, retyped(node.operator, kind)


@fault.on(cst.AugAssign)
def update_the_other_way(node: cst.AugAssign, context: Context) -> Iterator[Rewrite]:
    """What adds takes away, unless a loop waits for it."""
    kind = SWAPPED.get(type(node.operator))
    if kind and not isinstance(node.value, cst.BaseString) and not drives(node.target, node, context):
        yield node.operator, retyped(node.operator, kind)


@fault.on(cst.UnaryOperation)
def drop_the_sign(node: cst.UnaryOperation, context: Context) -> Iterator[Rewrite]:
    """A minus or a `~` is gone; a `not` too, where `negated-condition` has not seen to it."""
    is_test = getattr(context.parent(node), "test", None) is node
    if not isinstance(node.operator, cst.Plus) and not is_test:
        yield node, node.expression
