"""The nouns: what one stage hands to the next. Frozen, comparable, no behaviour but reading."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

Files = Mapping[str, bytes | None]
"""An overlay on a tree: posix path relative to the seed's root → the whole new content, None to delete."""


def digest(*parts: str | bytes) -> str:
    """A hex SHA-256 of *parts*, each length-prefixed, so that no two lists of parts share one."""
    sha = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        sha.update(b"%d:" % len(raw) + raw)
    return sha.hexdigest()


# ------------------------------------------------------------------------------------------------ seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A repository, described and pinned: all that is needed to run its tests again.

    *sha256* is of the sdist (`pypi`) or of the tree. *test_argv* are the effective pytest arguments,
    neutralising ones included. *cwd* and *source_roots* are relative to the tree's root. *sources* and
    *tests* are globs; where *sources* is empty, every Python file below *cwd* that is not test code counts.
    """

    name: str
    version: str
    source: str  # builtin | pypi | path | git+URL
    sha256: str
    licence: str
    test_argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "."
    source_roots: tuple[str, ...] = (".",)
    sources: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A seed made ready: a pristine private *tree* (nothing runs in it) and the interpreter for its tests.

    *origin* is the lasting tree that it was copied from. *coverage_path* goes on the module path of coverage
    runs, where *python* lacks coverage and it could be had beside it; *hypothesis_path* goes last on that of
    searches for an input.
    """

    seed: Seed
    tree: Path
    python: Path
    python_version: str  # "3.12.1"
    packages: tuple[str, ...]  # "name==version", sorted, as installed
    origin: Path | None = None
    coverage_path: Path | None = None
    hypothesis_path: Path | None = None


# --------------------------------------------------------------------------------------------- mutation


