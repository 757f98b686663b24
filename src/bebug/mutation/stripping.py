"""Weakening a test function: some of its assertions gone, its calls still made, and nothing left over.

What is left is what somebody would write who forgot to assert: no unused local that a linter would see, no
name that is read but no longer bound, no import that only the lost assertions used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import libcst as cst

from bebug.mutation.assertions import Assertions, call_of, last_name
from bebug.mutation.calls import alone, bare_calls, breaks_lines, is_worth_it
from bebug.mutation.context import Context
from bebug.mutation.locals import bound, read, statements, visited, without_dead_locals

Statement: TypeAlias = cst.BaseStatement


def is_test(node: cst.FunctionDef) -> bool:
    """Whether pytest takes a function of this name for a test, by its own defaults."""
    return node.name.value.startswith("test")


@lru_cache(maxsize=1)
def weakener(context: Context) -> Weakener:
    """The weakener of the file that *context* is of."""
    return Weakener(assertions=Assertions(context, context.module), context=context)


@dataclass(frozen=True, kw_only=True, eq=False)
class Weakener:
    """Weakens test functions of one file. *assertions* tells what asserts in it."""

    assertions: Assertions
    context: Context

    def stripped(self, function: cst.FunctionDef) -> cst.FunctionDef | None:
        """*function* with every assertion turned into its bare calls; None where it has neither."""
        marks = list(self.assertions.within(function))
        new = self._without(function, marks, keep_calls=True) if marks else None
        if new is None or not is_worth_it(new.body) or self.assertions.still_in(new):
            return None
        return new

    def emptied(self, function: cst.FunctionDef) -> cst.FunctionDef | None:
        """*function* with all of its several assertions deleted, with what they call."""
        marks = list(self.assertions.within(function))
        new = self._without(function, marks, keep_calls=False) if len(marks) > 1 else None
        return None if new is None or self.assertions.still_in(new) else new

    def without_one(self, function: cst.FunctionDef, mark: cst.CSTNode) -> cst.FunctionDef | None:
        """*function* with the assertion *mark* deleted; its calls stay only where nothing else would."""
        new = self._without(function, [mark], keep_calls=False)
        return new if new is not None else self._without(function, [mark], keep_calls=True)

    def _without(
        self, function: cst.FunctionDef, marks: Sequence[cst.CSTNode], *, keep_calls: bool
    ) -> cst.FunctionDef | None:
        strip = _Strip(self.assertions, self.context, marks, keep_calls=keep_calls)
        stripped = visited(function, strip, self._holding(function, marks))
        if isinstance(stripped.body, cst.IndentedBlock) and isinstance(function.body, cst.IndentedBlock):
            stripped = stripped.with_changes(body=unpadded(function.body, stripped.body))
        new = None if strip.torn else without_dead_locals(function, stripped)
        if new is None or is_idle(new) or self._breaks_names(function, new):
            return None
        return new

    def _holding(self, function: cst.FunctionDef, marks: Collection[cst.CSTNode]) -> Collection[cst.CSTNode]:
        """The statements of *function* that *marks* stand in."""
        around = {each for mark in marks for each in (mark, *self.context.ancestors(mark))}
        return around.intersection(statements(function))

    def _breaks_names(self, old: cst.FunctionDef, new: cst.FunctionDef) -> bool:
        """Whether *new* reads a local that nothing binds any more, or leaves an import of the file unused."""
        lost = bound(old) - bound(new)
        if lost & set(read(new)):
            return True
        gone = read(old)
        gone.subtract(read(new))
        lonely = {name for name, n in gone.items() if n > 0} & self.context.imported - set(read(new))
        return any(self._reads[name] <= gone[name] for name in lonely)

    @cached_property
    def _reads(self) -> Counter[str]:
        return read(self.context.module)


class _Strip(cst.CSTTransformer):
    """Takes the assertions *marks* out, leaving their bare calls where *keep_calls*."""

    def __init__(
        self, assertions: Assertions, context: Context, marks: Collection[cst.CSTNode], *, keep_calls: bool
    ) -> None:
        super().__init__()
        self._assertions, self._context = assertions, context
        self._marks, self._keep_calls = set(marks), keep_calls
        self.torn = False
        """Whether a call was left that only parentheses around it let run over several lines."""

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return unpadded(original_node, updated_node)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Statement | cst.FlattenSentinel[Statement] | cst.RemovalSentinel:
        if not self._marks.intersection(original_node.body):
            return updated_node
        left: list[cst.BaseSmallStatement | cst.Try] = []
        for old, new in zip(original_node.body, updated_node.body, strict=True):
            left += self._left(old) if old in self._marks else [new]
        if not left:
            return cst.RemoveFromParent()
        small = [loose(each) for each in left if not isinstance(each, cst.Try)]
        if len(original_node.body) > 1 and len(small) == len(left):  # they shared a line, and still do
            return updated_node.with_changes(body=small)
        lines = [each if isinstance(each, cst.Try) else line_of(each) for each in left]
        return cst.FlattenSentinel(led_by(updated_node.leading_lines, lines))

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.SimpleStatementSuite:
        if not self._marks.intersection(original_node.body):
            return updated_node
        left: list[cst.BaseSmallStatement] = []
        for old, new in zip(original_node.body, updated_node.body, strict=True):
            found = self._left(old) if old in self._marks else [new]
            left += [loose(each) for each in found if isinstance(each, cst.BaseSmallStatement)]
        return updated_node.with_changes(body=left or [cst.Pass()])

    def leave_With(
        self, original_node: cst.With, updated_node: cst.With
    ) -> Statement | cst.FlattenSentinel[Statement] | cst.RemovalSentinel:
        if original_node not in self._marks:
            return updated_node
        if not self._keep_calls:
            return cst.RemoveFromParent()
        kept, errors = [], []
        for old, item in zip(original_node.items, updated_node.items, strict=True):
            call = self._assertions.of(old)
            if call is None:
                kept.append(item)
            elif self._assertions.is_raising(call) and call.args:
                errors.append(call.args[0].value)
        body: cst.BaseSuite = updated_node.body
        if errors:
            body = cst.IndentedBlock([suppressed(body, errors[0])])
        if kept:
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            return updated_node.with_changes(items=kept, body=body)
        left = loosened(body)
        if not left:
            return cst.RemoveFromParent()
        return cst.FlattenSentinel(led_by(updated_node.leading_lines, left))

    def _left(self, statement: cst.CSTNode) -> Sequence[cst.BaseSmallStatement | cst.Try]:
        """What stays of an asserting statement."""
        if not self._keep_calls:
            return ()
        if isinstance(statement, cst.Assert):
            return self._lifted(statement.test)
        call = call_of(statement)
        if call is None or self._assertions.is_failing(call) or self._assertions.is_noticing(call):
            return ()
        if self._assertions.is_raising(call):  # `assertRaises(E, f, x)`
            return attempt(call)
        return [each for arg in call.args for each in self._lifted(arg.value)]

    def _lifted(self, value: cst.BaseExpression) -> Sequence[cst.BaseSmallStatement]:
        """The bare calls of *value* as statements, each moved left with all of its lines."""
        calls = list(bare_calls(value))
        self.torn |= any(map(breaks_lines, calls))
        return [as_statement(moved_left(alone(each), self._context.shift(each))) for each in calls]


def attempt(call: cst.Call) -> Sequence[cst.Try]:
    """What `assertRaises(E, f, x)` calls, with E caught and forgotten; nothing where that cannot be told."""
    at = 1 if last_name(call.func) in ("raises", "assertRaises") else 2  # others expect a text first
    if len(call.args) <= at or any(each.star or each.keyword for each in call.args[: at + 1]):
        return ()
    error, function, args = call.args[0], call.args[at].value, list(call.args[at + 1 :])
    if args:
        args[-1] = args[-1].with_changes(
            comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace("")
        )
    if isinstance(function, cst.Lambda) and not args:
        made = function.body
    elif isinstance(function, cst.Name | cst.Attribute):
        made = cst.Call(function, args)
    else:
        return ()
    return [suppressed(cst.IndentedBlock([cst.SimpleStatementLine([cst.Expr(made)])]), error.value)]


def unpadded(old: cst.IndentedBlock, new: cst.IndentedBlock) -> cst.IndentedBlock:
    """*new*, which does not begin with a blank line because the first statement of *old* went."""
    if not new.body or starts_blank(old.body[0]) or not starts_blank(new.body[0]):
        return new
    first, *rest = new.body
    while starts_blank(first):
        first = first.with_changes(leading_lines=lines_above(first)[1:])
    return new.with_changes(body=[first, *rest])


def moved_left(node: cst.BaseExpression, by: int) -> cst.BaseExpression:
    """*node* with the lines that it breaks into *by* characters further left, where each has room for it."""
    mover = _Mover(by)
    moved = node.visit(mover)
    return moved if mover.fits and isinstance(moved, cst.BaseExpression) else node


class _Mover(cst.CSTTransformer):
    def __init__(self, by: int) -> None:
        super().__init__()
        self._by = by
        self.fits = True

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        blanks = updated_node.last_line.value
        self.fits &= updated_node.indent and len(blanks) >= self._by
        return updated_node.with_changes(last_line=cst.SimpleWhitespace(blanks[self._by :]))


def starts_blank(statement: cst.CSTNode) -> bool:
    """Whether the first of the lines above *statement* that belong to it is blank."""
    lines = lines_above(statement)
    return bool(lines) and lines[0].comment is None


def lines_above(statement: cst.CSTNode) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def as_statement(value: cst.BaseExpression) -> cst.BaseSmallStatement:
    """*value* as a statement; `(a := b)` as the assignment that it is."""
    if isinstance(value, cst.NamedExpr) and isinstance(value.target, cst.Name):
        return cst.Assign([cst.AssignTarget(value.target)], value.value)
    return cst.Expr(value)


def suppressed(body: cst.BaseSuite, error: cst.BaseExpression) -> cst.Try:
    """*body* with *error* caught and forgotten."""
    handler = cst.ExceptHandler(body=cst.IndentedBlock([cst.SimpleStatementLine([cst.Pass()])]), type=error)
    return cst.Try(body=body, handlers=[handler])


def loosened(body: cst.BaseSuite) -> list[Statement]:
    """The statements of *body*, each of which may stand on lines of its own."""
    if isinstance(body, cst.IndentedBlock):
        return list(body.body)
    return [line_of(each) for each in body.body if isinstance(each, cst.BaseSmallStatement)]


def line_of(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([loose(statement)])


def loose(statement: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
    """*statement* without the semicolon after it."""
    return statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)


def led_by(leading: Sequence[cst.EmptyLine], lines: Sequence[Statement]) -> list[Statement]:
    """*lines*, the blank lines and comments *leading* above the first of them."""
    first = lines[0]
    return [first.with_changes(leading_lines=[*leading, *lines_above(first)]), *lines[1:]]


def is_idle(function: cst.FunctionDef) -> bool:
    """Whether nothing is left of *function*, or of a block in it, but `pass` and a docstring."""
    blocks = _Blocks()
    function.visit(blocks)
    return blocks.idle


class _Blocks(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.idle = False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        lines = node.body.body
        doing = [each for each in lines if not is_filler(each)]
        self.idle |= not doing

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:
        self.idle |= not node.body


def is_filler(node: cst.CSTNode) -> bool:
    """`pass`, `...` and strings: statements that do nothing."""
    if isinstance(node, cst.SimpleStatementLine):
        return all(is_filler(each) for each in node.body)
    if isinstance(node, cst.Expr):
        return isinstance(node.value, cst.BaseString | cst.Ellipsis)
    return isinstance(node, cst.Pass)
