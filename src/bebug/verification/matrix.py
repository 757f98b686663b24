"""The kill matrix: which tests notice which fault, filled as it is asked for and kept for the next time."""

from __future__ import annotations

import ast
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from bebug.records import Mutant, Status, digest
from bebug.verification.oracles._whole import Bench
from bebug.verification.selection import screen
from bebug.verification.verdicts import Judged, judge


class Shelf(Protocol):
    """Where rows are kept from one run of bebug to the next."""

    def recall(self, key: str, environment: str) -> Any: ...
    def remember(self, key: str, environment: str, payload: Any) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One fault's row: what became of it, and the tests that notice it, of those that reach it."""

    status: Status
    killers: tuple[str, ...] = ()


class Matrix:
    """Rows for *faults*, source mutants that are never cases themselves. Threads may share it.

    *environment* is a digest of all that a kept row must share with a new one to stand for it. *patch* gives
    the diff of a fault as a corpus stores it.
    """

    def __init__(
        self,
        bench: Bench,
        faults: Sequence[Mutant],
        *,
        shelf: Shelf,
        environment: str,
        patch: Callable[[Mutant], Any],
    ) -> None:
        self._bench, self._faults, self._shelf, self._environment = bench, faults, shelf, environment
        self.patch = patch
        self.paths = frozenset(fault.site.path for fault in faults)
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._rows: dict[str, Row] = {}
        self._wholes: dict[str, tuple[Judged, Judged]] = {}

    # ---------------------------------------------------------------------------------------------- choosing

    def aimed_at(self, tests: Collection[str], salt: str) -> list[Mutant]:
        """The faults that one of *tests* reaches; those that no other test function reaches come first.

        Then each line's first fault comes before any second one, in an order of *salt*'s own: not all tests
        take the same.
        """
        wanted = frozenset(tests)
        found = [(n, fault) for fault, n, reached in self._groups if reached is None or wanted & reached]
        found.sort(key=lambda each: (each[0], digest(salt, each[1].key)))
        seen: Counter[tuple[str, int]] = Counter()
        ranked: list[tuple[int, int, int, Mutant]] = []
        for n, fault in found:
            place = (fault.site.path, fault.site.start_line)
            ranked.append((seen[place], n, len(ranked), fault))
            seen[place] += 1
        ranked.sort(key=lambda each: (each[1] > 1, each[0], each[1], each[2]))
        return [fault for *_, fault in ranked]

    @cached_property
    def _groups(self) -> Sequence[tuple[Mutant, int, frozenset[str] | None]]:
        """Each fault with how many test functions reach it, and the tests; None: all of them may."""
        base, found = self._bench.current, []
        green = frozenset(base.green)
        for fault in self._faults:
            site = fault.site
            plan = screen(base, self._bench.reach, site.path, (site.start_line, site.end_line))
            if plan.unreached:
                continue
            tests = self._bench.reach.tests(site.path, site.start_line, site.end_line)
            reached = None if tests is None else tests & green
            n = len(green) if reached is None else len({base.places.get(test, test) for test in reached})
            found.append((fault, n, reached))
        return found

    # ------------------------------------------------------------------------------------------------ asking

    def row(self, fault: Mutant) -> Row:
        """What the tests that reach *fault* say of it, all of them run."""
        with self._lock:
            lock = self._locks.setdefault(fault.key, threading.Lock())
        with lock:
            if fault.key not in self._rows:
                self._rows[fault.key] = self._recalled(fault)
            return self._rows[fault.key]

    def _recalled(self, fault: Mutant) -> Row:
        known = self._shelf.recall(fault.key, self._environment)
        if known is not None:
            return Row(status=Status(known["status"]), killers=tuple(known["killers"]))
        row = self._measured(fault)
        self._shelf.remember(
            fault.key, self._environment, {"status": row.status.value, "killers": list(row.killers)}
        )
        return row

    def _measured(self, fault: Mutant) -> Row:
        site = fault.site
        before, after = self._bench.compile(
            site.path, [self._bench.read(site.path), self.planted(fault)[site.path]]
        )
        if after is None or before == after:
            return Row(status=Status.UNVIABLE if after is None else Status.EQUIVALENT)
        base = self._bench.current
        plan = screen(base, self._bench.reach, site.path, (site.start_line, site.end_line))
        judged = judge(base, self._bench.run(self.planted(fault), tests=plan.tests), green=plan.tests)
        return Row(status=judged.status, killers=judged.fail_to_pass)

    def whole(self, fault: Mutant) -> tuple[Judged, Judged]:
        """Two whole runs of the seed with *fault* alone."""
        with self._lock:
            known = self._wholes.get(fault.key)
        if known is None:
            runs = [self._bench.run(self.planted(fault)) for _ in range(2)]
            known = (judge(self._bench.current, runs[0]), judge(self._bench.current, runs[1]))
            with self._lock:
                self._wholes[fault.key] = known
        return known

    def planted(self, fault: Mutant) -> dict[str, bytes]:
        """The overlay that plants *fault* in the pristine seed."""
        return {fault.site.path: fault.apply(self._bench.read(fault.site.path))}


def made_from(places: Mapping[str, str], source: bytes, path: str, line: int) -> frozenset[str]:
    """The tests whose function has its `def` at *line* of *path*: its decorators may stand above."""
    first = line
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno == line:
            first = min([line, *(each.lineno for each in node.decorator_list)])
    wanted = {f"{path}:{number}" for number in range(first, line + 1)}
    return frozenset(test for test, place in places.items() if place in wanted)
