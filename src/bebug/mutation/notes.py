"""Notes: what a rewrite did, in half a sentence, for whoever may know the truth of a case."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from bebug.mutation.locals import statements
from bebug.mutation.sources import LINE_END
from bebug.mutation.splice import common_prefix
from bebug.mutation.stripping import loose, weakener
from bebug.records import Claim

if TYPE_CHECKING:
    from bebug.mutation.engine import Draft, Survey

LONGEST = 80
"""Characters that a note quotes of a piece of code."""
MOST = 3
"""Pieces of code that a note quotes; of the others it tells the number."""
EMPTY = cst.Module([])


def note(survey: Survey, draft: Draft) -> str:
    """What was done, in half a sentence."""
    if isinstance(draft.old, cst.FunctionDef) and isinstance(draft.new, cst.FunctionDef):
        if draft.operator.adds:
            return added(draft.new)
        weakens = draft.operator.claim is Claim.WEAKENS
        return (weakens and deleted(survey, draft.old, draft.new)) or rewritten(survey, draft)
    node, edit = survey.shown(draft.node), draft.edit
    place = survey.tree.places[node]
    start, end = min(place.inner_start, edit.start), max(place.inner_end, edit.end)
    text = survey.tree.text
    before, after = text[start:end], text[start : edit.start] + edit.text + text[edit.end : end]
    if isinstance(draft.new, cst.RemovalSentinel) or not after.strip():
        return f"{quoted(wording(node, survey.tree.inner(node)))} was removed"
    return became(wording(node, before), wording(node, after))


def deleted(survey: Survey, old: cst.FunctionDef, new: cst.FunctionDef) -> str:
    """Which assertions the test *old* lost, with what went and what stays of them; "" where none did."""
    marks = list(weakener(survey.context).assertions.within(old))
    lost, came = changes(old, new)
    gone = outermost(survey, [mark for mark in marks if mark in lost])
    if not gone:
        return ""
    inside = {node for mark in gone for node in survey.tree.within(mark)}
    with_them = [node for node in lost if node not in inside]
    kept = [node for node in statements_of(old) if node in inside and node not in lost]
    left = [node for node in [*kept, *came] if not isinstance(node, cst.Pass)]
    lines = [survey.source.line(survey.tree.places[mark].inner_start) for mark in gone]
    told = [f"{code} in line {line}" for code, line in zip(codes(gone), lines, strict=True)]
    every = gone == outermost(survey, marks)
    if len(gone) > 1:
        number = f"{'all ' if every else ''}{len(gone)}" if len(gone) > 2 or not every else "both"
        note = f"{number} assertions were deleted ({listed(told)})"
    else:
        note = f"{told[0]}{', the only assertion,' if every else ''} was deleted"
    if with_them:
        note += f", and so {'was' if len(with_them) == 1 else 'were'} {listed(codes(with_them))}"
    if left:
        note += f"; {listed(codes(left))} {'stays' if len(left) == 1 else 'stay'}"
    return note + (", its error passed over" if len(left) < len(kept) + len(came) else "")


def outermost(survey: Survey, nodes: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """Those of *nodes*, given in source order, that lie in no other of them."""
    found: list[cst.CSTNode] = []
    for node in nodes:
        if not found or survey.tree.places[node].first >= survey.tree.places[found[-1]].last:
            found.append(node)
    return found


def rewritten(survey: Survey, draft: Draft) -> str:
    """What a rewritten function lost and gained, by the first line that is not only indented anew."""
    place, edit, text = survey.tree.places[draft.old], draft.edit, survey.tree.text
    before = Counter(lines_of(text[place.start : place.end]))
    after = Counter(lines_of(text[place.start : edit.start] + edit.text + text[edit.end : place.end]))
    gone, came = list((before - after).elements()), list((after - before).elements())
    if gone and came:
        note = became(gone[0], came[0])
    elif gone or came:
        note = f"{quoted((gone or came)[0])} was {'removed' if gone else 'added'}"
    else:
        return "lines were moved"
    more = max(len(gone), len(came)) - 1
    return note + (f", and {more} more line{'s' * (more > 1)} changed" if more else "")


def wording(node: cst.CSTNode, text: str) -> str:
    """*text* on one line; where *node* is a statement with a body, ⏎ stands for the ends of its lines."""
    if isinstance(node, cst.BaseCompoundStatement):
        return " ⏎ ".join(lines_of(text))
    return " ".join(text.split())


def lines_of(text: str) -> list[str]:
    """The lines of *text* that hold anything, without indent."""
    return [line.strip() for line in LINE_END.split(text) if line.strip()]


def became(before: str, after: str) -> str:
    """That *before* is *after* now, quoted from not long before the place where they part."""
    same = common_prefix(before, after)
    if max(len(before), len(after)) > LONGEST and same > LONGEST // 2:
        before, after = ("…" + text[same - LONGEST // 4 :] for text in (before, after))
    return f"{quoted(before)} became {quoted(after)}"


def quoted(text: str) -> str:
    """*text* as code, shortened."""
    return f"`{text if len(text) <= LONGEST else text[: LONGEST - 1] + '…'}`"


def listed(items: Sequence[str]) -> str:
    """`a`, `b` and `c`; of many, the first and how many more there are."""
    *head, last = items if len(items) <= MOST else [*items[:MOST], f"{len(items) - MOST} more"]
    return f"{', '.join(head)} and {last}" if head else last


def codes(nodes: Iterable[cst.CSTNode]) -> list[str]:
    """The code of each of *nodes*, quoted."""
    return [quoted(code_of(node)) for node in nodes]


def changes(old: cst.FunctionDef, new: cst.FunctionDef) -> tuple[list[cst.CSTNode], list[cst.CSTNode]]:
    """The statements that *old* has and *new* has not, and those that only *new* has, each in its order."""
    before, after = list(statements_of(old)), list(statements_of(new))
    texts, others = [[key_of(node) for node in each] for each in (before, after)]
    spare, fresh = Counter(texts) - Counter(others), Counter(others) - Counter(texts)
    lost, came = list[cst.CSTNode](), list[cst.CSTNode]()
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, texts, others, autojunk=False).get_opcodes():
        if kind != "equal":
            lost += taken(before[i1:i2], texts[i1:i2], spare)
            came += taken(after[j1:j2], others[j1:j2], fresh)
    return lost, came


def taken(nodes: Sequence[cst.CSTNode], keys: Sequence[str], left: Counter[str]) -> Iterator[cst.CSTNode]:
    """Those of *nodes* whose key is *left*, each of which leaves one less."""
    for node, key in zip(nodes, keys, strict=True):
        if left[key] > 0:
            left[key] -= 1
            yield node


def statements_of(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The small statements and `with` statements below *node*, in source order."""
    for child in statements(node) if isinstance(node, cst.FunctionDef) else node.children:
        if isinstance(child, cst.BaseSmallStatement | cst.With):
            yield child
        yield from below(child)


