"""Auditing: what can be said of a corpus as a whole, from its records: soundness, shortcuts, repetition."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug import patches
from bebug.corpus import load
from bebug.errors import CorpusError
from bebug.patches import Kind
from bebug.pipeline.observer import Observer
from bebug.records import Case, Label, Said
from bebug.registry import load as load_set
from bebug.scoring.shortcuts import Item, Leak, leaks

MARGIN = 0.1
"""How far above chance the area under a shortcut's curve may lie."""
FEW_KILLERS = 2


@dataclass(slots=True, kw_only=True)
class Audit:
    """What an audit found. *unsound*: case → what is wrong with it; *leaks*: class → what shortcuts score."""

    corpus: str
    cases: int
    margin: float
    unsound: list[tuple[str, str]] = field(default_factory=list)
    leaks: dict[str, list[Leak]] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    near_duplicates: list[list[str]] = field(default_factory=list)
    few_killers: int = 0
    killed: int = 0
    witnessed: int = 0

    @property
    def leaking(self) -> list[tuple[str, Leak]]:
        """(class, shortcut) for each that beats chance by more than the margin."""
        return [
            (name, leak)
            for name, found in self.leaks.items()
            for leak in found
            if leak.auc is not None and leak.auc > 0.5 + self.margin
        ]

    def as_json(self) -> dict[str, Any]:
        """The object that `bebug audit --json` prints."""
        return {
            "corpus": self.corpus,
            "cases": self.cases,
            "unsound": [{"id": name, "why": why} for name, why in self.unsound],
            "margin": self.margin,
            "shortcuts": {
                name: [
                    {
                        "shortcut": each.shortcut,
                        "n": each.n,
                        "auc": each.auc,
                        "leaks": (name, each) in self.leaking,
                        "telling": list(each.telling),
                    }
                    for each in found
                ]
                for name, found in self.leaks.items()
            },
            "counts": {name: dict(sorted(found.items())) for name, found in self.counts.items()},
            "near_duplicates": self.near_duplicates,
            "killed_by_few_tests": self.few_killers,
            "bad_cases_proved_by_tests": self.killed,
            "bad_cases_with_a_witness": self.witnessed,
        }


def audit(folder: Path, *, margin: float = MARGIN, shortcuts: bool = True, observer: Observer) -> Audit:
    """Audit the corpus in *folder* from its records alone; `bebug replay` proves its labels again."""
    corpus = load(folder)
    if not corpus.cases:
        raise CorpusError(f"{folder} holds no case: nothing to audit")
    for warning in corpus.warnings:
        observer.note(warning)
    found = Audit(
        corpus=str(corpus.manifest.get("name", folder.name)), cases=len(corpus.cases), margin=margin
    )
    found.unsound = list(unsound(corpus.cases))
    found.counts = counted(corpus.cases)
    found.near_duplicates = near_duplicates(corpus.cases)
    proved = [case for case in corpus.cases if case.evidence.get("proof") == "tests"]
    found.killed = len(proved)
    found.few_killers = sum(len(case.evidence.get("fail_to_pass") or ()) <= FEW_KILLERS for case in proved)
    found.witnessed = sum(bool(case.evidence.get("witness")) for case in proved)
    if shortcuts:
        groups = comparable(corpus.cases)
        observer.stage("shortcuts", len(groups))
        for name, members in groups.items():
            found.leaks[name] = leaks([item_of(case) for case in members])
            observer.step("class")
    return found


# ---------------------------------------------------------------------------------------------- soundness


def unsound(cases: Sequence[Case]) -> Iterator[tuple[str, str]]:
    """(id, what is wrong) for each property that a case or its twin lacks."""
    known: dict[str, Case] = {}
    for case in cases:
        if case.id in known:
            yield case.id, "another case has the same id"
        known[case.id] = case
    for case in cases:
        for why in faults_of(case, known):
            yield case.id, why


