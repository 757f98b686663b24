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
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "def f():\n    g()\n    return 1": ["def f():\n    pass\n    return 1"],
        "self.a = b": ["pass"],
        "a[0] = b": ["pass"],
        "a += 1": ["pass"],
        "def f(a):\n    if a:\n        raise E\n    return a": [
            "def f(a):\n    if a:\n        pass\n    return a"
        ],
        "for a in b:\n    if a:\n        continue\n    f(a)": [
            "for a in b:\n    if a:\n        pass\n    f(a)",
            "for a in b:\n    if a:\n        continue\n    pass",
        ],
    },
    untouched=["a = 1", "import a", "'a docstring'", "def f():\n    yield a", "return_ = a"],
)


@fault.on(cst.AugAssign, cst.Raise, cst.Del, cst.Continue, cst.Break)
def skip_the_step(node: cst.BaseSmallStatement, context: Context) -> Iterator[Rewrite]:
    """A statement that changes the flow or the state is not run."""
    yield node, cst.Pass()


@fault.on(cst.Expr)
def skip_the_call(node: cst.Expr, context: Context) -> Iterator[Rewrite]:
    """A call made for its effect is not made."""
    value = node.value.expression if isinstance(node.value, cst.Await) else node.value
    if isinstance(value, cst.Call):
        yield node, cst.Pass()


@fault.on(cst.Assign)
def skip_the_assignment(node: cst.Assign, context: Context) -> Iterator[Rewrite]:
    """An attribute or an item keeps its old value."""
    if all(isinstance(each.target, cst.Attribute | cst.Subscript) for each in node.targets):
        yield node, cst.Pass()
