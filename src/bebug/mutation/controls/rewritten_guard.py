"""Rewritten guard: an early exit written as if and else, or two branches the other way round.

What it does: puts what follows a guard under its `else` or takes it out again, and swaps the branches of an
    `if` or of a conditional expression while it negates the condition.
Why it is safe: after a block that always leaves, what follows is exactly its `else`; and only conditions
    are negated whose negation Python defines (`is`, `in`, `not`, plain truth): the same is evaluated, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import negated
from bebug.mutation.nullness import is_short, leaves, null_test
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim

control = Operator(
    __name__,
    claim=Claim.PRESERVES,
    examples={
        "def f(x):\n    if x is None:\n        return 0\n    return x + 1\n": [
            "def f(x):\n    if x is None:\n        return 0\n    else:\n        return x + 1\n"
        ],
        "def f(x):\n    if x < 0:\n        raise E\n    # then\n    x += 1\n    return x\n": [
            "def f(x):\n    if x < 0:\n        raise E\n    else:\n        # then\n        x += 1\n"
            "        return x\n"
        ],
        "def f(x):\n    if not x:\n        return 0\n    else:\n        x.a()\n    return x\n": [
            "def f(x):\n    if not x:\n        return 0\n    x.a()\n    return x\n",
            "def f(x):\n    if x:\n        x.a()\n    else:\n        return 0\n    return x\n",
        ],
        "if x is None:\n    a = 0\nelse:\n    a = x.a  # there\n": [
            "if x is not None:\n    a = x.a  # there\nelse:\n    a = 0\n"
        ],
        "y = d if x is None else x": ["y = x if x is not None else d"],
        "y = x if not x else d": ["y = d if x else x"],
    },
    untouched=[
        "if x is None:\n    a = 0\n",
        "if x < 0:\n    a = 0\nelse:\n    a = x\n",
        "if x is None:\n    a = 0\nelif x < 0:\n    a = 1\nelse:\n    a = 2\n",
        "def f(x):\n    if x is None:\n        x = 0\n    return x\n",
        "def f(x):\n    if x is None:\n        return 0\n    for y in x: y()\n    return 1\n",
        "y = x if x > 0 else 0",
        "y = x if x else 0",
    ],
)


@control.on(cst.If)
def follow_with_else(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """What follows a guard that leaves stands under its `else`."""
    block = context.parent(node)
    function = context.parent(block) if isinstance(block, cst.IndentedBlock) else None
    if not isinstance(block, cst.IndentedBlock) or not isinstance(function, cst.FunctionDef):
        return
    rest = [each for each in context.following(node) if isinstance(each, cst.SimpleStatementLine)]
    if not is_guarding(node, context) or node.orelse is not None or not rest or block.footer:
        return
    if len(rest) == len(context.following(node)) and is_short(cst.IndentedBlock(rest)):
        first = rest[0].with_changes(leading_lines=without_blanks(rest[0].leading_lines))
        whole = node.with_changes(orelse=cst.Else(cst.IndentedBlock([first, *rest[1:]])))
        before = block.body[: len(block.body) - len(rest) - 1]
        yield function, function.with_changes(body=block.with_changes(body=[*before, whole]))


@control.on(cst.If)
def drop_the_else(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """The `else` of a guard that leaves is taken out of it."""
    orelse = node.orelse
    if not isinstance(orelse, cst.Else) or not is_guarding(node, context) or orelse.leading_lines:
        return
    if isinstance(orelse.body, cst.IndentedBlock) and is_plain(orelse.body) and not is_elif(node, context):
        inner = orelse.body
        yield node, cst.FlattenSentinel([node.with_changes(orelse=None), *inner.body])


@control.on(cst.If)
def swap_the_branches(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """The two short branches of an `if` change places, and its condition is negated."""
    orelse = node.orelse
    test = None if null_test(node.test, context) is None else negated(node.test)
    if test is None or not isinstance(orelse, cst.Else) or orelse.leading_lines:
        return
    suites = (node.body, orelse.body)
    if all(isinstance(each, cst.IndentedBlock) and is_plain(each) for each in suites):
        yield (
            node,
            node.with_changes(test=test, body=orelse.body, orelse=orelse.with_changes(body=node.body)),
        )


@control.on(cst.IfExp)
def swap_the_conditional(node: cst.IfExp, context: Context) -> Iterator[Rewrite]:
    """The values of a conditional expression change places, and its condition is negated."""
    test = None if null_test(node.test, context) is None else negated(node.test)
    nested = any(isinstance(each, cst.IfExp | cst.Lambda) for each in (node.body, node.orelse))
    if test is not None and not nested and not isinstance(test, cst.UnaryOperation):
        yield node, node.with_changes(test=test, body=node.orelse, orelse=node.body)


def is_guarding(node: cst.If, context: Context) -> bool:
    """Whether *node* asks for None, for truth or for a boundary, and then leaves."""
    asks = isinstance(node.test, cst.Comparison) or null_test(node.test, context) is not None
    return asks and isinstance(node.body, cst.IndentedBlock) and is_plain(node.body) and leaves(node.body)


def is_elif(node: cst.If, context: Context) -> bool:
    return getattr(context.parent(node), "orelse", None) is node


def is_plain(block: cst.IndentedBlock) -> bool:
    """Whether *block* is a few plain statements, with no comment that belongs to its header."""
    return is_short(block) and block.header.comment is None and not block.footer


def without_blanks(lines: Sequence[cst.EmptyLine]) -> Sequence[cst.EmptyLine]:
    """*lines* from the first comment on."""
    first = next((at for at, each in enumerate(lines) if each.comment is not None), len(lines))
    return lines[first:]
