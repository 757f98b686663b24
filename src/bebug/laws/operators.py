"""What every operator and control must keep to, whatever it does: checked on any source that one likes."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import libcst as cst

from bebug.mutation.diffs import spans, unified
from bebug.mutation.engine import Draft, Survey, mine, surveyed
from bebug.mutation.operator import Operator
from bebug.mutation.sources import parse_module, unvalidated
from bebug.records import Mutant

BLANKS = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Newline)
MARKS = (cst.Comma, cst.Semicolon, cst.LeftParen, cst.RightParen)


def check_operator(operator: Operator, path: str, raw: bytes, *, most: int | None = None) -> int:
    """Hold *operator* to its laws on the file *path* with the bytes *raw*; how many mutants were checked.

    *most*: check so many at most, spread evenly. Raises `AssertionError` with a diff; `Unreadable`.
    The laws: a mutant parses and compiles · it differs in syntax that bears meaning · it is the tree that the
    rule meant · the splice equals LibCST's own rendering of that tree · nothing outside its statement changes
    · mining twice gives the same in the same order · taking the edit back gives the file · keys are unique.
    """
    survey = surveyed(path, raw, [operator])
    mutants = [survey.mutant(draft) for draft in survey.drafts]
    again = mine(path, raw, [operator]).mutants
    assert tuple(mutants) == again, f"{operator.name} on {path}: mining twice gives different mutants"
    keys = {mutant.key for mutant in mutants}
    assert len(keys) == len(mutants), f"{operator.name} on {path}: two mutants share a key"
    every = max(1, len(mutants) // most) if most else 1
    chosen = list(zip(survey.drafts, mutants, strict=True))[::every][:most]
    for draft, mutant in chosen:
        broken = broken_law(survey, draft, mutant)
        shown = unified(path, raw, mutant.apply(raw)).decode("utf-8", "replace")
        assert not broken, f"{operator.name}/{draft.rule} on {path}: {broken}\n{shown}"
    return len(chosen)


def broken_law(survey: Survey, draft: Draft, mutant: Mutant) -> str:
    """Which law *mutant* breaks, in words; "" if none."""
    raw = survey.source.raw
    after = mutant.apply(raw)
    return (
        meaning_law(survey, draft) or site_law(survey, draft, mutant, after) or revert_law(mutant, raw, after)
    )


def meaning_law(survey: Survey, draft: Draft) -> str:
    """Three readings of the function (else the statement of the module) that holds the site are compared.

    Spliced (the text that the mutant has) against re-rendered (what LibCST prints of the tree with *old*
    swapped for *new*): equal as `ast` trees, so up to blanks, comments and needless parentheses. Spliced,
    parsed by LibCST, against the tree that was meant, before anything was printed: equal node by node but for
    blanks, commas, semicolons, parentheses and `pass`. Spliced against the original: not equal as trees.
    """
    whole = unit(survey, draft.old)
    place, text, edit = survey.tree.places[whole], survey.tree.text, draft.edit
    spliced = text[place.start : edit.start] + edit.text + text[edit.end : max(place.end, edit.end)]
    meant = swapped(whole, draft)
    rendered = "".join(survey.tree.render(node, place.indent) for node in meant)
    frame = "class _:\n" if place.indent else ""
    if not compiles(frame + spliced, like=frame + text[place.start : place.end]):
        return "the mutant does not compile"
    if dumped(frame + spliced) != dumped(frame + rendered):
        return "the splice is not what LibCST renders"
    if [shape(node) for node in parsed(frame + spliced, framed=bool(frame))] != [
        shape(node) for node in meant
    ]:
        return "the mutant does not parse to the tree that the rule meant"
    if dumped(frame + spliced) == dumped(frame + text[place.start : place.end]):
        return "nothing that bears meaning has changed"
    return ""


def unit(survey: Survey, node: cst.CSTNode) -> cst.CSTNode:
    """The outermost function around *node*, or the statement of the module or of a class that holds it."""
    around = [node, *survey.context.ancestors(node)]
    functions = [each for each in around[1:] if isinstance(each, cst.FunctionDef)]
    return functions[-1] if functions else around[-2]


class _Swap(cst.CSTTransformer):
    def __init__(self, old: cst.CSTNode, new: object) -> None:
        super().__init__()
        self._old = old
        self._new = new

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        return self._new if original_node is self._old else updated_node


def swapped(whole: cst.CSTNode, draft: Draft) -> list[cst.CSTNode]:
    """*whole* with the rewrite made in the tree by LibCST alone, as one operand."""
    new: object = draft.new
    if isinstance(new, cst.FlattenSentinel):
        new = cst.FlattenSentinel([each for each in new if not isinstance(each, cst.EmptyLine)])
    elif isinstance(new, cst.BaseExpression):
        new = new.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    with unvalidated():  # blanks that the neighbours of *new* need are the splice's to add
        result: object = whole.visit(_Swap(draft.old, new))
    if isinstance(result, cst.FlattenSentinel):
        return list(result)
    return [result] if isinstance(result, cst.CSTNode) else []


def parsed(text: str, *, framed: bool) -> Sequence[cst.CSTNode]:
    body = parse_module(text).body
    return body[0].body.body if framed and isinstance(body[0], cst.ClassDef) else body


def compiles(text: str, *, like: str) -> bool:
    """Whether *text* compiles; a text that does not though its original *like* does not either is excused."""
    for each in (text, like):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(each, "<mutant>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        return each is text
    return True


def dumped(text: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.dump(_Flat().visit(ast.parse(text)))


class _Flat(ast.NodeTransformer):
    """Writes `(a and b) and c` as `a and b and c`, which means the same."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        self.generic_visit(node)
        values: list[ast.expr] = []
        for each in node.values:
            alike = isinstance(each, ast.BoolOp) and type(each.op) is type(node.op)
            values += each.values if alike and isinstance(each, ast.BoolOp) else [each]
        node.values = values
        return node


