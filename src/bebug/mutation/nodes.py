"""Small pieces of syntax that rules build from: operands, moved numbers, unwrapped blocks."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from bebug.mutation.sources import unvalidated

TIGHT = (
    cst.Name,
    cst.BaseNumber,
    cst.SimpleString,
    cst.FormattedString,
    cst.Call,
    cst.Attribute,
    cst.Subscript,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.DictComp,
    cst.SetComp,
)
ADDITIVE = (cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Add, cst.Subtract, cst.Power)
UNCOUNTABLE = (
    cst.BaseString,
    cst.Float,
    cst.Imaginary,
    cst.Ellipsis,
    cst.BaseList,
    cst.BaseSet,
    cst.BaseDict,
    cst.Tuple,
    cst.Lambda,
    cst.GeneratorExp,
    cst.Comparison,
    cst.BooleanOperation,
    cst.Yield,
    cst.NamedExpr,
)


def atom(node: cst.BaseExpression) -> cst.BaseExpression:
    """*node* safe to be any operand: in parentheses unless it binds tightest already."""
    return node if node.lpar or isinstance(node, TIGHT) else parenthesized(node)


def term(node: cst.BaseExpression) -> cst.BaseExpression:
    """*node* safe to be the left operand of `+` and `-`."""
    arithmetic = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, ADDITIVE)
    signed = isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not)
    return node if arithmetic or signed else atom(node)


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    with unvalidated():  # LibCST's checks fail on a `lambda` behind `else`
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def retyped(old: cst.CSTNode, kind: type[cst.CSTNode]) -> cst.CSTNode:
    """A *kind* token spaced exactly as *old* is."""
    names = ("whitespace_before", "whitespace_after")
    return kind(**{name: getattr(old, name) for name in names})


def is_name(node: cst.CSTNode | None, *names: str) -> bool:
    return isinstance(node, cst.Name) and node.value in names


def integer(node: cst.CSTNode | None) -> int | None:
    """The value of an integer literal, signed or not; None for anything else, `True` included."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = integer(node.expression)
        return None if value is None or not isinstance(node.expression, cst.Integer) else -value
    return None


def plain_arguments(call: cst.Call) -> Sequence[cst.Arg] | None:
    """The arguments of *call* if all are positional and none is unpacked, else None."""
    plain = all(arg.keyword is None and not arg.star for arg in call.args)
    return call.args if plain else None


def stepped(node: cst.BaseExpression, step: int, *, tight: bool = False) -> cst.BaseExpression | None:
    """*node* moved by *step* (1 or -1) as a programmer would: `n` → `n + 1`, `n - 1` → `n`, `0x10` → `0x11`.

    A literal never becomes negative. *tight*: `n` → `n+1`. None where a step means nothing.
    """
    if (value := integer(node)) is not None:
        return moved_literal(node, value, step)
    if isinstance(node, UNCOUNTABLE) or is_name(node, "None", "True", "False"):
        return None
    if isinstance(node, cst.BinaryOperation) and (moved := moved_offset(node, step)) is not None:
        return moved
    sign: cst.BaseBinaryOp = cst.Add() if step > 0 else cst.Subtract()
    if tight:
        none = cst.SimpleWhitespace("")
        sign = sign.with_changes(whitespace_before=none, whitespace_after=none)
    return cst.BinaryOperation(term(node), sign, cst.Integer("1"))


def moved_literal(node: cst.BaseExpression, value: int, step: int) -> cst.BaseExpression | None:
    moved = value + step
    if isinstance(node, cst.Integer):
        return node.with_changes(value=literal_like(node.value, moved)) if moved >= 0 else None
    assert isinstance(node, cst.UnaryOperation) and isinstance(node.expression, cst.Integer)
    if moved == 0:
        return cst.Integer("0")
    number = node.expression
    return node.with_changes(expression=number.with_changes(value=literal_like(number.value, -moved)))


