"""Dropped null check: what may be absent is used as if it were always there.

What it does: deletes a guard that leaves or sets a default, unwraps a checked block, drops a check from `and`
    and `or`, from a conditional expression or a comprehension, and the default from `or` and `.get`.
Why it hides: the code gets shorter and reads better, and works for every value but the missing one.
Seen in: optional arguments, look-ups that may find nothing, configuration, results of `re.match`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import is_name, plain_arguments, unwrapped
from bebug.mutation.nullness import (
    NullTest,
    is_guard,
    is_reference,
    is_short,
    leaves,
    null_test,
    relies_on,
    same,
)
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.scopes import dotted
from bebug.records import Claim

operator = Operator(
    __name__,
    claim=Claim.BREAKS,
    examples={
        "def f(x):\n    if x is None:\n        return 0\n    return x + 1\n": [
            "def f(x):\n    return x + 1\n"
        ],
        "def f(x):\n    if x == None: raise ValueError(x)\n": ["def f(x):\n    pass\n"],
        "def f(x):\n    if isinstance(x, type(None)):\n        return 0\n    return x\n": [
            "def f(x):\n    return x\n"
        ],
        "def f(x):\n    if not x:\n        return 0\n    return x[0]\n": ["def f(x):\n    return x[0]\n"],
        "for x in xs:\n    if x is None:\n        continue\n    use(x)\n": ["for x in xs:\n    use(x)\n"],
        "if x is None:\n    x = []\nuse(x)\n": ["use(x)\n"],
        "for x in xs:\n    if x is None:\n        break\n    elif x < 0: a()\n    else: b()\n": [
            "for x in xs:\n    if x < 0: a()\n    else: b()\n"
        ],
        "def f(x):\n    if x is None:\n        return 0\n    else:\n        return x.y\n": [
            "def f(x):\n    return x.y\n"
        ],
        "for x in xs:\n    if y: a()\n    elif x is None: break\n    else: x.b()\n": [
            "for x in xs:\n    if y: a()\n    else: x.b()\n"
        ],
        "if x is not None:\n    x.close()  # now\n": ["x.close()  # now\n"],
        "if a:\n    b()\nelif x is not None:\n    x.close()\n": ["if a:\n    b()\nelse:\n    x.close()\n"],
        "if x is not None:\n    y = x.y\nelse:\n    y = 0\n": ["y = x.y\n"],
        "x is not None and x > 0": ["x > 0"],
        "a and x is not None and x.b": ["a and x.b"],
        "x is None or f(x)": ["f(x)"],
        "x and x.y": ["x.y"],
        "not x or x.y": ["x.y"],
        "y = d if x is None else x": ["y = x"],
        "y = x.y if x is not None else d": ["y = x.y"],
        "y = x if x else d": ["y = x"],
        "[x.y for x in xs if x is not None]": ["[x.y for x in xs]"],
        "y = xs or []": ["y = xs"],
        "n = f(x or 0)": ["n = f(x)"],
        "y = x or DEFAULT": ["y = x"],
        "f = lambda x: x or []": ["f = lambda x: x"],
        "d.get(k, 0)": ["d.get(k)"],
    },
    untouched=[
        "if x is None:\n    a = 0\nelif x < 0:\n    a = 1\n",
        "if x is None:\n    return_early = 1\n    log(x)\n",
        "if not force:\n    f()\ng()\n",
        "def f(x):\n    if not x:\n        return 0\n    return 1\n",
        "if (m := g()) is None:\n    h()\n",
        "if x is not None:\n    a()\nelif y:\n    b()\n",
        "y = 'a' if x is None else 'b'",
        "x is None and y is None",
        "if a or b:\n    c()\n",
        "y = a or b",
        "y = a or None",
        "y = not (a or [])",
        "d.get(k)",
        "d.get(k, None)",
        "d.get(k, default=0)",
        "import requests\nrequests.get(url, data)",
        "queue.get(True, 5)",
        "a and b",
    ],
)

PLAIN_DEFAULTS = (cst.BaseNumber, cst.BaseString, cst.List, cst.Dict, cst.Set, cst.Tuple, cst.Call)
CONSTANT = re.compile(r"^_?[A-Z][A-Z0-9_]*$|(?i:default)")
NOT_A_MAPPING = re.compile(r"(client|session|requests?|http|api|app|queue|q|parser|redis)$", re.IGNORECASE)


@operator.on(cst.If)
def drop_the_guard(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """A guard that leaves, or sets a default, where something is missing is gone; an `elif` moves up."""
    test = null_test(node.test, context)
    if test is None or not test.absent or not is_guard(node.body, test.subject):
        return
    if not test.strict and not (
        same_as_assigned(node, test) or relies_on(test.subject, context.following(node), context)
    ):
        return
    if isinstance(node.orelse, cst.If) and not is_elif(node, context):
        yield node, node.orelse.with_changes(leading_lines=node.leading_lines)
    elif isinstance(node.orelse, cst.Else) and not is_elif(node, context):
        yield node, unwrapped(node, node.orelse.body)
    else:
        yield node, node.orelse or cst.RemoveFromParent()


def is_elif(node: cst.If, context: Context) -> bool:
    return getattr(context.parent(node), "orelse", None) is node


def same_as_assigned(node: cst.If, test: NullTest) -> bool:
    return not leaves(node.body) and is_guard(node.body, test.subject)


@operator.on(cst.If)
def unwrap_the_check(node: cst.If, context: Context) -> Iterator[Rewrite]:
    """What ran only where something was there runs always."""
    test = null_test(node.test, context)
    if test is None or test.absent or not test.strict:
        return
    if isinstance(node.orelse, cst.If) or (node.orelse and not is_short(node.orelse.body)):
        return
    if is_elif(node, context):
        yield node, cst.Else(node.body, leading_lines=node.leading_lines)
    elif not (leaves(node.body) and context.following(node)):
        yield node, unwrapped(node, node.body)


@operator.on(cst.BooleanOperation)
def drop_the_conjunct(node: cst.BooleanOperation, context: Context) -> Iterator[Rewrite]:
    """A check in front of `and` or `or` is gone, or one behind them."""
    absent = isinstance(node.operator, cst.Or)
    for operand, rest in ((node.left, node.right), (node.right, node.left)):
        test = null_test(operand, context)
        if test is None or test.absent != absent:
            continue
        if test.strict or relies_on(test.subject, what_follows(node, operand, context), context):
            yield node, rest


def what_follows(node: cst.BooleanOperation, operand: cst.CSTNode, context: Context) -> list[cst.CSTNode]:
    """What is evaluated after *operand* in a chain of one operator."""
    if operand is node.left:
        return [node.right]
    parent = context.parent(node)
    if not isinstance(parent, cst.BooleanOperation) or parent.left is not node:
        return []
    return [parent.right] if type(parent.operator) is type(node.operator) else []


@operator.on(cst.IfExp)
def drop_the_conditional(node: cst.IfExp, context: Context) -> Iterator[Rewrite]:
    """Of a conditional expression, the branch that uses the value is all that is left."""
    test = null_test(node.test, context)
    if test is None:
        return
    kept = node.orelse if test.absent else node.body
    mentions = any(same(each, test.subject) for each in context.within(kept))
    if mentions and (test.strict or same(kept, test.subject) or relies_on(test.subject, [kept], context)):
        yield node, kept


@operator.on(cst.CompFor)
def drop_the_filter(node: cst.CompFor, context: Context) -> Iterator[Rewrite]:
    """A comprehension no longer leaves out what is missing."""
    for each in node.ifs:
        test = null_test(each.test, context)
        if test is not None and test.strict and not test.absent:
            yield node, node.with_changes(ifs=[other for other in node.ifs if other is not each])


@operator.on(cst.BooleanOperation)
def drop_the_fallback(node: cst.BooleanOperation, context: Context) -> Iterator[Rewrite]:
    """`x or default`, used as a value, is only `x`."""
    if not isinstance(node.operator, cst.Or) or context.is_condition(node):
        return
    reads = isinstance(node.left, cst.Call) or is_reference(node.left) or is_either(node.left)
    if reads and is_default(node.right):
        yield node, node.left


def is_either(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or)


def is_default(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        name = dotted(node.func).rpartition(".")[2]
        return name[:1].isupper() or name in {"list", "dict", "set", "tuple", "str", "frozenset"}
    return isinstance(node, PLAIN_DEFAULTS) or bool(CONSTANT.search(dotted(node).rpartition(".")[2]))


@operator.on(cst.Call)
def drop_the_default(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """`.get(key, default)` gives None for a key that is not there."""
    arguments = plain_arguments(node)
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "get" or not arguments:
        return
    if (
        len(arguments) != 2
        or is_name(arguments[0].value, "True", "False")
        or is_name(arguments[1].value, "None")
    ):
        return
    owner = context.origin(node.func.value)
    if NOT_A_MAPPING.search(owner) or owner in context.modules:
        return
    key, default = arguments
    last = key.with_changes(comma=default.comma, whitespace_after_arg=default.whitespace_after_arg)
    yield node, node.with_changes(args=[last])