@lru_cache(maxsize=8192)
def below(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """What `statements_of` finds in *node*, kept for the other versions of a function that hold it too."""
    return () if isinstance(node, cst.BaseExpression | cst.BaseSmallStatement) else list(statements_of(node))


@lru_cache(maxsize=8192)
def key_of(statement: cst.CSTNode) -> str:
    """The code of *statement*, as far as it is none of another one; names after `as` apart."""
    if not isinstance(statement, cst.With):
        return code_of(statement)
    return "with " + ", ".join(code_of(item.item) for item in statement.items)


def code_of(node: cst.CSTNode) -> str:
    """The code of *node* on one line, without comments; … stands for several statements in a `with`."""
    if isinstance(node, cst.With):
        items = ", ".join(code_of(item.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for item in node.items)
        inside = list(statements_of(node))
        body = code_of(inside[0]) if len(inside) == 1 else "…"
        return f"{'async ' if node.asynchronous else ''}with {items}: {body}"
    if isinstance(node, cst.BaseSmallStatement):
        node = loose(node)
    straight = node.visit(_Straighten())
    assert isinstance(straight, cst.CSTNode)
    return " ".join(lines_of(EMPTY.code_for_node(straight)))


class _Straighten(cst.CSTTransformer):
    """Puts what brackets hold on one line, less the comments in it."""

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if isinstance(original_node, cst.ParenthesizedWhitespace):
            return cst.SimpleWhitespace(" ")
        return updated_node


def added(function: cst.FunctionDef) -> str:
    """That the test *function*, which asserts nothing, was added."""
    names = listed([quoted(name) for name in dict.fromkeys(calls_in(function.body))] or [""])
    does = f"calls {names} but " if names else ""
    return f"the test {quoted(function.name.value)} was added, which {does}asserts nothing"


def calls_in(node: cst.CSTNode) -> Iterator[str]:
    """What *node* calls, in source order: outermost calls; those of builtins only for what they are given."""
    name = called(node.func) if isinstance(node, cst.Call) else ""
    if name and not hasattr(builtins, name):
        yield name
    else:
        for child in node.children:
            yield from calls_in(child)


def called(node: cst.BaseExpression) -> str:
    """What is called, without what that is given in its turn: `shop(…).price`."""
    if isinstance(node, cst.Attribute):
        return f"{called(node.value)}.{node.attr.value}"
    if isinstance(node, cst.Call):
        return called(node.func) + "(…)"
    if isinstance(node, cst.Subscript):
        return called(node.value) + "[…]"
    return node.value if isinstance(node, cst.Name) else "(…)"
