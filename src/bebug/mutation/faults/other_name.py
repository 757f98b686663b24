"""Other name: one parameter of a function read where another one was meant.

What it does: reads the next parameter of the function in place of one, as an argument, an operand, a result.
Why it hides: it does not, where a test gives the two different values.
Seen in: copied lines, functions whose parameters have one type.
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
        "def f(a, b):\n    return g(a) + b": [
            "def f(a, b):\n    return g(b) + b",
            "def f(a, b):\n    return g(a) + a",
        ],
        "def f(self, a, *, b=1):\n    x = a\n    return b[a:]": [
            "def f(self, a, *, b=1):\n    x = b\n    return b[a:]"
        ],
    },
    untouched=[
        "def f(a):\n    return a",
        "def f(self, a):\n    return a",
        "def f(a, b):\n    return a.x(b=1)",
        "def f(a, b=c):\n    a = c\n    del a",
        "def f(a, b):\n    return lambda a: a",
        "def f(a, b):\n    return [a for a in c]",
    ],
)

PLACES: dict[type[cst.CSTNode], tuple[str, ...]] = {
    cst.Arg: ("value",),
    cst.Return: ("value",),
    cst.Assign: ("value",),
    cst.BinaryOperation: ("left", "right"),
    cst.Comparison: ("left",),
    cst.ComparisonTarget: ("comparator",),
    cst.Index: ("value",),
}
"""Where a name is a value of its own, not a thing of which parts are read."""
INNER = (cst.Lambda, cst.ClassDef, cst.BaseComp)


@fault.on(cst.Name)
def read_the_other_parameter(node: cst.Name, context: Context) -> Iterator[Rewrite]:
    """The function's next parameter is read, in its own scope."""
    parent = context.parent(node)
    fields = PLACES.get(type(parent), ()) if parent is not None else ()
    if not any(getattr(parent, field) is node for field in fields):
        return
    names = parameters(node, context)
    if node.value in names and len(names) > 1:
        yield node, node.with_changes(value=names[(names.index(node.value) + 1) % len(names)])


def parameters(node: cst.Name, context: Context) -> list[str]:
    """The parameters of the function whose body *node* stands in, but for `self` and `cls`."""
    inside = None
    for each in context.ancestors(node):
        if isinstance(each, INNER):
            return []
        if isinstance(each, cst.FunctionDef):
            own = each.params
            found = [each.name.value for each in (*own.posonly_params, *own.params, *own.kwonly_params)]
            return [name for name in found if name not in ("self", "cls")] if inside is each.body else []
        inside = each
    return []