def shape(node: cst.CSTNode) -> list[object]:
    values = (getattr(node, each.name) for each in fields(node) if each.name != "indent")
    return [type(node).__name__, *(part for value in values for part in parts(value))]


def parts(value: object) -> Iterator[object]:
    if isinstance(value, BLANKS + MARKS) or is_pass(value):
        return
    if isinstance(value, list | tuple):
        for each in value:
            yield from parts(each)
    elif isinstance(value, cst.CSTNode):
        yield shape(value)
    elif isinstance(value, str):
        yield value


def is_pass(value: object) -> bool:
    """`pass`, which LibCST prints for an emptied block, and which never means anything."""
    if isinstance(value, cst.SimpleStatementLine):
        return all(isinstance(each, cst.Pass) for each in value.body)
    return isinstance(value, cst.Pass)


def site_law(survey: Survey, draft: Draft, mutant: Mutant, after: bytes) -> str:
    """The edit lies within the statement that holds the node, its comments and the blank lines around it."""
    statement = survey.context.statement(draft.old)
    if isinstance(statement, cst.BaseSmallStatement):
        statement = survey.context.parent(statement) or statement
    place, text = survey.tree.places[statement], survey.tree.text
    beyond = text[place.end : max(place.end, draft.edit.end)]
    if draft.edit.start < place.start or beyond.strip():
        return "the edit leaves the statement that holds its site"
    (edit,) = mutant.edits
    kept = len(survey.source.raw) - (edit.end - edit.start)
    if len(after) != kept + len(edit.text) or not after.startswith(survey.source.raw[: edit.start]):
        return "the edit changes bytes outside its range"
    lines = survey.source.line(place.start), survey.source.line(max(place.start, place.end - 1))
    if not lines[0] <= mutant.site.start_line <= mutant.site.end_line:
        return "the site names lines where nothing changes"
    return ""


def revert_law(mutant: Mutant, raw: bytes, after: bytes) -> str:
    """Taking the edit back gives the file, to the byte."""
    (edit,) = mutant.edits
    back = after[: edit.start] + raw[edit.start : edit.end] + after[edit.start + len(edit.text) :]
    if back != raw:
        return "taking the edit back does not give the file"
    return "" if spans(raw, after) else "no line differs"
