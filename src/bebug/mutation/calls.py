"""The bare calls of an expression: what is left of an assertion that no longer asserts."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

import libcst as cst

from bebug.mutation.assertions import last_name

PLAIN = frozenset(
    (
        "abs",
        "allclose",
        "approx",
        "array_equal",
        "array_equiv",
        "bool",
        "callable",
        "float",
        "hasattr",
        "id",
        "int",
        "isclose",
        "isinstance",
        "issubclass",
        "len",
        "repr",
        "round",
        "str",
        "type",
    )
)
"""Calls that only look at a value: what they look at is kept, they are not."""

WHOLE = (
    cst.BaseComp,
    cst.IfExp,
    cst.NamedExpr,
    cst.Await,
    cst.Yield,
    cst.Lambda,
    cst.FormattedString,
)


def bare_calls(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The outermost expressions in *node* that are worth running alone, in the order in which they run."""
    if isinstance(node, cst.Call) and last_name(node.func) not in PLAIN:
        if is_worth_it(node):
            yield node
    elif isinstance(node, WHOLE):
        if isinstance(node, cst.BaseExpression) and not isinstance(node, cst.Lambda) and is_worth_it(node):
            yield node
    elif isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
        yield from bare_calls(node.left)  # the right side may never have run
    else:
        for child in node.children:
            yield from bare_calls(child)


def is_worth_it(node: cst.CSTNode) -> bool:
    """Whether *node* calls, awaits or binds anything but plain builtins over what is there already."""
    if isinstance(node, cst.Await | cst.Yield | cst.NamedExpr):
        return True
    if isinstance(node, cst.Call):
        name = node.func.value if isinstance(node.func, cst.Name) else ""
        if name == "next" or (last_name(node.func) not in PLAIN and not hasattr(builtins, name)):
            return True
    return not isinstance(node, cst.Lambda) and any(is_worth_it(child) for child in node.children)


def alone(node: cst.BaseExpression) -> cst.BaseExpression:
    """*node* as a statement of its own: in parentheses only where it needs them."""
    needed = isinstance(node, cst.NamedExpr | cst.GeneratorExp | cst.Yield) or breaks_lines(node)
    if needed:
        return node if node.lpar else node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node.with_changes(lpar=[], rpar=[])


def breaks_lines(node: cst.CSTNode) -> bool:
    """Whether a line ends in *node* outside of brackets that are part of it."""
    if isinstance(node, cst.List | cst.Set | cst.Dict | cst.BaseComp):
        return False
    open_parts: Sequence[cst.CSTNode] = node.children
    if isinstance(node, cst.Call):
        open_parts = [node.func, node.whitespace_after_func]
    elif isinstance(node, cst.Subscript):
        open_parts = [node.value]
    return any(
        isinstance(each, cst.ParenthesizedWhitespace)
        or (not getattr(each, "lpar", ()) and breaks_lines(each))
        for each in open_parts
    )
