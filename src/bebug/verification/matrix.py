"""The kill matrix: which tests notice which fault, filled as it is asked for and kept for the next time."""

from __future__ import annotations

import ast
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol

from bebug.records import Mutant, Status, digest
from bebug.verification.cold import Shot
from bebug.verification.events import Hit
from bebug.verification.forks import COLD
from bebug.verification.oracles._whole import Bench
from bebug.verification.selection import LONGEST, patience, screen
from bebug.verification.verdicts import Judged, judge

FAULTS = 3000  # of a seed with more, that many are drawn
ROUND = 200  # faults to a session
ENOUGH = 3  # test functions that notice a fault: who else does is no matter
MEASURED = 3  # rows that a session could not tell, measured by a run of their own for one weakened test
SOME = 12  # test functions: for a fault that more of them reach, nothing is imported anew
FEW = 3  # test functions; a fault that more of them reach is hardly noticed by one alone


class Gallery(Bench, Protocol):
    """A bench that can shoot."""

    def shoot(self, shots: Sequence[Shot]) -> Mapping[str, Hit]: ...


class Shelf(Protocol):
    """Where rows are kept from one run of bebug to the next."""

    def recall(self, key: str, environment: str) -> Any: ...
    def remember(self, key: str, environment: str, payload: Any) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One fault's row: what became of it, and the tests that notice it, of those that reach it."""

    status: Status
    killers: tuple[str, ...] = ()  # all of them, or those of `ENOUGH` test functions
    cold: bool = False  # measured by a run of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Aimed:
    """A fault with the tests that reach it, and the number of test functions that these are made from.

    *early*: its lines run before the first test, so that what is left of that may hide it from a fork.
    """

    fault: Mutant
    tests: tuple[str, ...]
    functions: int
    early: bool

    @property
    def worth_a_shot(self) -> bool:
        """A fresh import costs as much as many tests, and a fault that many reach is hardly one's alone."""
        return not self.early or self.functions <= SOME


