"""Empty return: a function that gives back nothing.

What it does: returns or yields None in place of a value.
Why it hides: it does not, where a test looks at the result; it shows which results nobody looks at.
Seen in: a forgotten `return`, a builder that mutates and returns nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import is_name
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "def f():\n    return g(1)": ["def f():\n    return None"],
        "def f():\n    return a, b": ["def f():\n    return None"],
        "def f():\n    yield a": ["def f():\n    yield None"],
        "def f():\n    x = yield(a)": ["def f():\n    x = yield None"],
    },
    untouched=[
        "def f():\n    return",
        "def f():\n    return None",
        "def f():\n    yield",
        "def f():\n    yield from a",
        "lambda: a",
    ],
)


@fault.on(cst.Return, cst.Yield)
def give_back_nothing(node: cst.CSTNode, context: Context) -> Iterator[Rewrite]:
    """None comes back in place of a value."""
    value = getattr(node, "value", None)
    if isinstance(value, cst.BaseExpression) and not is_name(value, "None"):
        yield value, cst.Name("None")
