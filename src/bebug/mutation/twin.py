"""The slow twin of the splice: what a mutant means, worked out on LibCST's own tree, to hold it against."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import libcst as cst

from bebug.mutation.engine import Draft, Survey
from bebug.mutation.nodes import parenthesized
from bebug.mutation.sources import parse_module, unvalidated

BLANKS = (cst.BaseParenthesizableWhitespace, cst.TrailingWhitespace, cst.EmptyLine, cst.Newline)
MARKS = (cst.Comma, cst.Semicolon, cst.LeftParen, cst.RightParen)


def stretch(survey: Survey, draft: Draft) -> tuple[int, int]:
    """The characters of the statement that holds what *draft* replaces: its line, its comments, its body."""
    statement = survey.context.statement(draft.old)
    if isinstance(statement, cst.BaseSmallStatement):
        statement = survey.context.parent(statement) or statement
    place = survey.tree.places[statement]
    return place.start, min(place.end, len(survey.tree.text))


def difference(survey: Survey, draft: Draft) -> str:
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
        new = parenthesized(new)
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
