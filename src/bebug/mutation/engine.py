"""One walk over a file: every place where every operator could act, in source order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

import libcst as cst

from bebug.mutation.arid import ARID, Arid, typing_only
from bebug.mutation.context import Context
from bebug.mutation.notes import note
from bebug.mutation.operator import NamedRule, Operator, Replacement
from bebug.mutation.sources import LINE_END, Source, Unreadable, read
from bebug.mutation.splice import TextEdit, Unspliceable, rightmost, splice
from bebug.mutation.tree import Tree
from bebug.records import Edit, Mutant, Site

TYPING_ONLY = "typing-only"
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
            note=note(self, draft),
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
        survey = Survey(*_parsed(path, raw))
        walk(survey, operators, keep_arid)
    except RecursionError as error:
        raise Unreadable("nested too deep for the parser") from error
    return survey


@lru_cache(maxsize=1)
def _parsed(path: str, raw: bytes) -> tuple[Source, Tree, Context]:
    """The file as a tree; the last one is kept, since one file is often mined for several purposes."""
    source = read(path, raw)
    tree = Tree(source.module, source.text)
    return source, tree, Context(tree)


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


def first_line(text: str) -> str:
    return (LINE_END.split(text.strip(), maxsplit=1) or [""])[0]