class Matrix:
    """Rows for *faults*, source mutants that are never cases themselves. Threads may share it.

    *environment* is a digest of all that a kept row must share with a new one to stand for it. *patch* gives
    the diff of a fault as a corpus stores it.
    """

    def __init__(
        self,
        bench: Gallery,
        faults: Sequence[Mutant],
        *,
        shelf: Shelf,
        environment: str,
        patch: Callable[[Mutant], Any],
    ) -> None:
        self._bench, self._faults, self._shelf, self._environment = bench, faults, shelf, environment
        self.patch = patch
        self.files = frozenset(fault.site.path for fault in faults)
        """The files that faults are planted in: what is tested, not what tests."""
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._rows: dict[str, Row] = {}
        self._wholes: dict[str, tuple[Judged, Judged]] = {}

    # ------------------------------------------------------------------------------------------------ filling

    def fill(self, jobs: int, progress: Callable[[str], None], *, enough: int = ENOUGH) -> None:
        """Try every fault on the tests that reach it, many to a session; *progress* hears what came of each.

        A fault is tried until *enough* test functions notice it (0: on all tests). *progress* hears
        `fillable` words. What a session cannot tell is left to `row`. Sessions are cut alike for any number
        of *jobs*.
        """
        aimed = [each for each in self._aimed if each.tests]
        rounds = [aimed[at : at + ROUND] for at in range(0, len(aimed), ROUND)]
        with ThreadPoolExecutor(jobs) as pool:
            for words in pool.map(partial(self._round, enough=enough), rounds):
                for word in words:
                    progress(word)

    @property
    def fillable(self) -> int:
        """How many faults `fill` tries; the first question costs a run under coverage."""
        return sum(bool(each.tests) for each in self._aimed)

    def _round(self, aimed: Sequence[Aimed], *, enough: int) -> list[str]:
        places = self._bench.current.places
        known = {each.fault.key: self.known(each.fault) for each in aimed}
        new = [each for each in aimed if known[each.fault.key] is None and each.worth_a_shot]
        shots = [
            Shot(
                key=each.fault.key,
                overlay=self.planted(each.fault),
                tests=each.tests,
                **self.patience(each.tests),
                enough=enough,
                fresh=each.early,
                groups=[places.get(test, test) for test in each.tests],
            )
            for each in new
        ]
        hits = self._bench.shoot(shots) if shots else {}
        for each in new:
            hit = hits.get(each.fault.key)
            if hit is not None and hit.status != COLD:
                self._keep(each.fault, row_of(hit))
        rows = (self._rows.get(each.fault.key) for each in aimed)
        return ["cold" if row is None else row.status.value for row in rows]

    def shoot(self, shots: Sequence[Shot]) -> list[Hit | None]:
        """What came of each of *shots*, those not fired before in one session; None where it cannot tell."""
        self._bench.forks.ask(shots)
        return [self._bench.forks.said(shot.key) for shot in shots]

    def patience(self, tests: Sequence[str]) -> dict[str, Any]:
        """What a shot at *tests* may take; see `selection.patience`."""
        return patience(self._bench.current, tests)

    # ---------------------------------------------------------------------------------------------- choosing

    def alone(self, tests: Collection[str], salt: str) -> list[Mutant]:
        """The faults that, as far as it is known, only *tests* notice, in an order of *salt*'s own.

        Few tests reach the first of them, and each line's first comes before any second one. A few whose row
        had no answer yet are measured now.
        """
        wanted, found, cold = frozenset(tests), [], 0
        for each in self._ordered(wanted, salt):
            row = self.known(each.fault)
            if row is None or row.cold:  # chosen by place alone, whoever has measured it already
                cold += 1
                row = self.row(each.fault) if cold <= MEASURED and each.functions <= FEW else None
            if row is not None and row.status is Status.KILLED and wanted.issuperset(row.killers):
                found.append(each.fault)
        return found

    def noticed(self, tests: Collection[str], salt: str) -> list[Mutant]:
        """The faults that one of *tests*, among others, was seen by a session to notice."""
        wanted = frozenset(tests)
        rows = ((each.fault, self.known(each.fault)) for each in self._ordered(wanted, salt))
        return [fault for fault, row in rows if row and not row.cold and wanted.intersection(row.killers)]

    def _ordered(self, tests: frozenset[str], salt: str) -> list[Aimed]:
        found = [each for each in self._aimed if tests.intersection(each.tests)]
        found.sort(key=lambda each: (each.functions, digest(salt, each.fault.key)))
        seen: Counter[tuple[str, int]] = Counter()
        ranked: list[tuple[int, int, int, Aimed]] = []
        for each in found:
            place = (each.fault.site.path, each.fault.site.start_line)
            ranked.append((seen[place], each.functions, len(ranked), each))
            seen[place] += 1
        ranked.sort(key=lambda each: (each[1] > 1, *each[:3]))
        return [each for *_, each in ranked]

    @cached_property
    def _aimed(self) -> Sequence[Aimed]:
        """Each fault with the tests seen to reach it; those that every test may reach only in a short suite.

        What tests reach in processes that they start, no fork of ours could tell: it is left to whole runs.
        """
        base, reach, found = self._bench.current, self._bench.reach, []
        drawn = sorted(self._faults, key=lambda fault: digest("drawn", fault.key))[:FAULTS]
        for fault in drawn:
            where = (fault.site.path, fault.site.start_line, fault.site.end_line)
            seen = reach.seen(*where)
            if reach.known and not seen.executed:
                continue
            everywhere = reach.tests(*where) is None
            tests = tuple(test for test in base.green if everywhere or test in seen.tests)
            if sum(base.durations.get(test, 0.0) for test in tests) > LONGEST:
                continue
            functions = len({base.places.get(test, test) for test in tests})
            found.append(Aimed(fault=fault, tests=tests, functions=functions, early=seen.early))
        return found

    # ------------------------------------------------------------------------------------------------ asking

    def row(self, fault: Mutant) -> Row:
        """What the tests that reach *fault* say of it, all of them run."""
        with self._lock:
            lock = self._locks.setdefault(fault.key, threading.Lock())
        with lock:
            known = self.known(fault)
            return known if known is not None else self._keep(fault, self._measured(fault))

    def known(self, fault: Mutant) -> Row | None:
        """The row of *fault*, where somebody has asked for it before."""
        if fault.key not in self._rows:
            kept = self._shelf.recall(fault.key, self._environment)
            if kept is None:
                return None
            self._rows[fault.key] = Row(
                status=Status(kept["status"]), killers=tuple(kept["killers"]), cold=kept["cold"]
            )
        return self._rows[fault.key]

    def _keep(self, fault: Mutant, row: Row) -> Row:
        kept = {"status": row.status.value, "killers": list(row.killers), "cold": row.cold}
        self._shelf.remember(fault.key, self._environment, kept)
        self._rows[fault.key] = row
        return row

    def _measured(self, fault: Mutant) -> Row:
        site = fault.site
        planted = self.planted(fault)
        before, after = self._bench.compile(site.path, [self._bench.read(site.path), planted[site.path]])
        if after is None or before == after:
            return Row(status=Status.UNVIABLE if after is None else Status.EQUIVALENT, cold=True)
        base = self._bench.current
        plan = screen(base, self._bench.reach, site.path, (site.start_line, site.end_line))
        judged = judge(base, self._bench.run(planted, tests=plan.tests, warm=True), green=plan.tests)
        return Row(status=judged.status, killers=judged.fail_to_pass, cold=True)

    def whole(self, fault: Mutant) -> tuple[Judged, Judged]:
        """Two whole runs of the seed with *fault* alone."""
        with self._lock:
            known = self._wholes.get(fault.key)
        if known is None:
            planted = self.planted(fault)
            ways = (True, not self._bench.confirms(planted))
            runs = [self._bench.run(planted, warm=warm) for warm in ways]
            known = (judge(self._bench.current, runs[0]), judge(self._bench.current, runs[1]))
            with self._lock:
                self._wholes[fault.key] = known
        return known

    def planted(self, fault: Mutant) -> dict[str, bytes]:
        """The overlay that plants *fault* in the pristine seed."""
        return {fault.site.path: fault.apply(self._bench.read(fault.site.path))}


def row_of(hit: Hit) -> Row:
    """The row that a hit tells; a child that died is no better known than one that hung."""
    status = {"killed": Status.KILLED, "survived": Status.SURVIVED, "timeout": Status.TIMEOUT}
    return Row(status=status.get(hit.status, Status.CRASH), killers=tuple(each.test for each in hit.failures))


def made_from(places: Mapping[str, str], source: bytes, path: str, line: int) -> frozenset[str]:
    """The tests whose function has its `def` at *line* of *path*: its decorators may stand above."""
    first = line
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # newer syntax than ours: without decorators it is found all the same
        tree = ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.lineno == line:
            first = min([line, *(each.lineno for each in node.decorator_list)])
    wanted = {f"{path}:{number}" for number in range(first, line + 1)}
    return frozenset(test for test, place in places.items() if place in wanted)
