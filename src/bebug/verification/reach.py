"""Which tests reach a change: lines to tests, with the extents of statements (pure)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

SHARED = ""  # among a line's tests: it ran in a wider fixture, or where no test was in charge
EARLY = "\0"  # and this: it ran before the first test, at import or in collection
Lines = Mapping[str, Mapping[int, frozenset[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was seen of some lines: *tests* ran them; *shared*: they ran for all tests; *executed*: at all.

    *early*: they ran, for all tests, before the first one; of the header of a function, its body did.
    """

    tests: frozenset[str] = frozenset()
    shared: bool = False
    executed: bool = False
    early: bool = False


@dataclass(frozen=True, slots=True)
class Extent:
    start: int
    end: int
    whole_end: int  # of the statement with all its blocks
    top: bool  # it stands at module level
    function: bool = False


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The map of one seed. *always*: tests that may reach any line unseen, so that every selection has them.

    *known* is false where there is no map: coverage is missing, or its run did not end well.
    """

    lines: Lines
    read: Callable[[str], bytes]
    always: frozenset[str] = frozenset()
    known: bool = True
    _extents: dict[str, list[Extent]] = field(default_factory=dict)

    def seen(self, path: str, start: int, end: int) -> Seen:
        """What was seen of the statements that lines *start* to *end* of *path* belong to."""
        marks = self.lines.get(path, {})
        found = [marks[line] for line in self.statement_lines(path, start, end) if line in marks]
        tests = frozenset[str]().union(*found)
        return Seen(
            tests=tests - {SHARED, EARLY},
            shared=not tests.isdisjoint((SHARED, EARLY)),
            executed=bool(found),
            early=any(EARLY in marks.get(line, ()) for line in self._at_work(path, start, end)),
        )

    def _at_work(self, path: str, start: int, end: int) -> set[int]:
        """`statement_lines`, and for the header of a function its body: every import runs the header."""
        lines = self.statement_lines(path, start, end)
        for extent in self._extents_of(path):
            if extent.function and extent.start <= end and start <= extent.end:
                lines -= set(range(extent.start, extent.end + 1))
                lines |= set(range(extent.end + 1, extent.whole_end + 1))
        return lines

    def tests(self, path: str, start: int, end: int) -> frozenset[str] | None:
        """The tests that may reach these lines; None: all of them, or it cannot be told."""
        seen = self.seen(path, start, end)
        if self.blind or seen.shared or not seen.executed or not self.imported_in_sight(path):
            return None
        return seen.tests | self.always

    def silent(self, path: str, start: int, end: int) -> bool:
        """Whether it is certain that no test reaches these lines: all that ran was seen, and they did not."""
        trusted = not self.blind and not self.always and self.imported_in_sight(path)
        return trusted and not self.seen(path, start, end).executed

    @cached_property
    def blind(self) -> bool:
        return not self.known or SHARED in self.always

    def imported_in_sight(self, path: str) -> bool:
        """Whether *path* was seen being imported: what was loaded before coverage began may run unseen."""
        marks = self.lines.get(path, {})
        tops = (extent for extent in self._extents_of(path) if extent.top)
        return any(line in marks for extent in tops for line in range(extent.start, extent.end + 1))

    def statement_lines(self, path: str, start: int, end: int) -> set[int]:
        """The lines of all statements that touch *start* to *end*; of a compound one, its header."""
        extents = self._extents_of(path)
        hit = [extent for extent in extents if extent.start <= end and start <= extent.end]
        if not hit:  # an `else:`, a comment, a blank line: the statement around it
            around = [extent for extent in extents if extent.start <= start <= extent.whole_end]
            hit = around[-1:]
        return {line for extent in hit for line in range(extent.start, extent.end + 1)} | set(
            range(start, end + 1)
        )

    def _extents_of(self, path: str) -> list[Extent]:
        if path not in self._extents:
            try:
                found = sorted(
                    extents(ast.parse(self.read(path))), key=lambda one: (one.start, -one.whole_end)
                )
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                found = []  # newer syntax than ours: the changed lines alone
            self._extents[path] = found
        return self._extents[path]


def extents(tree: ast.Module) -> Iterator[Extent]:
    """The extent of each statement; of a compound one, from its first decorator to just above its body."""
    pending: list[ast.AST] = [tree]
    tops = {id(node) for node in tree.body}
    while pending:
        node = pending.pop()
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.match_case):
            last = node.body[-1].end_lineno or node.body[-1].lineno
        elif isinstance(node, ast.stmt | ast.ExceptHandler):
            last = node.end_lineno or node.lineno
        else:
            continue
        first, block = first_line(node), getattr(node, "cases", None) or getattr(node, "body", None)
        header = max(first, first_line(block[0]) - 1) if block else last
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        yield Extent(first, header, last, id(node) in tops, function)


def first_line(node: ast.stmt | ast.ExceptHandler | ast.match_case) -> int:
    if isinstance(node, ast.match_case):
        return node.pattern.lineno
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
