"""What a rule may ask about a node that the node itself cannot say."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence

import libcst as cst

from bebug.mutation.scopes import Scopes, dotted
from bebug.mutation.tree import Tree

CONDITIONS = {
    cst.If: "test",
    cst.While: "test",
    cst.IfExp: "test",
    cst.CompIf: "test",
    cst.Assert: "test",
    cst.MatchCase: "guard",
}


class Context:
    """The surroundings of every node of one file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._scopes = Scopes(tree)
        self._indexes: dict[cst.CSTNode, dict[cst.CSTNode, int]] = {}
        self.modules = frozenset(self._scopes.modules)
        """The dotted names that `import` statements of this file load."""
        self.origins = self._scopes.origins
        """Each name that an import of this file binds → the dotted name that it stands for."""
        self.imported = frozenset(self.origins)
        self.module = tree.module

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self._tree.parent(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around *node*, innermost first."""
        parent = self._tree.parent(node)
        while parent is not None:
            yield parent
            parent = self._tree.parent(parent)

    def within(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """*node* and all nodes in it, in source order."""
        return self._tree.within(node)

    def names(self, node: cst.CSTNode) -> Iterator[str]:
        """The dotted names read or bound in *node*: `a.b.c`, and the `a.b` and `a` in it."""
        return (dotted(each) for each in self.within(node) if isinstance(each, cst.Name | cst.Attribute))

    def code(self, node: cst.CSTNode) -> str:
        """The source of *node*, without comments above it or parentheses around it."""
        return self._tree.inner(node)

    def shift(self, node: cst.CSTNode) -> int:
        """How many characters to the right of its block's indent *node*, parentheses apart, starts."""
        place, text = self._tree.places[node], self._tree.text
        line = max(text.rfind("\n", 0, place.inner_start), text.rfind("\r", 0, place.inner_start)) + 1
        return place.inner_start - line - len(place.indent)

    def function(self, node: cst.CSTNode) -> str:
        """The dotted name of the function or class around *node*, "" at module level."""
        names = [
            each.name.value
            for each in (node, *self.ancestors(node))
            if isinstance(each, cst.FunctionDef | cst.ClassDef)
        ]
        return ".".join(reversed(names))

    def origin(self, node: cst.CSTNode | None) -> str:
        """The dotted name that *node* reads, imports and builtins resolved: `time.time`, `builtins.len`."""
        name = dotted(node)
        head, dot, rest = name.partition(".")
        if not name or node is None:
            return ""
        if self._scopes.is_bound(head, node):
            return self._scopes.origins.get(head, head) + dot + rest
        return f"builtins.{name}" if hasattr(builtins, head) else name

    def calls(self, node: cst.CSTNode, name: str) -> bool:
        """Whether *node* is a call of *name*, a dotted name such as `builtins.range`."""
        return isinstance(node, cst.Call) and self.origin(node.func) == name

    def is_condition(self, node: cst.CSTNode) -> bool:
        """Whether only the truth of *node* matters where it stands."""
        parent = self._tree.parent(node)
        if isinstance(parent, cst.BooleanOperation):
            return parent.right is not node or self.is_condition(parent)
        if isinstance(parent, cst.UnaryOperation):
            return isinstance(parent.operator, cst.Not)
        field = CONDITIONS.get(type(parent)) if parent is not None else None
        return field is not None and getattr(parent, field) is node

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The innermost statement that holds *node*, or is it."""
        for each in (node, *self.ancestors(node)):
            if isinstance(each, cst.BaseStatement | cst.BaseSmallStatement):
                return each
        return node

    def following(self, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
        """The statements after *node* in its block, small statements of the same line first."""
        line = self._tree.parent(node)
        rest = self._rest(node, line)
        if isinstance(line, cst.SimpleStatementLine):
            return [*rest, *self._rest(line, self._tree.parent(line))]
        return rest

    def _rest(self, node: cst.CSTNode, parent: cst.CSTNode | None) -> Sequence[cst.CSTNode]:
        if not isinstance(parent, cst.Module | cst.BaseSuite | cst.SimpleStatementLine):
            return ()
        if parent not in self._indexes:
            self._indexes[parent] = {each: index for index, each in enumerate(parent.body)}
        index = self._indexes[parent].get(node)
        return () if index is None else parent.body[index + 1 :]
