"""Dropped statement: a step that is not taken.

What it does: replaces a call, an assignment to an attribute or an item, an augmented assignment, a `raise`, a
    `del`, a `continue` or a `break` by `pass`.
Why it hides: it does not, where a test looks at what the step does.
Seen in: lines lost in a merge, an update of one of two places.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.faults._loops import drives, innermost_while
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "def f():\n    g()\n    return 1": ["def f():\n    pass\n    return 1"],
        "await g()": ["pass"],
        "self.a = b": ["pass"],
        "a[0] = b": ["pass"],
        "a += 1; b = 2": ["pass; b = 2"],
        "if a: del b[0]": ["if a: pass"],
        "def f(a):\n    if a:\n        raise E(a)\n    return a": [
            "def f(a):\n    if a:\n        pass\n    return a"
        ],
        "for a in b:\n    if a:\n        continue\n    f(a)": [
            "for a in b:\n    if a:\n        pass\n    f(a)",
            "for a in b:\n    if a:\n        continue\n    pass",
        ],
    },
    untouched=[
        "a = 1",
        "a.b = c = d",
        "import a",
        "'a docstring'",
        "def f():\n    yield a",
        "print(a)",
        "while True:\n    if a:\n        break",
        "while a < b:\n    a += 1",
    ],
)


@fault.on(cst.SimpleStatementLine, cst.SimpleStatementSuite)
def let_it_pass(node: cst.CSTNode, context: Context) -> Iterator[Rewrite]:
    """An error is not raised: asked of the line, for what an error is raised with is left out."""
    small: list[cst.BaseSmallStatement] = list(node.body)  # type: ignore[attr-defined]
    yield from ((each, skipped(each)) for each in small if isinstance(each, cst.Raise))


@fault.on(cst.AugAssign, cst.Del, cst.Continue, cst.Break)
def skip_the_step(node: cst.BaseSmallStatement, context: Context) -> Iterator[Rewrite]:
    """A statement that changes the state or the flow is not run; a loop that waits for it is left alone."""
    if isinstance(node, cst.Break):
        spins = innermost_while(node, context) is not None
    else:
        spins = isinstance(node, cst.AugAssign) and drives(node.target, node, context)
    if not spins:
        yield node, skipped(node)


@fault.on(cst.Expr)
def skip_the_call(node: cst.Expr, context: Context) -> Iterator[Rewrite]:
    """A call made for its effect is not made."""
    value = node.value.expression if isinstance(node.value, cst.Await) else node.value
    if isinstance(value, cst.Call) and context.calls(value, "builtins.print") is False:
        yield node, skipped(node)


@fault.on(cst.Assign)
def skip_the_assignment(node: cst.Assign, context: Context) -> Iterator[Rewrite]:
    """An attribute or an item keeps its old value."""
    if all(isinstance(each.target, cst.Attribute | cst.Subscript) for each in node.targets):
        yield node, skipped(node)


def skipped(node: cst.BaseSmallStatement) -> cst.Pass:
    return cst.Pass(semicolon=node.semicolon)