class Claim(StrEnum):
    """What a change is said to do."""

    BREAKS = "breaks"
    PRESERVES = "preserves"
    WEAKENS = "weakens"  # tests notice less, and still pass


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace bytes [start, end) of one file, as it lies on disk, by *text* (in the file's own encoding)."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where a rule fired: posix *path* from the seed's root, lines 1-based as Python counts them."""

    path: str
    operator: str  # kebab-case file name of the operator or control
    rule: str  # kebab-case name of the rule
    start_line: int
    end_line: int
    function: str  # qualified name of the enclosing function or class, "" at module level
    text: str  # the source of the node that the rule fired on, first line only


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A site with one rewrite of it: an unproved claim. *edits* are sorted and do not overlap."""

    site: Site
    claim: Claim
    edits: tuple[Edit, ...]
    operator_version: int
    note: str  # the ground truth in half a sentence: "`i < n` became `i <= n`"

    @property
    def key(self) -> str:
        """A digest of path, operator, operator version, span and replacement; no other mutant changes it."""
        parts: list[str | bytes] = [self.site.path, self.site.operator, str(self.operator_version)]
        for edit in self.edits:
            parts += [str(edit.start), str(edit.end), edit.text]
        return digest(*parts)

    def apply(self, source: bytes) -> bytes:
        """The file's bytes with the edits made."""
        for edit in reversed(self.edits):
            source = source[: edit.start] + edit.text + source[edit.end :]
        return source


# ----------------------------------------------------------------------------------------- verification


class Outcome(StrEnum):
    """What became of one test."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # in set-up or teardown; counts as failed
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"


class Status(StrEnum):
    """What became of one mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"
    LOST = "lost"
    TIMEOUT = "timeout"
    CRASH = "crash"
    ABORTED = "aborted"
    NO_TESTS = "no_tests"
    FLAKY = "flaky"
    EQUIVALENT = "equivalent"
    DUPLICATE = "duplicate"
    UNVIABLE = "unviable"
    NOT_APPLICABLE = "not_applicable"


class Ending(StrEnum):
    """How a test process ended."""

    FINISHED = "finished"  # pytest closed its session
    ABORTED = "aborted"  # the session or the process ended early, without a signal
    NOT_STARTED = "not_started"  # pytest reported nothing: usage, internal or import error at start-up
    TIMEOUT = "timeout"
    CRASH = "crash"  # ended by a signal that we did not send


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How one test failed, normalised: no addresses, no temporary paths."""

    test: str
    exception: str  # "IndexError"
    message: str  # at most 500 characters, printable
    frame: str  # "pkg/core.py:12 in below", the innermost frame inside the tree, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a seed's tests."""

    ending: Ending
    outcomes: Mapping[str, Outcome]  # node id → outcome, in the order in which tests were reported
    collected: int = 0
    collection_errors: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()  # one for each failed test, in order
    durations: Mapping[str, float] = field(default_factory=dict)  # seconds
    loaded: Mapping[str, str] = field(default_factory=dict)  # module → file, for the seed's own names
    seconds: float = 0.0
    tail: str = ""  # the end of what pytest printed, printable, at most 4,000 characters
    lines: Mapping[str, Mapping[int, frozenset[str]]] = field(default_factory=dict)
    """With contexts only: path → line → tests that ran it; "" among them means all tests, NUL before all."""
    hidden: tuple[str, ...] = ()  # with contexts only: tests that started processes, whose lines are not seen
    places: Mapping[str, str] = field(default_factory=dict)
    """Test → "path:line" of the function that it is made from; inherited and parametrised ones share it."""
    tier: str = "cold"  # or "warm": a child forked of a server


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the untouched seed does, from at least three whole runs."""

    green: tuple[str, ...]  # tests that passed in every run in suite order, in suite order
    set_aside: tuple[str, ...]  # failed, flaky, unstable or expected to fail: they count nowhere; sorted
    order_dependent: tuple[str, ...]  # green in suite order, failing when shuffled; sorted
    collection_errors: tuple[str, ...]
    collected: int
    durations: Mapping[str, float]
    seconds: float  # wall time of a whole run
    notes: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)  # as in `Run`


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What an oracle found: the mutant's status and, where its claim held, the evidence for the case."""

    status: Status
    detail: str = ""  # why it is no case, in a sentence; "" where it is one
    proof: Mapping[str, Any] | None = None
    gained: tuple[str, ...] = ()  # tests that pass with the change and did not without it; they spoil a twin
    seconds: float = 0.0  # of test runs spent on it
    witness: Mapping[str, Any] | None = None  # an input that tells base and change apart, where no test does
    tiers: tuple[str, ...] = ()  # what was asked, in order: a "hot" fork with swapped code, a run by its tier


# ----------------------------------------------------------------------------------------------- corpus


class Label(StrEnum):
    BAD = "bad"
    GOOD = "good"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """All that a critic may see. *id* is opaque: it names neither label nor class."""

    id: str
    title: str
    body: str
    diff: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A change with its label, its evidence and where it came from: one row of a corpus."""

    id: str
    label: Label
    track: str
    defect_class: str
    operator: str
    title: str
    body: str
    description: str
    seed: Mapping[str, str]  # name, version, source, sha256
    base_patch: bytes
    diff: bytes
    path: str
    span: Mapping[str, int]  # start_line, end_line in the file after the diff
    function: str
    twin: str | None
    evidence: Mapping[str, Any]

    @property
    def change(self) -> Change:
        """What a critic is shown of this case."""
        return Change(id=digest(self.id, "opaque")[:12], title=self.title, body=self.body, diff=self.diff)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Cases with the manifest that says how they were made. *warnings*: what a reader had to forgive."""

    manifest: Mapping[str, Any]
    cases: tuple[Case, ...]
    warnings: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------ critique and scoring


class Said(StrEnum):
    """A critic's word on a change. INVALID: no usable answer, never counted as an approval."""

    PASS = "PASS"
    FAIL = "FAIL"
    ABSTAIN = "ABSTAIN"
    INVALID = "INVALID"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    path: str
    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    said: Said
    reason: str = ""  # why INVALID or ABSTAIN; else the critic's summary
    findings: tuple[Finding, ...] = ()
    confidence: float | None = None  # 0..1
    usage: Mapping[str, int] = field(default_factory=dict)  # tokens by kind
    cost: float | None = None  # US dollars
    latency: float | None = None  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A rate with its interval and its n; *value* is None where nothing was measured."""

    hits: int
    n: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One case and what a critic said of it."""

    id: str
    label: Label
    defect_class: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """All scores of one critic on one corpus."""

    backend: str
    corpus: str
    judgements: tuple[Judgement, ...]
    false_pass: Score
    false_fail: Score
    by_class: Mapping[str, Score]  # false-pass rate of each fault class
    invalid: int
