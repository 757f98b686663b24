"""Off by one: a boundary moved by a single step.

What it does: widens or narrows an ordering comparison; moves a bound of a `range` or a slice, a constant
    index, a length, the start of an `enumerate`, or the counter of a `while`.
Why it hides: one character changes, the types stay right, and only an input on the very edge can tell.
Seen in: pagination, slicing, parsers that walk over a text, retry loops, date windows.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.nodes import integer, is_on_one_line, plain_arguments, retyped, stepped
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.style import spaced, style
from bebug.records import Claim

operator = Operator(
    __name__,
    claim=Claim.BREAKS,
    version=2,
    examples={
        "i < n": ["i <= n"],
        "i >= n": ["i > n"],
        "lo <= x < hi": ["lo < x < hi", "lo <= x <= hi"],
        "range(n)": ["range(n + 1)", "range(n - 1)"],
        "range(n - 1)": ["range(n)", "range(n - 2)"],
        "range(10)": ["range(11)", "range(9)"],
        "range(a if b else c)": ["range((a if b else c) + 1)", "range((a if b else c) - 1)"],
        "range(0, n)": ["range(1, n)", "range(0, n + 1)", "range(0, n - 1)"],
        "range(i, 5, 2)": ["range(i + 1, 5, 2)", "range(i - 1, 5, 2)", "range(i, 6, 2)", "range(i, 4, 2)"],
        "range(n - 1, -1, -1)": [
            "range(n, -1, -1)",
            "range(n - 2, -1, -1)",
            "range(n - 1, 0, -1)",
            "range(n - 1, -2, -1)",
        ],
        "xs[:n]": ["xs[:n + 1]", "xs[:n - 1]"],
        "xs[1:-1]": ["xs[2:-1]", "xs[0:-1]", "xs[1:]", "xs[1:-2]"],
        "xs[i + 1:]": ["xs[i + 2:]", "xs[i:]"],
        'd["k"] = xs[:n]': ['d["k"] = xs[: n + 1]', 'd["k"] = xs[: n - 1]'],
        "xs[i + 1 : -1]": ["xs[i + 2 : -1]", "xs[i:-1]", "xs[i + 1 : -2]", "xs[i + 1 :]"],
        "xs[a+b:n] = 'b'": [
            "xs[a+b+1:n] = 'b'",
            "xs[a+b-1:n] = 'b'",
            "xs[a+b:n+1] = 'b'",
            "xs[a+b:n-1] = 'b'",
        ],
        "xs[0]": ["xs[1]"],
        "xs[-1]": ["xs[-2]"],
        "xs[0x10]": ["xs[0x11]", "xs[0x0f]"],
        "xs[1_000]": ["xs[1_001]", "xs[999]"],
        "xs[i - 1]": ["xs[i]", "xs[i - 2]"],
        "i < len(xs)": ["i <= len(xs)", "i < len(xs) - 1"],
        "i <= len(xs)": ["i < len(xs)", "i <= len(xs) + 1"],
        "len(xs) > 0": ["len(xs) >= 0", "len(xs) > 1"],
        "len(xs) < n": ["len(xs) <= n", "len(xs) < n - 1"],
        "len(xs) == 2": ["len(xs) == 3", "len(xs) == 1"],
        "i == len(xs)": ["i == len(xs) + 1", "i == len(xs) - 1"],
        "xs[len(ys)]": ["xs[len(ys) - 1]"],
        "range(len(xs))": ["range(len(xs) + 1)", "range(len(xs) - 1)"],
        "enumerate(xs)": ["enumerate(xs, 1)"],
        "enumerate(xs, 1)": ["enumerate(xs, 2)", "enumerate(xs, 0)"],
        "enumerate(xs, start=n)": ["enumerate(xs, start=n + 1)", "enumerate(xs, start=n - 1)"],
        "i = 0\nwhile i < n:\n    i += 1": [
            "i = 1\nwhile i < n:\n    i += 1",
            "i = 0\nwhile i <= n:\n    i += 1",
            "i = 0\nwhile i < n:\n    i += 2",
        ],
        "f'{i < n}'": ["f'{i <= n}'"],
        "match m:\n    case [1, x] if x > 2:\n        pass": [
            "match m:\n    case [1, x] if x >= 2:\n        pass"
        ],
    },
    untouched=[
        "a == b",
        "x = 1",
        "f(1)",
        "i += 1",
        "range(*n)",
        "grid.range(n)",
        "from np import range\nrange(n)",
        "def f(range):\n    return range(3)",
        "'i < n'",
        "xs[:]",
        "xs[::2]",
        "xs[True]",
        "xs['a']",
        "xs[i]",
        "len(xs)",
        "len(xs) == len(ys)",
        "len(xs) == n",
        "A, B, C = range(3)",
        "x: Literal[1, 2] = 3",
        "match m:\n    case [1, x]:\n        pass",
        "import sys\nnew = sys.version_info >= (3, 12)",
    ],
)

STEP: dict[type[cst.CSTNode], type[cst.CSTNode]] = {
    cst.LessThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.LessThan,
    cst.GreaterThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.GreaterThan,
}
# Moving a length to the right of such an operator by this much is not what moving the operator itself does.
UNLIKE_STEP: dict[type[cst.CSTNode], tuple[int, ...]] = {
    cst.LessThan: (-1,),
    cst.LessThanEqual: (1,),
    cst.GreaterThan: (1,),
    cst.GreaterThanEqual: (-1,),
    cst.Equal: (1, -1),
    cst.NotEqual: (1, -1),
}
BOTH = (1, -1)
NEAR = 5  # statements below a counter's start in which its loop is looked for
Move = tuple[cst.BaseExpression, cst.BaseExpression]


def moves(node: cst.BaseExpression, context: Context, steps: tuple[int, ...] = BOTH) -> Iterator[Move]:
    for step in steps:
        if (moved := stepped(node, step, tight=style(context).tight)) is not None:
            yield node, moved


def moves_from_one_end(node: cst.BaseExpression, context: Context) -> Iterator[Move]:
    """The moves of a position in a sequence, less that from its last element to its first."""
    tight = style(context).tight_index
    for step in BOTH:
        moved = stepped(node, step, tight=tight)
        if moved is not None and not (integer(node) == -1 and integer(moved) == 0):
            yield node, moved


@operator.on(cst.Comparison)
def step_the_boundary(node: cst.Comparison, context: Context) -> Iterator[Rewrite]:
    """An ordering comparison becomes strict, or stops being so; each operator of a chain by itself."""
    for target in node.comparisons:
        if kind := STEP.get(type(target.operator)):
            yield target.operator, retyped(target.operator, kind)


@operator.on(cst.Comparison)
def step_the_length(node: cst.Comparison, context: Context) -> Iterator[Rewrite]:
    """A length in a comparison is one more or less, or the number that it is compared with is."""
    if len(node.comparisons) != 1:
        return
    left, kind, right = node.left, type(node.comparisons[0].operator), node.comparisons[0].comparator
    steps = UNLIKE_STEP.get(kind, ())
    left_is_length = context.calls(left, "builtins.len")
    right_is_length = context.calls(right, "builtins.len")
    ordered = kind in STEP or integer(right) is not None
    if left_is_length != right_is_length and (right_is_length or ordered):
        yield from moves(right, context, steps)


@operator.on(cst.Call)
def stretch_the_range(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """The start or the stop of a `range` moves by one."""
    arguments = plain_arguments(node)
    if not arguments or not context.calls(node, "builtins.range") or is_unpacked(node, context):
        return
    for argument in arguments[:2]:
        yield from moves(argument.value, context)


def is_unpacked(node: cst.Call, context: Context) -> bool:
    """Whether *node* gives numbers to names, as in `A, B = range(2)`: another count can never run."""
    parent = context.parent(node)
    return isinstance(parent, cst.Assign) and any(
        isinstance(each.target, cst.Tuple | cst.List) for each in parent.targets
    )


@operator.on(cst.Slice)
def move_the_slice(node: cst.Slice, context: Context) -> Iterator[Rewrite]:
    """A bound of a slice moves by one; a last element that was cut off stays."""
    tidied = spaced if style(context).black and is_on_one_line(node) else None
    if node.lower is not None:
        for old, new in moves_from_one_end(node.lower, context):
            yield (node, tidied(node.with_changes(lower=new))) if tidied else (old, new)
    if node.upper is None:
        return
    for old, new in moves_from_one_end(node.upper, context):
        if integer(new) != 0:
            yield (node, tidied(node.with_changes(upper=new))) if tidied else (old, new)
    if integer(node.upper) == -1:
        shorter = node.with_changes(upper=None)
        yield node, tidied(shorter) if tidied else shorter


@operator.on(cst.Index)
def move_the_index(node: cst.Index, context: Context) -> Iterator[Rewrite]:
    """A constant index, an offset in an index, or a length used as one moves by one."""
    value = node.value
    if integer(value) is not None or offset(value) is not None:
        yield from moves_from_one_end(value, context)
    elif context.calls(value, "builtins.len"):
        moved = stepped(value, -1, tight=style(context).tight_index)
        if moved is not None:
            yield value, moved


def offset(node: cst.BaseExpression) -> int | None:
    """The literal that *node* adds or takes, if that is what it does."""
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Add | cst.Subtract):
        return None
    return integer(node.right)


@operator.on(cst.Call)
def shift_the_numbering(node: cst.Call, context: Context) -> Iterator[Rewrite]:
    """An `enumerate` starts to count one later or earlier."""
    if not node.args or any(arg.star for arg in node.args) or not context.calls(node, "builtins.enumerate"):
        return
    if len(node.args) == 2:
        yield from moves(node.args[1].value, context)
    elif node.args[0].keyword is None:
        first = node.args[0].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        yield node, node.with_changes(args=[first, cst.Arg(cst.Integer("1"))])


@operator.on(cst.Assign)
def start_the_counter_late(node: cst.Assign, context: Context) -> Iterator[Rewrite]:
    """The counter of a `while` below starts one off; never below zero."""
    if len(node.targets) != 1 or not isinstance(node.targets[0].target, cst.Name):
        return
    name = node.targets[0].target.value
    for statement in context.following(node)[:NEAR]:
        if isinstance(statement, cst.While):
            if name in counters(statement, context):
                yield from moves(node.value, context)
            return
        if rebinds(statement, name, context):
            return


@operator.on(cst.AugAssign)
def lengthen_the_stride(node: cst.AugAssign, context: Context) -> Iterator[Rewrite]:
    """The counter of a `while` that ends at a boundary takes one step too many."""
    if not isinstance(node.target, cst.Name) or integer(node.value) is None:
        return
    loop = next(
        (each for each in context.ancestors(node) if isinstance(each, cst.While | cst.FunctionDef)), None
    )
    if isinstance(loop, cst.While) and node.target.value in counters(loop, context):
        yield from moves(node.value, context, (1,))


def counters(loop: cst.While, context: Context) -> set[str]:
    """The names that *loop* holds against a boundary and steps by a constant."""
    bounded = {
        operand.value
        for each in context.within(loop.test)
        if isinstance(each, cst.Comparison) and type(each.comparisons[0].operator) in STEP
        for operand in (each.left, *(target.comparator for target in each.comparisons))
        if isinstance(operand, cst.Name)
    }
    stepping = {
        each.target.value
        for each in context.within(loop.body)
        if isinstance(each, cst.AugAssign)
        and isinstance(each.target, cst.Name)
        and isinstance(each.operator, cst.AddAssign | cst.SubtractAssign)
        and integer(each.value) is not None
    }
    return bounded & stepping


def rebinds(statement: cst.CSTNode, name: str, context: Context) -> bool:
    return any(
        isinstance(each, cst.AssignTarget) and name in context.names(each)
        for each in context.within(statement)
    )
