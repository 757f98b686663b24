"""Changed constant: a number, a text or a truth value that is another one.

What it does: adds one to a whole number, empties a text or fills an empty one, turns True and False round.
Why it hides: it does not, where a test looks at what depends on the value.
Seen in: wrong defaults, wrong keys, wrong limits.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import stepped
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "x = 3": ["x = 4"],
        "f('a', b'a')": ["f('', b'a')", "f('a', b'')"],
        "x = ''": ["x = 'x'"],
        "f(a=True)": ["f(a=False)"],
        "f(a=False)": ["f(a=True)"],
    },
    untouched=[
        "x = None",
        "'a docstring'",
        "def f():\n    'a docstring'",
        "f'a'",
        "'a' 'b'",
        "__all__ = ['a']",
    ],
)

TRUTH = {"True": "False", "False": "True"}


@fault.on(cst.Integer)
def step_the_number(node: cst.Integer, context: Context) -> Iterator[Rewrite]:
    """A whole number grows by one."""
    if (more := stepped(node, 1)) is not None:
        yield node, more


@fault.on(cst.SimpleString)
def empty_the_text(node: cst.SimpleString, context: Context) -> Iterator[Rewrite]:
    """A text becomes empty; an empty one gets a letter."""
    parent = context.parent(node)
    if isinstance(parent, cst.Expr | cst.ConcatenatedString) or declares(node, context):
        return
    if "u" in node.prefix.lower() or "r" in node.prefix.lower():
        return
    text = "" if node.raw_value else "x"
    yield node, node.with_changes(value=f"{node.prefix}{node.quote}{text}{node.quote}")


@fault.on(cst.Name)
def turn_the_truth(node: cst.Name, context: Context) -> Iterator[Rewrite]:
    """True and False change places."""
    if node.value in TRUTH:
        yield node, node.with_changes(value=TRUTH[node.value])


def declares(node: cst.CSTNode, context: Context) -> bool:
    """Whether *node* names what a module or a class exports, or is part of a type."""
    for each in context.ancestors(node):
        if isinstance(each, cst.Annotation):
            return True
        if isinstance(each, cst.Assign):
            target = each.targets[0].target
            return isinstance(target, cst.Name) and target.value in ("__all__", "__slots__", "__match_args__")
    return False
