"""Loops that a fault must not set spinning: a run that only the clock ends costs more than it shows."""

from __future__ import annotations

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.scopes import dotted


def innermost_while(node: cst.CSTNode, context: Context) -> cst.While | None:
    """The innermost `while` whose turns *node* is part of, its function's own only."""
    for each in context.ancestors(node):
        if isinstance(each, cst.While):
            return each
        if isinstance(each, cst.FunctionDef | cst.ClassDef | cst.Lambda):
            return None
    return None


def drives(target: cst.BaseExpression, node: cst.CSTNode, context: Context) -> bool:
    """Whether *target*, changed at *node*, is what a `while` around it waits for."""
    loop = innermost_while(node, context)
    if loop is None:
        return False
    head = dotted(target).partition(".")[0]
    return not head or head in context.names(loop.test) or not is_bounded(loop)


def is_bounded(loop: cst.While) -> bool:
    """Whether *loop* asks anything that may change, as `while True` does not."""
    constant = isinstance(loop.test, cst.Integer)
    return not constant and not (isinstance(loop.test, cst.Name) and loop.test.value == "True")
