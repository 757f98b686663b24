"""Changed constant: a number, a text or a truth value that is another one.

What it does: adds one to a number, empties a text or fills an empty one, turns True and False round.
Why it hides: it does not, where a test looks at what depends on the value.
Seen in: wrong defaults, wrong keys, wrong limits.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import literal_like
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

fault = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "x = 0": ["x = 1"],
        "x = -1": ["x = -2"],
        "x = 0.5": ["x = 1.5"],
        "f('a', rb'a')": ["f('', rb'a')", "f('a', rb'')"],
        "x = ''": ["x = 'x'"],
        "x = ('a'\n    'b')": ["x = ''"],
        "f(a=True)": ["f(a=False)"],
        "f(a=False)": ["f(a=True)"],
    },
    untouched=[
        "x = None",
        "'a docstring'",
        "def f():\n    'a ' 'docstring'",
        "f'{a[\"b\"]:>3}'",
        "__all__ = ['a']",
        "class A:\n    __slots__: tuple = ('a',)",
        "x: Literal['a'] = a",
        "while True:\n    f()",
    ],
)

TRUTH = {"True": "False", "False": "True"}
DECLARING = ("__all__", "__slots__", "__match_args__")


@fault.on(cst.Integer, cst.Float)
def step_the_number(node: cst.BaseNumber, context: Context) -> Iterator[Rewrite]:
    """A number grows by one."""
    if isinstance(node, cst.Integer):
        yield node, node.with_changes(value=literal_like(node.value, int(node.evaluated_value) + 1))
    elif isinstance(node, cst.Float) and (more := node.evaluated_value + 1.0) != node.evaluated_value:
        yield node, node.with_changes(value=repr(more))


@fault.on(cst.SimpleString, cst.ConcatenatedString)
def empty_the_text(node: cst.BaseString, context: Context) -> Iterator[Rewrite]:
    """A text becomes empty; an empty one gets a letter."""
    first = node.left if isinstance(node, cst.ConcatenatedString) else node
    if isinstance(first, cst.SimpleString) and not is_written(node, context):
        text = "" if first is not node or first.raw_value else "x"
        yield node, cst.SimpleString(f"{first.prefix}{first.quote}{text}{first.quote}")


@fault.on(cst.Name)
def turn_the_truth(node: cst.Name, context: Context) -> Iterator[Rewrite]:
    """True and False change places, but for an endless loop's."""
    if node.value in TRUTH and not isinstance(context.parent(node), cst.While):
        yield node, node.with_changes(value=TRUTH[node.value])


def is_written(node: cst.CSTNode, context: Context) -> bool:
    """Whether *node* is there to be read: a docstring, a part of another text, or what a class declares."""
    for each in context.ancestors(node):
        if isinstance(each, cst.BaseString | cst.Expr):
            return not isinstance(each, cst.Expr) or isinstance(each.value, cst.BaseString)
        if isinstance(each, cst.Assign | cst.AnnAssign | cst.AugAssign):
            return any(name in DECLARING for name in context.names(each))
        if isinstance(each, cst.BaseStatement):
            return False
    return False
