"""Negated condition: a branch taken exactly when it should not be.

What it does: puts `not` before the condition of an `if`, a `while`, a conditional expression or a filter, or
    takes one away. A single comparison is left to `changed-operator`, which turns it round.
Why it hides: it does not, where a test looks at both branches; it shows which branches nobody looks at.
Seen in: conditions inverted while they are moved.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import atom
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "if a:\n    f()\nelif b and c:\n    g()": [
            "if not a:\n    f()\nelif b and c:\n    g()",
            "if a:\n    f()\nelif not (b and c):\n    g()",
        ],
        "if a < b < c:\n    f()": ["if not (a < b < c):\n    f()"],
        "if not a:\n    f()": ["if a:\n    f()"],
        "while a:\n    f()": ["while not a:\n    f()"],
        "x = 1 if a else 2": ["x = 1 if not a else 2"],
        "[x for x in xs if x.a]": ["[x for x in xs if not x.a]"],
    },
    untouched=["assert a", "a and b", "x = not a", "if a < b:\n    f()", "while True:\n    f()"],
)


@fault.on(cst.If, cst.While, cst.IfExp, cst.CompIf)
def negate_the_condition(node: cst.CSTNode, context: Context) -> Iterator[Rewrite]:
    """The truth of a condition is turned round."""
    test: cst.BaseExpression = node.test  # type: ignore[attr-defined]
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        yield test, test.expression
    elif not is_left_alone(test):
        yield test, cst.UnaryOperation(cst.Not(), atom(test))


def is_left_alone(test: cst.BaseExpression) -> bool:
    """Whether another fault turns *test* round: a comparison, a constant."""
    if isinstance(test, cst.Comparison):
        return len(test.comparisons) == 1
    return isinstance(test, cst.Name) and test.value in ("True", "False")
