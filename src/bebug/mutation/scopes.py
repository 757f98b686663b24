"""Which names a file binds, and in which scope: what tells the builtin `range` from another of that name."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.tree import Tree

COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)
FUNCTIONS = (cst.FunctionDef, cst.Lambda)
SCOPES = (cst.Module, cst.ClassDef, *FUNCTIONS, *COMPREHENSIONS)
TARGETS = (cst.Element, cst.StarredElement, cst.Tuple, cst.List)
TARGET_FIELDS = {
    cst.AssignTarget: "target",
    cst.AnnAssign: "target",
    cst.AugAssign: "target",
    cst.NamedExpr: "target",
    cst.For: "target",
    cst.CompFor: "target",
    cst.AsName: "name",
    cst.Param: "name",
    cst.FunctionDef: "name",
    cst.ClassDef: "name",
    cst.MatchAs: "name",
    cst.MatchStar: "name",
    cst.MatchMapping: "rest",
    cst.TypeAlias: "name",
    cst.NameItem: "name",
}


class Scopes:
    """The bindings of one file. A name that might be rebound is not taken for a builtin."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._bound: dict[cst.CSTNode, set[str]] = {}
        self.origins: dict[str, str] = {}
        self.modules: set[str] = set()
        for node in tree.order:
            if isinstance(node, cst.Name):
                self._note_name(node)
            elif isinstance(node, cst.Import):
                self._note_import(node)
            elif isinstance(node, cst.ImportFrom):
                self._note_import_from(node)

    def is_bound(self, name: str, at: cst.CSTNode) -> bool:
        """Whether *name*, read at the node *at*, may be anything that this file binds."""
        innermost = True
        for scope in self._scopes_around(at):
            if (innermost or not isinstance(scope, cst.ClassDef)) and name in self._bound.get(scope, ()):
                return True
            innermost = innermost and isinstance(scope, COMPREHENSIONS)
        return False

    def _scopes_around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        parent = self._tree.parent(node)
        while parent is not None:
            if isinstance(parent, SCOPES):
                yield parent
            parent = self._tree.parent(parent)

    def _note_name(self, node: cst.Name) -> None:
        if (binder := self._binder(node)) is None:
            return
        inside: cst.CSTNode = binder if isinstance(binder, cst.FunctionDef | cst.ClassDef) else node
        scopes = self._scopes_around(inside)
        if isinstance(binder, cst.NamedExpr):
            scopes = (scope for scope in scopes if not isinstance(scope, COMPREHENSIONS))
        self._bind(node.value, next(scopes, self._tree.module))
        if isinstance(binder, cst.NameItem):
            self._bind(node.value, self._tree.module)

    def _binder(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that binds the name *node*, if the name stands where names are bound."""
        parent = self._tree.parent(node)
        while isinstance(parent, TARGETS):
            node, parent = parent, self._tree.parent(parent)
        field = TARGET_FIELDS.get(type(parent)) if parent is not None else None
        return parent if field and getattr(parent, field) is node else None

    def _note_import(self, node: cst.Import) -> None:
        for alias in node.names:
            name = alias.evaluated_name
            self.modules.add(name)
            bound = alias.evaluated_alias or name.partition(".")[0]
            self._imported(node, bound, name if alias.asname else bound)

    def _note_import_from(self, node: cst.ImportFrom) -> None:
        if isinstance(node.names, cst.ImportStar):
            return
        origin = "." * len(node.relative) + (dotted(node.module) if node.module else "")
        for alias in node.names:
            name = alias.evaluated_name
            self._imported(node, alias.evaluated_alias or name, f"{origin}.{name}")

    def _imported(self, node: cst.CSTNode, name: str, origin: str) -> None:
        self._bind(name, next(self._scopes_around(node), self._tree.module))
        self.origins[name] = origin

    def _bind(self, name: str, scope: cst.CSTNode) -> None:
        self._bound.setdefault(scope, set()).add(name)


def dotted(node: cst.CSTNode | None) -> str:
    """`a.b.c` for such a chain of names, and "" for anything else."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join([node.value, *reversed(parts)]) if isinstance(node, cst.Name) else ""
