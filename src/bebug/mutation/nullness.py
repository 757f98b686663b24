"""How code asks whether something is there, and what counts as a guard against its absence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import is_name
from bebug.mutation.scopes import dotted

LONGEST_GUARD = 3
LEAVING = (cst.Return, cst.Raise, cst.Continue, cst.Break)
ABSENT_IF = {cst.Is: True, cst.Equal: True, cst.IsNot: False, cst.NotEqual: False}


@dataclass(frozen=True, slots=True)
class NullTest:
    """A test of whether *subject* is there. *absent*: it is true where the subject is None.

    *strict*: it asks for None itself; otherwise for truth, of which None has none.
    """

    subject: cst.BaseExpression
    absent: bool
    strict: bool


def null_test(node: cst.BaseExpression, context: Context) -> NullTest | None:
    """What *node* tests for None or for truth, if it does that and nothing else."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        inner = null_test(node.expression, context)
        return NullTest(inner.subject, not inner.absent, inner.strict) if inner else None
    if isinstance(node, cst.Comparison):
        return _compared(node)
    if isinstance(node, cst.Call) and _asks_for_none_type(node, context):
        return NullTest(node.args[0].value, True, True) if is_reference(node.args[0].value) else None
    if dotted(node) and not is_name(node, "None", "True", "False"):
        return NullTest(node, False, False)
    return None


def _compared(node: cst.Comparison) -> NullTest | None:
    if len(node.comparisons) != 1:
        return None
    left, target = node.left, node.comparisons[0]
    absent = ABSENT_IF.get(type(target.operator))
    if absent is None or is_name(left, "None") == is_name(target.comparator, "None"):
        return None
    subject = target.comparator if is_name(left, "None") else left
    return NullTest(subject, absent, True) if is_reference(subject) else None


def _asks_for_none_type(node: cst.Call, context: Context) -> bool:
    if not context.calls(node, "builtins.isinstance") or len(node.args) != 2:
        return False
    kind = node.args[1].value
    if isinstance(kind, cst.Call):
        return context.calls(kind, "builtins.type") and [is_name(arg.value, "None") for arg in kind.args] == [
            True
        ]
    return context.origin(kind) == "types.NoneType"


def is_reference(node: cst.BaseExpression) -> bool:
    """Whether *node* only reads: a name, an attribute, an item, a `.get(...)`."""
    while True:
        if isinstance(node, cst.Name):
            return not is_name(node, "None", "True", "False")
        if isinstance(node, cst.Call):
            if not (isinstance(node.func, cst.Attribute) and node.func.attr.value == "get"):
                return False
            node = node.func.value
        elif isinstance(node, cst.Attribute | cst.Subscript):
            node = node.value
        else:
            return False


def statements(suite: cst.BaseSuite) -> Sequence[cst.BaseSmallStatement] | None:
    """The small statements of *suite*, or None if there are others in it."""
    if isinstance(suite, cst.SimpleStatementSuite):
        return suite.body
    if all(isinstance(line, cst.SimpleStatementLine) for line in suite.body):
        return [small for line in suite.body for small in line.body]  # type: ignore[union-attr]
    return None


def is_short(suite: cst.BaseSuite) -> bool:
    small = statements(suite)
    return small is not None and len(small) <= LONGEST_GUARD


def leaves(suite: cst.BaseSuite) -> bool:
    """Whether *suite* ends by leaving the block that it is in."""
    last = suite.body[-1]
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, LEAVING)


def is_guard(suite: cst.BaseSuite, subject: cst.BaseExpression) -> bool:
    """Whether *suite* shortly leaves, or gives *subject* a default."""
    small = statements(suite)
    if small is None or len(small) > LONGEST_GUARD:
        return False
    return leaves(suite) or (len(small) == 1 and _assigns(small[0], subject))


def _assigns(small: cst.BaseSmallStatement, subject: cst.BaseExpression) -> bool:
    if isinstance(small, cst.Assign):
        return any(same(each.target, subject) for each in small.targets)
    return isinstance(small, cst.AnnAssign) and same(small.target, subject)


def same(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether both read the same thing, written alike."""
    return (bool(dotted(one)) and dotted(one) == dotted(other)) or one.deep_equals(other)


def relies_on(subject: cst.BaseExpression, nodes: Iterable[cst.CSTNode], context: Context) -> bool:
    """Whether *nodes* need *subject* to have a value: they read parts of it, or compute with it."""
    name = dotted(subject)
    return bool(name) and any(
        isinstance(each, cst.Name | cst.Attribute) and dotted(each) == name and _needs_value(each, context)
        for node in nodes
        for each in context.within(node)
    )


def _needs_value(node: cst.CSTNode, context: Context) -> bool:
    parent = context.parent(node)
    if isinstance(parent, cst.Attribute | cst.Subscript):
        return parent.value is node
    if isinstance(parent, cst.For | cst.CompFor):
        return parent.iter is node
    if isinstance(parent, cst.Call):
        return parent.func is node
    return isinstance(parent, cst.BinaryOperation | cst.Arg)
