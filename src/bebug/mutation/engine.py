"""One walk over a file: every place where every operator could act, in source order."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Generic, TypeVar

import libcst as cst

from bebug.mutation.arid import ARID, Arid, typing_only
from bebug.mutation.context import Context
from bebug.mutation.operator import NamedRule, Operator, Replacement
from bebug.mutation.sources import LINE_END, Source, Unreadable, read
from bebug.mutation.splice import TextEdit, Unspliceable, common_prefix, rightmost, splice
from bebug.mutation.stripping import loose, weakener
from bebug.mutation.tree import Tree
from bebug.records import Claim, Edit, Mutant, Site

TYPING_ONLY = "typing-only"
LONGEST = 80
"""Characters that a note quotes of a piece of code."""
MOST = 3
"""Pieces of code that a note quotes; of the others it tells the number."""
EMPTY = cst.Module([])
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """What a file holds: *mutants* in source order; *skipped*: arid rule → mutants not made because of it;
    *failed*: "operator/rule" → rewrites that LibCST refused or that had no text."""

    mutants: tuple[Mutant, ...]
    skipped: Mapping[str, int]
    failed: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """One rewrite as the rule gave it, with the text edit that was made of it."""

    operator: Operator
    rule: str
    node: cst.CSTNode
    old: cst.CSTNode
    new: Replacement
    edit: TextEdit


@dataclass(slots=True, eq=False)
class Survey:
    """All drafts of one file, in source order, over its tree."""

    source: Source
    tree: Tree
    context: Context
    drafts: list[Draft] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)

    def mutant(self, draft: Draft) -> Mutant:
        start, end = self.source.span(draft.edit.start, draft.edit.end)
        return Mutant(
            site=self._site(draft),
            claim=draft.operator.claim,
            edits=(Edit(start, end, self.source.encode(draft.edit.text)),),
            operator_version=draft.operator.version,
            note=self._note(draft),
        )

    def _site(self, draft: Draft) -> Site:
        place = self.tree.places[draft.node]
        last = max(place.inner_start, place.inner_end - 1)
        return Site(
            path=self.source.path,
            operator=draft.operator.name,
            rule=draft.rule,
            start_line=self.source.line(place.inner_start),
            end_line=self.source.line(last),
            function=self.context.function(draft.node),
            text=first_line(self.tree.inner(self.shown(draft.node))),
        )

    def _note(self, draft: Draft) -> str:
        """What was done, in half a sentence."""
        if isinstance(draft.old, cst.FunctionDef) and isinstance(draft.new, cst.FunctionDef):
            if draft.operator.adds:
                return added(draft.new)
            weakens = draft.operator.claim is Claim.WEAKENS
            return (weakens and self._deleted(draft.old, draft.new)) or self._rewritten(draft)
        node, edit = self.shown(draft.node), draft.edit
        place = self.tree.places[node]
        start, end = min(place.inner_start, edit.start), max(place.inner_end, edit.end)
        text = self.tree.text
        before, after = text[start:end], text[start : edit.start] + edit.text + text[edit.end : end]
        if isinstance(draft.new, cst.RemovalSentinel) or not after.strip():
            return f"{quoted(wording(node, self.tree.inner(node)))} was removed"
        return became(wording(node, before), wording(node, after))

    def _deleted(self, old: cst.FunctionDef, new: cst.FunctionDef) -> str:
        """Which assertions the test *old* lost, with what went and what stays of them; "" where none did."""
        marks = list(weakener(self.context).assertions.within(old))
        lost, came = changes(old, new)
        gone = self._outermost([mark for mark in marks if mark in lost])
        if not gone:
            return ""
        inside = {node for mark in gone for node in self.tree.within(mark)}
        with_them = [node for node in lost if node not in inside]
        kept = [node for node in statements_of(old) if node in inside and node not in lost]
        left = [node for node in [*kept, *came] if not isinstance(node, cst.Pass)]
        lines = [self.source.line(self.tree.places[mark].inner_start) for mark in gone]
        told = [f"{code} in line {line}" for code, line in zip(codes(gone), lines, strict=True)]
        every = gone == self._outermost(marks)
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

    def _outermost(self, nodes: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
        """Those of *nodes*, given in source order, that lie in no other of them."""
        found: list[cst.CSTNode] = []
        for node in nodes:
            if not found or self.tree.places[node].first >= self.tree.places[found[-1]].last:
                found.append(node)
        return found

    def _rewritten(self, draft: Draft) -> str:
        """What a rewritten function lost and gained, by the first line that is not only indented anew."""
        place, edit, text = self.tree.places[draft.old], draft.edit, self.tree.text
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

    def shown(self, node: cst.CSTNode) -> cst.CSTNode:
        """*node*, or what is needed around it for its text to be read alone."""
        parent = self.tree.parent(node)
        while parent is not None and isinstance(node, cst.BaseSlice | cst.SubscriptElement | cst.CompFor):
            node, parent = parent, self.tree.parent(parent)
        return node


def mine(
    path: str,
    raw: bytes,
    operators: Sequence[Operator],
    *,
    keep_arid: frozenset[str] = frozenset(),
) -> Mined:
    """All that *operators* can make of the file *path* with the bytes *raw*.

    *keep_arid* names arid rules that are turned off. Raises `Unreadable`.
    """
    survey = surveyed(path, raw, operators, keep_arid=keep_arid)
    mutants = tuple(survey.mutant(draft) for draft in survey.drafts)
    return Mined(
        mutants=mutants,
        skipped=dict(sorted(survey.skipped.items())),
        failed=dict(sorted(survey.failed.items())),
    )


def surveyed(
    path: str, raw: bytes, operators: Sequence[Operator], *, keep_arid: frozenset[str] = frozenset()
) -> Survey:
    """The drafts behind `mine`, for those who need the trees too."""
    try:
        source = read(path, raw)
        tree = Tree(source.module, source.text)
        survey = Survey(source, tree, Context(tree))
        walk(survey, operators, keep_arid)
    except RecursionError as error:
        raise Unreadable("nested too deep for the parser") from error
    return survey


def walk(survey: Survey, operators: Sequence[Operator], keep_arid: frozenset[str]) -> None:
    rules = Dispatch([((rule.kind,), (operator, rule)) for operator in operators for rule in operator.rules])
    arid = Dispatch([(each.kinds, each) for name, each in ARID.items() if name not in keep_arid])
    found: list[Draft] = []
    inherited: dict[cst.CSTNode | None, str] = {None: ""}
    for node in survey.tree.order:
        mark = inherited.get(survey.tree.parent(node), "")
        inherited[node] = mark = mark or mark_of(node, survey.context, arid)
        if mark == TYPING_ONLY:
            continue
        for operator, rule in rules.of(node):
            drafts = list(draft(survey, operator, rule, node))
            if drafts and (why := mark or arid_site(node, survey.context, arid)):
                survey.skipped[why] += len(drafts)
            else:
                found += drafts
    survey.drafts = in_order(found, survey.tree)


def draft(survey: Survey, operator: Operator, rule: NamedRule, node: cst.CSTNode) -> Iterator[Draft]:
    """What *rule* makes of *node*. Syntax that LibCST refuses to build is counted, and the walk goes on."""
    try:
        for old, new in rule.find(node, survey.context):
            try:
                edit = splice(survey.tree, old, new)
            except (cst.CSTValidationError, Unspliceable):
                survey.failed[f"{operator.name}/{rule.name}"] += 1
            else:
                yield Draft(operator, rule.name, node, old, new, edit)
    except cst.CSTValidationError:
        survey.failed[f"{operator.name}/{rule.name}"] += 1


def in_order(drafts: Sequence[Draft], tree: Tree) -> list[Draft]:
    """*drafts* by the place of what they replace; of several equal edits of one operator, the first."""
    unique: dict[tuple[str, TextEdit], Draft] = {}
    for each in drafts:
        unique.setdefault((each.operator.name, rightmost(tree.text, each.edit)), each)

    def key(each: Draft) -> tuple[int, int, str]:
        place = tree.places[each.old]
        return place.start, place.end, each.operator.name

    return sorted(unique.values(), key=key)


class Dispatch(Generic[Item]):
    """Which of some items ask for nodes of a given type."""

    def __init__(self, items: Sequence[tuple[tuple[type[cst.CSTNode], ...], Item]]) -> None:
        self._items = items
        self._known: dict[type[cst.CSTNode], Sequence[Item]] = {}

    def of(self, node: cst.CSTNode) -> Sequence[Item]:
        kind = type(node)
        if kind not in self._known:
            self._known[kind] = [item for kinds, item in self._items if issubclass(kind, kinds)]
        return self._known[kind]


def mark_of(node: cst.CSTNode, context: Context, arid: Dispatch[Arid]) -> str:
    """The name of the rule that makes *node* and all in it unproductive, or ""."""
    if typing_only(node, context):
        return TYPING_ONLY
    return next((each.name for each in arid.of(node) if each.within and each.covers(node, context)), "")


def arid_site(node: cst.CSTNode, context: Context, arid: Dispatch[Arid]) -> str:
    return next((each.name for each in arid.of(node) if not each.within and each.covers(node, context)), "")


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
    for child in node.children:
        if isinstance(child, cst.BaseSmallStatement | cst.With):
            yield child
        if not isinstance(child, cst.BaseExpression | cst.BaseSmallStatement):
            yield from statements_of(child)


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


def first_line(text: str) -> str:
    return (LINE_END.split(text.strip(), maxsplit=1) or [""])[0]
