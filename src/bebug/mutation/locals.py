"""Names of one function: which it binds, which it reads, and a way to be rid of those no longer read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from operator import is_

import libcst as cst

from bebug.mutation.calls import is_worth_it


def without_dead_locals(old: cst.FunctionDef, new: cst.FunctionDef) -> cst.FunctionDef | None:
    """*new* without assignments to locals that *old* read and *new* does not: only calls stay of them.

    None where one of them is bound in a way that cannot be undone: in a `match` pattern, inside an
    expression, or together with a name that is still read. What `for` or unpacking binds may stay unread.
    """
    once = set(read(old))
    while True:
        dead = (bound(new) & once) - set(read(new))
        if not dead:
            return new
        cleaned = visited(new, _Bury(dead), [each for each in statements(new) if dead & names(each).bound])
        if cleaned is new:
            return None if dead - names(new).unpacked else new
        new = cleaned


def statements(function: cst.FunctionDef) -> Sequence[cst.CSTNode]:
    """The statements of *function*; its whole body where they share a line with the `def`."""
    return function.body.body if isinstance(function.body, cst.IndentedBlock) else [function.body]


def visited(
    function: cst.FunctionDef, transformer: cst.CSTTransformer, chosen: Collection[cst.CSTNode]
) -> cst.FunctionDef:
    """*function* with *transformer* let loose on its *chosen* statements alone; itself where nothing changes.

    LibCST makes every node that it visits anew: the others stay the objects that they were.
    """
    if not isinstance(function.body, cst.IndentedBlock):
        made = function.visit(transformer)
        assert isinstance(made, cst.FunctionDef)
        return function if made.deep_equals(function) else made
    body: list[cst.BaseStatement] = []
    for each in function.body.body:
        new = each.visit(transformer) if each in chosen else each
        if isinstance(new, cst.FlattenSentinel):
            body += new
        elif isinstance(new, cst.BaseStatement):
            body.append(each if new.deep_equals(each) else new)
    if len(body) == len(function.body.body) and all(map(is_, body, function.body.body)):
        return function
    return function.with_changes(body=function.body.with_changes(body=body))


class _Bury(cst.CSTTransformer):
    """Turns `name = value` into `value` where it calls anything, into nothing where not, for *dead* names."""

    def __init__(self, dead: Collection[str]) -> None:
        super().__init__()
        self._dead = dead

    def leave_Assign(
        self, original_node: cst.Assign, updated_node: cst.Assign
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if not all(self._buried(each.target) for each in original_node.targets):
            return updated_node
        return self._left(updated_node.value)

    def leave_AnnAssign(
        self, original_node: cst.AnnAssign, updated_node: cst.AnnAssign
    ) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if not self._buried(original_node.target):
            return updated_node
        return self._left(updated_node.value)

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> cst.With:
        return updated_node.with_changes(
            items=[
                item.with_changes(asname=None) if item.asname and self._buried(item.asname.name) else item
                for item in updated_node.items
            ]
        )

    def leave_ExceptHandler(
        self, original_node: cst.ExceptHandler, updated_node: cst.ExceptHandler
    ) -> cst.ExceptHandler:
        name = updated_node.name
        return updated_node.with_changes(name=None) if name and self._buried(name.name) else updated_node

    def _buried(self, target: cst.BaseExpression) -> bool:
        if isinstance(target, cst.Tuple | cst.List):
            return all(self._buried(each.value) for each in target.elements)
        return isinstance(target, cst.Name) and target.value in self._dead

    def _left(self, value: cst.BaseExpression | None) -> cst.BaseSmallStatement | cst.RemovalSentinel:
        if value is None or not is_worth_it(value):
            return cst.RemoveFromParent()
        return cst.Expr(value)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that assignments, loops, `with`, `except`, patterns and imports bind, and those read.

    *unpacked* are those bound by `for` or unpacking: nobody minds one unread. *read* says how often; an
    attribute's own name is not read.
    """

    bound: Set[str]
    unpacked: Set[str]
    read: Counter[str]


def names(node: cst.CSTNode) -> Names:
    """The names of *node*; what is known of a statement is kept for other functions that hold it."""
    if not isinstance(node, cst.FunctionDef):
        return _names(node)
    parts = [_names(each) for each in (*node.decorators, node.params, *statements(node))]
    return Names(
        bound={node.name.value}.union(*(each.bound for each in parts)),
        unpacked=set[str]().union(*(each.unpacked for each in parts)),
        read=sum((each.read for each in parts), Counter[str]()),
    )


def bound(node: cst.CSTNode) -> Set[str]:
    """The names that *node* binds."""
    return names(node).bound


def read(node: cst.CSTNode) -> Counter[str]:
    """How often each name is read in *node*."""
    return Counter(names(node).read)


@lru_cache(maxsize=4096)
def _names(node: cst.CSTNode) -> Names:
    finder = _Names()
    node.visit(finder)
    return Names(finder.bound, finder.unpacked, finder.read)


class _Names(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.bound: set[str] = set()
        self.unpacked: set[str] = set()
        self.read: Counter[str] = Counter()

    def visit_Name(self, node: cst.Name) -> None:
        self.read[node.value] += 1

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return self._bind(node.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        node.annotation.visit(self)
        if node.value is not None:
            node.value.visit(self)
        return self._bind(node.target)

    def visit_For(self, node: cst.For) -> bool:
        for part in (node.iter, node.body, node.orelse):
            if part is not None:
                part.visit(self)
        return self._bind(node.target, unpacking=True)

    def visit_NamedExpr(self, node: cst.NamedExpr) -> bool:
        node.value.visit(self)
        return self._bind(node.target)

    def visit_AsName(self, node: cst.AsName) -> bool:
        return self._bind(node.name)

    def visit_ImportAlias(self, node: cst.ImportAlias) -> bool:
        if node.asname is None and isinstance(node.name, cst.Name):
            self.bound.add(node.name.value)
        elif node.asname is not None:
            self._bind(node.asname.name)
        return False

    def visit_MatchAs(self, node: cst.MatchAs) -> bool:
        if node.pattern is not None:
            node.pattern.visit(self)
        return self._bind(node.name) if node.name is not None else False

    def visit_MatchStar(self, node: cst.MatchStar) -> bool:
        return self._bind(node.name) if node.name is not None else False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        for part in (*node.decorators, node.params, node.body):
            part.visit(self)
        self.bound.add(node.name.value)
        return False

    def visit_Param(self, node: cst.Param) -> bool:
        for part in (node.default, node.annotation):
            if part is not None:
                part.visit(self)
        return False

    def _bind(self, target: cst.CSTNode, *, unpacking: bool = False) -> bool:
        """Note the names that *target* binds; what it reads (`a[i] = ...`) is read."""
        if isinstance(target, cst.Name):
            self.bound.add(target.value)
            if unpacking:
                self.unpacked.add(target.value)
        elif isinstance(target, cst.Tuple | cst.List):
            for each in target.elements:
                self._bind(each.value, unpacking=True)
        else:
            target.visit(self)
        return False
