"""A parsed file laid out flat: every node in source order, with its parent and its place in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import libcst as cst
from libcst._nodes.internal import CodegenState


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node is written: all that it renders to, and (inner) that less what merely surrounds it.

    *start* to *end* holds parentheses, comments above and the line's end; *inner_start* to *inner_end* does
    not. *indent* is what each of its lines starts with.
    """

    start: int
    end: int
    inner_start: int
    inner_end: int
    indent: str
    parent: cst.CSTNode | None
    first: int  # index in `Tree.order`
    last: int  # index in `Tree.order` after the last node within


class Tree:
    """Every node of *module* but blanks, in source order, and the `Place` of each."""

    def __init__(self, module: cst.Module, text: str) -> None:
        self.module = module
        self.text = text
        survey = _Survey(module)
        module._codegen(survey)
        self.order = survey.order
        self.places = survey.places

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        place = self.places.get(node)
        return place.parent if place else None

    def within(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """*node* and all nodes in it."""
        place = self.places[node]
        return self.order[place.first : place.last]

    def render(self, node: cst.CSTNode, indent: str = "", *, is_elif: bool = False) -> str:
        """The code of *node* as it would stand behind *indent*."""
        state = CodegenState(self.module.default_indent, self.module.default_newline)
        if indent:
            state.increase_indent(indent)
        if is_elif:
            node._codegen(state, is_elif=True)
        else:
            node._codegen(state)
        return "".join(state.tokens)

    def inner(self, node: cst.CSTNode) -> str:
        """The source of *node* without what surrounds it."""
        place = self.places[node]
        return self.text[place.inner_start : place.inner_end]


class _Survey(CodegenState):
    """A rendering that notes, for each node, where its text came to stand."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.position = 0
        self.indent = ""
        self.order: list[cst.CSTNode] = []
        self.places: dict[cst.CSTNode, Place] = {}
        self._open: list[tuple[cst.CSTNode, int, str, int]] = []
        self._inner: dict[cst.CSTNode, tuple[int, int]] = {}

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        self.position += len(value)

    def add_indent_tokens(self) -> None:
        super().add_indent_tokens()
        self.position += len(self.indent)

    def increase_indent(self, value: str) -> None:
        super().increase_indent(value)
        self.indent = "".join(self.indent_tokens)

    def decrease_indent(self) -> None:
        super().decrease_indent()
        self.indent = "".join(self.indent_tokens)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._open.append((node, self.position, self.indent, len(self.order)))
        if not isinstance(node, cst.SimpleWhitespace | cst.Newline):
            self.order.append(node)

    def after_codegen(self, node: cst.CSTNode) -> None:
        _, start, indent, first = self._open.pop()
        inner = self._inner.pop(node, (start, self.position))
        parent = self._open[-1][0] if self._open else None
        if not isinstance(node, cst.SimpleWhitespace | cst.Newline):
            self.places[node] = Place(start, self.position, *inner, indent, parent, first, len(self.order))

    @contextmanager
    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Iterator[None]:
        start = self.position
        yield
        if start_node in self.places:
            start = self.places[start_node].inner_start
        end = self.places[end_node].inner_end if end_node in self.places else self.position
        self._inner[node] = (start, end)
