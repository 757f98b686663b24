"""Changed operator: an operation that is another one.

What it does: swaps arithmetic operators, comparisons, `is`, `in`, `and` and `or` for their opposites.
Why it hides: it does not, where a test looks at the result.
Seen in: slips of the pen, conditions taken from another place.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import retyped
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "a + b": ["a - b"],
        "a * b": ["a / b"],
        "a // b": ["a * b"],
        "a % b": ["a * b"],
        "a & b": ["a | b"],
        "a == b": ["a != b"],
        "a < b": ["a >= b"],
        "a is not b": ["a is b"],
        "a not in b": ["a in b"],
        "a and b": ["a or b"],
        "a += b": ["a -= b"],
    },
    untouched=["a @ b", "not a", "a = b"],
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
    cst.BitOrAssign: cst.BitAndAssign,
    cst.BitAndAssign: cst.BitOrAssign,
}


@fault.on(cst.BinaryOperation, cst.BooleanOperation, cst.AugAssign, cst.ComparisonTarget)
def swap_the_operator(node: cst.CSTNode, context: Context) -> Iterator[Rewrite]:
    """An operator becomes its opposite."""
    operator: cst.CSTNode = node.operator  # type: ignore[attr-defined]
    if (kind := SWAPPED.get(type(operator))) is not None:
        yield operator, retyped(operator, kind)
