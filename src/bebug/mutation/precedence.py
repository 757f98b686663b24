"""How tightly syntax binds, and so where an expression needs parentheses of its own."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from bebug.mutation.nodes import parenthesized

ANY, OR, AND, NOT, COMPARISON, BIT_OR, ARITHMETIC, AWAIT, TIGHTEST = 2, 3, 4, 5, 6, 7, 11, 15, 17

OPERATORS: Sequence[tuple[tuple[type[cst.CSTNode], ...], int]] = (
    ((cst.Or,), OR),
    ((cst.And,), AND),
    ((cst.Not,), NOT),
    ((cst.BitOr,), BIT_OR),
    ((cst.BitXor,), 8),
    ((cst.BitAnd,), 9),
    ((cst.LeftShift, cst.RightShift), 10),
    ((cst.Add, cst.Subtract), ARITHMETIC),
    ((cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.MatrixMultiply), 12),
    ((cst.Minus, cst.Plus, cst.BitInvert), 13),
    ((cst.Power,), 14),
)
LOOSE: Sequence[tuple[type[cst.CSTNode], int]] = (
    (cst.Lambda, ANY),
    (cst.IfExp, ANY),
    (cst.Comparison, COMPARISON),
    (cst.Await, AWAIT),
    (cst.Tuple, 0),
    (cst.GeneratorExp, 0),
    (cst.Yield, 0),
    (cst.NamedExpr, 0),
)
DELIMITED = (
    cst.Arg,
    cst.Index,
    cst.Slice,
    cst.Element,
    cst.DictElement,
    cst.Return,
    cst.Assign,
    cst.AnnAssign,
    cst.AugAssign,
    cst.Expr,
    cst.If,
    cst.While,
    cst.For,
    cst.Assert,
    cst.Raise,
    cst.Param,
    cst.WithItem,
    cst.MatchCase,
    cst.Match,
    cst.NamedExpr,
    cst.FormattedStringExpression,
    cst.Lambda,
)
"""Parents in which anything but a tuple, a `yield` or a `:=` may stand bare."""


def strength(node: cst.BaseExpression) -> int:
    """How tightly *node* binds, as the Python reference orders operators; parentheses bind tightest."""
    if node.lpar:
        return TIGHTEST
    if isinstance(node, cst.BooleanOperation | cst.BinaryOperation | cst.UnaryOperation):
        return next((rank for kinds, rank in OPERATORS if isinstance(node.operator, kinds)), 0)
    return next((rank for kind, rank in LOOSE if isinstance(node, kind)), TIGHTEST)


def needed(slot: cst.CSTNode, parent: cst.CSTNode | None) -> int:
    """The least strength that an expression must have to stand bare where *slot* stands."""
    if isinstance(parent, DELIMITED):
        return ANY
    if isinstance(parent, cst.IfExp | cst.CompFor | cst.CompIf):
        return OR
    if isinstance(parent, cst.Comparison | cst.ComparisonTarget):
        return BIT_OR
    if isinstance(parent, cst.BooleanOperation):
        return NOT
    if isinstance(parent, cst.BinaryOperation):
        own = strength(parent.with_changes(lpar=(), rpar=()))
        return own if parent.left is slot and not isinstance(parent.operator, cst.Power) else own + 1
    if isinstance(parent, cst.UnaryOperation):
        return strength(parent.with_changes(lpar=(), rpar=()))
    return TIGHTEST


def with_operator(
    node: cst.BinaryOperation | cst.BooleanOperation, operator: cst.CSTNode
) -> cst.BinaryOperation | cst.BooleanOperation:
    """*node* with another operator between its operands, in parentheses where they would fall apart."""
    bare = node.with_changes(operator=operator, lpar=(), rpar=())
    left, right = (strong(side, needed(side, bare)) for side in (node.left, node.right))
    return node.with_changes(operator=operator, left=left, right=right)


def strong(node: cst.BaseExpression, least: int) -> cst.BaseExpression:
    """*node*, in parentheses where it binds less tightly than *least*."""
    return node if strength(node) >= least else parenthesized(node)


def fitted(
    new: cst.BaseExpression, old: cst.BaseExpression, parent: cst.CSTNode | None, *, broken: bool
) -> cst.BaseExpression:
    """*new* such that it stays one operand where *old* stood.

    It keeps the parentheses of *old*, unless it needs none; it gets its own where it cannot stand bare.
    *broken*: *new* runs over several lines, which parentheses may be holding together.
    """
    if new.lpar:
        return new
    if old.lpar:
        bare = strength(new) == TIGHTEST and not broken and not isinstance(new, cst.BaseNumber)
        return new if bare else new.with_changes(lpar=old.lpar, rpar=old.rpar)
    enough = min(needed(old, parent), strength(old))
    return new if strength(new) >= enough else parenthesized(new)
