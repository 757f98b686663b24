"""What both oracles share: whole runs that must agree, and the parts of a proof that both write down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bebug.records import Baseline, Evidence, Files, Run, Status, digest
from bebug.verification.candidate import Candidate
from bebug.verification.forks import Forks
from bebug.verification.reach import Reach, Seen
from bebug.verification.verdicts import Judged, judge
from bebug.verification.witness import Found


class Bench(Protocol):
    """What an oracle needs of a laboratory."""

    @property
    def current(self) -> Baseline: ...
    @property
    def reach(self) -> Reach: ...
    @property
    def source_readers(self) -> frozenset[str]: ...
    @property
    def forks(self) -> Forks: ...
    @property
    def screens(self) -> bool: ...

    def read(self, path: str) -> bytes: ...
    def compile(self, path: str, sources: list[bytes]) -> list[str | None]: ...
    def run(
        self,
        overlay: Files,
        *,
        tests: tuple[str, ...] | None = None,
        stop_at_first: bool = False,
        warm: bool = False,
    ) -> Run: ...
    def distrust(self, why: str) -> None: ...
    def doubt(self, why: str) -> None: ...
    def confirms(self, overlay: Files) -> bool: ...
    def witness(self, candidate: Candidate) -> Found: ...


@dataclass(kw_only=True)
class Examination:
    """One candidate on a bench, with the time spent on it."""

    bench: Bench
    candidate: Candidate
    seconds: float = 0.0
    tiers: tuple[str, ...] = ()

    @property
    def overlay(self) -> Files:
        return {self.candidate.path: self.candidate.after}

    @property
    def seen(self) -> Seen:
        return self.bench.reach.seen(self.candidate.path, *self.candidate.lines)

    def run(self, tests: tuple[str, ...] | None = None, *, warm: bool = False) -> Run:
        """One run with the change; of *tests* alone, up to the first that fails."""
        return self._spent(
            self.bench.run(self.overlay, tests=tests, stop_at_first=tests is not None, warm=warm)
        )

    def _spent(self, run: Run) -> Run:
        self.seconds += run.seconds
        self.tiers += (run.tier,)
        return run

    def waverers(self, tests: tuple[str, ...]) -> frozenset[str]:
        """Those of *tests* that fail now and then without the change too.

        They are run once more without it, alone where they may be. One that fails alone each time, and not in
        the suite, only leans on others.
        """
        if set(tests) & set(self.bench.current.order_dependent):
            return self._unhappy(tests, whole=True)
        first = self._unhappy(tests)
        if not first:
            return first
        return self._unhappy(tests, whole=True) | (first ^ self._unhappy(tests))

    def _unhappy(self, tests: tuple[str, ...], *, whole: bool = False) -> frozenset[str]:
        """Those of *tests* that do not pass without the change."""
        run = self._spent(self.bench.run({}, tests=None if whole else tests, warm=True))
        judged = judge(self.bench.current, run, green=tests)
        return frozenset((*judged.fail_to_pass, *judged.lost))

    def whole(self, *, warm: bool = False) -> tuple[Run, Judged]:
        run = self.run(warm=warm)
        return run, judge(self.bench.current, run)

    def again(self, run: Run, first: Judged) -> tuple[Run, Run, Judged, Judged]:
        """A whole run to confirm a warm one that gave *first*: both runs and verdicts.

        It is a process of its own where the bench wants that; see `Laboratory.confirms`. Where they differ
        each way is tried once more. If both stay with what they said, it is the ways that differ, and not
        chance: then two runs in processes of their own are what is given.
        """
        own, second = self.whole(warm=not self.bench.confirms(self.overlay))
        if differ(first, second):
            warmed, cold = self.whole(warm=True), self.whole()
            if not differ(first, warmed[1]) and not differ(second, cold[1]):
                self.bench.distrust(flaky_detail(first, second))
                return own, cold[0], second, cold[1]
        return run, own, first, second

    def verdict(self, status: Status, detail: str) -> Evidence:
        """No case, and why."""
        return Evidence(status=status, detail=detail, seconds=self.seconds, tiers=self.tiers)

    def codes(self) -> tuple[str | None, str | None]:
        """What the candidate compiles to before and after."""
        before, after = self.bench.compile(self.candidate.path, [self.candidate.before, self.candidate.after])
        return before, after


def differ(first: Judged, second: Judged) -> bool:
    return (first.status, first.fail_to_pass, first.lost) != (second.status, second.fail_to_pass, second.lost)


def flaky_detail(first: Judged, second: Judged) -> str:
    wavering = sorted({*first.fail_to_pass, *first.lost} ^ {*second.fail_to_pass, *second.lost})
    named = f", as {wavering[0]} shows" if wavering else f": {first.status}, then {second.status}"
    return f"two whole runs with the change differ{named}"


def passing(judged: Judged, seen: Seen) -> Mapping[str, Any]:
    """`pass_to_pass` by name where a test reaches the change, the rest by count and digest."""
    reaching = sorted(test for test in judged.pass_to_pass if test in seen.tests)
    return {"pass_to_pass": reaching, "pass_to_pass_rest": counted(set(judged.pass_to_pass) - set(reaching))}


def counted(tests: Iterable[str]) -> Mapping[str, Any]:
    names = sorted(tests)
    return {"n": len(names), "digest": digest(*names)}
