"""From "this node becomes that one" to "these characters become those", with every other one left alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from bebug.mutation.operator import Replacement
from bebug.mutation.precedence import fitted
from bebug.mutation.sources import LINE_END
from bebug.mutation.tree import Place, Tree

BLANK_LINE = re.compile(r"[ \t\f]*(?:\r\n|\r|\n)")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace the characters [start, end) of a file's text by *text*."""

    start: int
    end: int
    text: str


class Unspliceable(Exception):
    """This replacement has no place in the text: only statements can be removed, or become several."""


def splice(tree: Tree, old: cst.CSTNode, new: Replacement) -> TextEdit:
    """The smallest edit that makes *new* of *old*. Raises `Unspliceable`."""
    if isinstance(new, cst.RemovalSentinel):
        edit = removal(tree, old)
    elif isinstance(new, cst.FlattenSentinel):
        edit = flattening(tree, old, list(new))
    else:
        edit = replacement(tree, old, new)
    return smallest(tree.text, edit)


def smallest(text: str, edit: TextEdit) -> TextEdit:
    """*edit* without what both sides share at its ends."""
    old, new = text[edit.start : edit.end], edit.text
    head = common_prefix(old, new)
    tail = common_prefix(old[head:][::-1], new[head:][::-1])
    return TextEdit(edit.start + head, edit.end - tail, new[head : len(new) - tail])


def rightmost(text: str, edit: TextEdit) -> TextEdit:
    """Of all edits that make the same of *text*, *edit* being a smallest one, that furthest to the right."""
    start, end, new = edit.start, edit.end, edit.text
    while not new and start < end < len(text) and text[start] == text[end]:
        start, end = start + 1, end + 1
    while start == end < len(text) and new and new[0] == text[start]:
        start, end, new = start + 1, end + 1, new[1:] + new[0]
    return TextEdit(start, end, new)


def common_prefix(one: str, other: str) -> int:
    size = min(len(one), len(other))
    return next((at for at in range(size) if one[at] != other[at]), size)


# ---------------------------------------------------------------------------------------- node for node


def replacement(tree: Tree, old: cst.CSTNode, new: cst.CSTNode) -> TextEdit:
    place = tree.places[old]
    if isinstance(old, cst.BaseExpression) and isinstance(new, cst.BaseExpression):
        broken = LINE_END.search(tree.render(new)) is not None
        new = fitted(new, old, place.parent, broken=broken)
    branch = isinstance(new, cst.If) and is_branch(place, old)
    text = tree.render(new, place.indent, is_elif=branch)
    return spaced(tree.text, within(tree, place.start, place.end, text))


def within(tree: Tree, start: int, end: int, text: str) -> TextEdit:
    """The edit, where the file lacks the last line's end that the nodes have."""
    if end > len(tree.text):
        text = text.removesuffix(tree.module.default_newline)
        end = len(tree.text)
    return TextEdit(start, end, text)


def spaced(text: str, edit: TextEdit) -> TextEdit:
    """*edit* with a space wherever two tokens would otherwise run together."""
    before, after, new = text[edit.start - 1 : edit.start], text[edit.end : edit.end + 1], edit.text
    if clash(before, new[:1]) or (before == "{" == new[:1]):
        new = " " + new
    if clash(new[-1:], after):
        new += " "
    return TextEdit(edit.start, edit.end, new)


def clash(left: str, right: str) -> bool:
    return wordy(left) and wordy(right)


def wordy(char: str) -> bool:
    return char == "_" or char.isalnum() or char > "\x7f"


# ------------------------------------------------------------------------------------------- statements


def is_branch(place: Place, node: cst.CSTNode) -> bool:
    """Whether *node* is the `elif` or `else` of its parent."""
    return getattr(place.parent, "orelse", None) is node


def siblings(place: Place) -> Sequence[cst.CSTNode]:
    body = getattr(place.parent, "body", ())
    return body if isinstance(body, list | tuple) else ()


def flattening(tree: Tree, old: cst.CSTNode, new: Sequence[cst.CSTNode]) -> TextEdit:
    """*old*, a statement of a block, becomes the statements *new* (and the comment lines among them)."""
    place = tree.places[old]
    if not isinstance(old, cst.BaseStatement) or is_branch(place, old):
        raise Unspliceable(f"a {type(old).__name__} cannot become several statements")
    if not new:
        return removal(tree, old)
    text = "".join(tree.render(node, place.indent) for node in new)
    return within(tree, place.start, place.end, text)


def removal(tree: Tree, old: cst.CSTNode) -> TextEdit:
    place = tree.places[old]
    if isinstance(old, cst.BaseSmallStatement):
        return small_removal(tree, old, place)
    if is_branch(place, old):
        return TextEdit(place.start, min(place.end, len(tree.text)), "")
    if not isinstance(old, cst.BaseStatement):
        raise Unspliceable(f"a {type(old).__name__} cannot be removed")
    if len(siblings(place)) == 1 and isinstance(place.parent, cst.IndentedBlock):
        return emptied(tree, old, place)
    return line_removal(tree, old, place)


def small_removal(tree: Tree, old: cst.BaseSmallStatement, place: Place) -> TextEdit:
    """`b` of `a; b; c` goes with one semicolon; alone on a line, the line; alone in a suite, for `pass`."""
    body = siblings(place)
    if len(body) == 1:
        if isinstance(place.parent, cst.SimpleStatementLine):
            return removal(tree, place.parent)
        return TextEdit(place.inner_start, place.inner_end, "pass")
    if old is body[-1]:
        return TextEdit(tree.places[body[-2]].inner_end, place.inner_end, "")
    return TextEdit(place.start, place.end, "")


def emptied(tree: Tree, old: cst.BaseStatement, place: Place) -> TextEdit:
    """`pass` in place of a block's only statement, ending as the first line of that ended."""
    end = min(place.end, len(tree.text))
    ending = LINE_END.search(tree.text, place.inner_start, end)
    text = place.indent + "pass" + (ending.group() if ending else "")
    return TextEdit(own_start(tree, old, place), end, text)


def line_removal(tree: Tree, old: cst.BaseStatement, place: Place) -> TextEdit:
    """A statement goes with the comments right above it, and leaves one run of blank lines, not two."""
    start, end = own_start(tree, old, place), min(place.end, len(tree.text))
    if BLANK_LINE.match(tree.text, end):
        above = blanks_above(tree, old)
        if above is not None:
            start = above
        elif siblings(place)[0] is old:
            while blank := BLANK_LINE.match(tree.text, end):
                end = blank.end()
    return TextEdit(start, end, "")


def own_comments(old: cst.BaseStatement) -> int:
    """The index, among its leading lines, of the first comment that stands right above *old*."""
    lines: Sequence[cst.EmptyLine] = getattr(old, "leading_lines", ())
    own = len(lines)
    while own and lines[own - 1].comment is not None:
        own -= 1
    return own


def own_start(tree: Tree, old: cst.BaseStatement, place: Place) -> int:
    lines: Sequence[cst.EmptyLine] = getattr(old, "leading_lines", ())
    own = own_comments(old)
    if own < len(lines):
        return tree.places[lines[own]].start
    return tree.places[lines[-1]].end if lines else place.start


def blanks_above(tree: Tree, old: cst.BaseStatement) -> int | None:
    """Where the run of blank lines above *old* and its comments starts, if there is one."""
    lines: Sequence[cst.EmptyLine] = getattr(old, "leading_lines", ())
    own = start = own_comments(old)
    while start and lines[start - 1].comment is None:
        start -= 1
    return tree.places[lines[start]].start if start < own else None