def faults_of(case: Case, known: Mapping[str, Case]) -> Iterator[str]:
    """What is wrong with *case*, in words."""
    read = patches.read(case.diff)
    lines = [line for file in read.files for line in file.lines]
    if read.faults:
        yield f"its diff: {read.faults[0]}"
    if not any(line.kind is not Kind.CONTEXT for line in lines):
        yield "its diff changes nothing"
    if case.path not in [file.path for file in read.files]:
        yield f"its diff does not touch {case.path}"
    if case.label is Label.BAD and case.defect_class == "none":
        yield "a bad case without a class"
    if case.label is Label.GOOD and case.defect_class != "none":
        yield "a good case with a class of faults"
    said = f"{case.title} {case.body}"
    for name in (case.path, case.function, case.path.rpartition("/")[2]):
        said = said.replace(name, "") if name else said  # the code may be called as it likes
    for word in (case.defect_class, case.operator.partition("/")[0], case.label.value):
        if word != "none" and word.lower() in said.lower().split():
            yield f"its title or body holds the word {word!r}"
    for name in NEEDED.get(str(case.evidence.get("proof")), ("proof",)):
        if not case.evidence.get(name):
            yield f"its evidence lacks {name}"
    if case.twin is not None:
        yield from unlike(case, known.get(case.twin))


NEEDED = {
    "tests": ("fail_to_pass", "signature"),
    "detection-loss": ("fault", "killed_by"),
    "witness": ("witness",),
    "fixes": ("fail_to_pass", "tier"),
    "adds-detection": ("fault", "killed_by", "tier"),
    "preserves": ("tier",),
}
"""Proof → what its evidence must say."""


def unlike(case: Case, twin: Case | None) -> Iterator[str]:
    """What *case* and its *twin* should share and do not."""
    if twin is None:
        yield "its twin is not in the corpus"
        return
    if twin.twin != case.id:
        yield "its twin names another"
    if twin.label is case.label:
        yield "its twin has the same label"
    for name in ("title", "body", "path"):
        if getattr(twin, name) != getattr(case, name):
            yield f"its twin has another {name}"


def counted(cases: Iterable[Case]) -> dict[str, Counter[str]]:
    """How many cases there are by label, class, track, seed, file and tier of control."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        seed = str(case.seed.get("name"))
        found["label"][case.label.value] += 1
        found["track"][case.track] += 1
        found["class"][case.defect_class] += 1
        found["seed"][seed] += 1
        found["file"][f"{seed}/{case.path}"] += 1
        if case.label is Label.GOOD:
            found["tier"][str(case.evidence.get("tier"))] += 1
    return dict(found)


def near_duplicates(cases: Iterable[Case]) -> list[list[str]]:
    """Bad cases of the same function that the same tests notice, by id, the largest groups first."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for case in cases:
        killers = case.evidence.get("fail_to_pass") or case.evidence.get("killed_by")
        if case.label is Label.BAD and killers:
            key = (str(case.seed.get("name")), case.path, case.function, *map(str, killers))
            found[key].append(case.id)
    groups = [sorted(ids) for ids in found.values() if len(ids) > 1]
    return sorted(groups, key=lambda ids: (-len(ids), ids))


# ---------------------------------------------------------------------------------------------- shortcuts


def comparable(cases: Sequence[Case]) -> dict[str, list[Case]]:
    """Class → its bad cases and the good ones that they are to be told from.

    Those are their twins, and the good cases without a twin that change the same side: source, or tests.
    """
    known = {case.id: case for case in cases}
    controls = [case for case in cases if case.label is Label.GOOD and case.twin is None]
    found: dict[str, list[Case]] = {}
    for name in sorted({case.defect_class for case in cases if case.label is Label.BAD}):
        bad = [case for case in cases if case.label is Label.BAD and case.defect_class == name]
        twins = [known[case.twin] for case in bad if case.twin in known]
        in_tests = all(case.track == "test" for case in bad)
        beside = [case for case in controls if (case.evidence.get("proof") == "adds-detection") == in_tests]
        found[name] = [*bad, *twins, *beside]
    return found


def item_of(case: Case) -> Item:
    """*case* as a shortcut sees it."""
    read = patches.read(case.diff)
    lines = [line for file in read.files for line in file.lines]

    def texts(kind: Kind) -> tuple[str, ...]:
        return tuple(line.text.decode("utf-8", "replace") for line in lines if line.kind is kind)

    mock = load_set("critics")["mock"]("")
    return Item(
        id=case.id,
        bad=case.label is Label.BAD,
        group=str(case.seed.get("name")),
        title=case.title,
        body=case.body,
        added=texts(Kind.ADDED),
        removed=texts(Kind.REMOVED),
        hunks=sum(len(file.hunks) for file in read.files),
        failed=mock.review(case.change).said is Said.FAIL,
    )