def moved_offset(node: cst.BinaryOperation, step: int) -> cst.BaseExpression | None:
    """`n + 2` → `n + 1`, `n + 1` → `n`, `n - 1` → `n - 2`; None unless *node* adds or takes a literal."""
    sign = {cst.Add: 1, cst.Subtract: -1}.get(type(node.operator))
    if sign is None or not isinstance(node.right, cst.Integer):
        return None
    offset = int(node.right.evaluated_value) + sign * step
    if offset < 0:
        return None
    if offset == 0:
        return node.left
    return node.with_changes(right=node.right.with_changes(value=literal_like(node.right.value, offset)))


def literal_like(old: str, value: int) -> str:
    """*value*, not negative, in the base, case, width and grouping of the literal *old*: 0x0F, 16 → 0x10."""
    prefix = old[:2] if old[:1] == "0" and old[1:2].isalpha() else ""
    digits = old[len(prefix) :]
    plain = digits.replace("_", "")
    form = {"x": "x", "o": "o", "b": "b"}.get(prefix[1:].lower(), "d")
    text = format(value, form)
    if form == "x" and any(char.isupper() for char in plain):
        text = text.upper()
    if prefix:
        text = text.zfill(len(plain))
    return prefix + regrouped(digits, text)


def regrouped(old: str, digits: str) -> str:
    """*digits* with underscores where *old* has them, counted from the right."""
    if "_" not in old:
        return digits
    first, *widths = [len(group) for group in old.split("_")]
    out: list[str] = []
    for width in reversed(widths):
        if digits:
            out.append(digits[-width:])
            digits = digits[:-width]
    while len(digits) > max(first, widths[-1]):
        out.append(digits[-widths[-1] :])
        digits = digits[: -widths[-1]]
    return "_".join(reversed([*out, digits] if digits else out))


TURNED: dict[type[cst.CSTNode], type[cst.CSTNode]] = {
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
}
"""Comparisons that Python itself defines as the negation of each other, whatever the operands are."""
READ = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def negated(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """*node* true where it was false, as one would write it: `x is None` → `x is not None`, `x` → `not x`.

    It is exact: the same is evaluated in the same order. (`a < b` → `a >= b` is not: both may be false.) None
    where there is no such way to write it. The result is a bool, but for `not x` → `x`.
    """
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return node.expression
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        if (kind := TURNED.get(type(target.operator))) is None:
            return None
        return node.with_changes(comparisons=[target.with_changes(operator=retyped(target.operator, kind))])
    if isinstance(node, READ) and not is_name(node, "None", "True", "False"):
        return cst.UnaryOperation(cst.Not(), node)
    return None


def operands(node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """What a chain of one `and` or `or` joins, in order; *node* alone if it is no such chain."""
    if not isinstance(node, cst.BooleanOperation):
        return [node]
    left = node.left
    alike = isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator)
    return [*(operands(left) if alike else [left]), node.right]


def chained(parts: Sequence[cst.BaseExpression], kind: type[cst.BaseBooleanOp]) -> cst.BaseExpression:
    """*parts* joined by *kind*; each must be able to stand beside it."""
    whole, *rest = parts
    for each in rest:
        whole = cst.BooleanOperation(whole, kind(), each)
    return whole


def is_on_one_line(node: cst.CSTNode) -> bool:
    text = cst.Module([]).code_for_node(node)
    return "\n" not in text and "\r" not in text


def unwrapped(node: cst.If, suite: cst.BaseSuite) -> cst.FlattenSentinel[cst.CSTNode]:
    """The statements of *suite* in place of *node*, below the comments that stand above *node*."""
    if isinstance(suite, cst.IndentedBlock):
        first, *rest = suite.body
        lines = [*node.leading_lines, *first.leading_lines]  # type: ignore[attr-defined]
        return cst.FlattenSentinel([first.with_changes(leading_lines=lines), *rest, *suite.footer])
    assert isinstance(suite, cst.SimpleStatementSuite)
    line = cst.SimpleStatementLine(suite.body, node.leading_lines, suite.trailing_whitespace)
    return cst.FlattenSentinel([line])
