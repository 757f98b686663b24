"""Hand-written cases, proved and written: `python -m bebug.pipeline.authoring DESCRIPTION.toml FOLDER`.

What a case claims is measured, never written by hand, and then proved once more from the finished record.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus import authoring, files, whole
from bebug.corpus.authoring import Script, Task
from bebug.corpus.cases import case_id, wording
from bebug.corpus.codecs import sl2
from bebug.corpus.manifest import build, seed_entry
from bebug.corpus.rows import stored
from bebug.corpus.whole import NAMES, Whole
from bebug.errors import BebugError, CorpusError, Unproved
from bebug.mutation.diffs import spans, unified
from bebug.pipeline.reproof import Prover
from bebug.records import Case, Claim, Corpus, Label, Mutant, Site, digest
from bebug.registry import load
from bebug.seeds import is_test_file, licences, open_workspace
from bebug.verification import Candidate, Laboratory

OPERATOR = "authored"
SHARED = ("fail_to_pass", "pass_to_pass", "pass_to_pass_rest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A task's file: in the pristine seed, where the change starts, and after it."""

    task: Task
    pristine: bytes
    base: bytes
    after: bytes


def author(file: Path, out: Path) -> Whole:
    """Prove the cases that *file* describes and write them to *out*, with SL-2's pair of files for each.

    A corpus that lies in *out* is replaced. Raises `CorpusError` where the description does not fit the seed,
    and `Unproved` where a case is not what it is said to be.
    """
    script = authoring.read(file)
    with open_workspace(script.seed, by_path=False) as workspace:
        with Laboratory(workspace) as laboratory:
            drafts = [draft_of(laboratory, task) for task in script.tasks]
            laboratory.baseline()
            paths = {path for draft in drafts for path in paths_of(draft.task)}
            laboratory.calibrate(sorted(path for path in paths if not is_test_file(workspace, path)))
            prover = Prover(laboratory, laboratory.set_aside)
            cases = {draft.task.name: proved(prover, laboratory, draft) for draft in drafts}
            entry = seed_entry(
                laboratory.seed,
                laboratory.baseline(),
                python=workspace.python_version,
                packages=workspace.packages,
                sandbox=laboratory.sandbox.tier,
            )
        notices = {workspace.seed.name: licences(workspace)}
    found = Whole(manifest=manifest(script, file, entry, cases), cases=[*cases.values()], licences=notices)
    pairs = sl2.pairs(Corpus(manifest=found.manifest, cases=tuple(found.cases)))
    if files.is_ours(out):
        shutil.rmtree(out)
    whole.write(found, out, beside=pairs)
    return found


def manifest(
    script: Script, file: Path, entry: Mapping[str, Any], cases: Mapping[str, Case]
) -> dict[str, Any]:
    """The manifest, with the authors' own names of the cases."""
    made = build(
        name=script.name,
        version=__version__,
        recipe={"authored": file.name, "sha256": digest(file.read_bytes())},
        seeds=[entry],
        cases=[*cases.values()],
        rejected=(),
    )
    return {**made, NAMES: dict(sorted((case.id, name) for name, case in cases.items()))}


def paths_of(task: Task) -> set[str]:
    """The files that a task changes."""
    return {task.path} | ({task.fault.path} if task.fault else set())


def draft_of(laboratory: Laboratory, task: Task) -> Draft:
    """The texts of *task*; a `CorpusError` where an anchor is not in its file, or the proof is unknown."""
    if task.proof not in MEASURES:
        raise CorpusError(f"{task.name}: there is no proof {task.proof!r}: {', '.join(MEASURES)}")
    pristine = laboratory.read(task.path)
    base = authoring.replaced(pristine, task.base, f"{task.name}: base of {task.path}")
    after = authoring.replaced(base, task.change, f"{task.name}: change of {task.path}")
    return Draft(task=task, pristine=pristine, base=base, after=after)


def proved(prover: Prover, laboratory: Laboratory, draft: Draft) -> Case:
    """The case of *draft* with what was measured; `Unproved` where that does not prove its label."""
    case = case_of(laboratory, draft, MEASURES[draft.task.proof](prover, laboratory, draft))
    if why := prover.fault(case):
        raise Unproved(f"{draft.task.name}: {why}")
    return case


def case_of(laboratory: Laboratory, draft: Draft, evidence: Mapping[str, Any]) -> Case:
    task, seed = draft.task, laboratory.seed
    title, body = wording(task.path, task.function)
    _, lines = spans(draft.base, draft.after)
    return Case(
        id=case_id(seed, mutant_of(draft)),
        label=task.label,
        track=OPERATOR,
        defect_class=task.defect_class,
        operator=f"{OPERATOR}/{task.name.replace('_', '-')}",
        title=title,
        body=body,
        description=task.description,
        seed={"name": seed.name, "version": seed.version, "source": seed.source, "sha256": seed.sha256},
        base_patch=unified(task.path, draft.pristine, draft.base),
        diff=unified(task.path, draft.base, draft.after),
        path=task.path,
        span={"start_line": lines.start_line, "end_line": lines.end_line},
        function=task.function,
        twin=None,
        evidence=evidence,
    )


def mutant_of(draft: Draft) -> Mutant:
    """The change as a mutant, by which its id is made: place and replacement, and nothing of the label."""
    task, source, edits = draft.task, draft.base, []
    for anchor in task.change:
        edits.append(anchor.edit(source, task.name))
        source = authoring.replaced(source, [anchor], task.name)
    old, _ = spans(draft.base, draft.after)
    site = Site(
        path=task.path,
        operator=OPERATOR,
        rule=task.name,
        start_line=old.start_line,
        end_line=old.end_line,
        function=task.function,
        text="",
    )
    claim = Claim.BREAKS if task.label is Label.BAD else Claim.PRESERVES
    return Mutant(site=site, claim=claim, edits=tuple(edits), operator_version=1, note=task.description)


# ------------------------------------------------------------------------------------------------ measures


def failing_tests(_: Prover, laboratory: Laboratory, draft: Draft) -> Mapping[str, Any]:
    """`tests`: what the change breaks of the pristine seed."""
    if draft.base != draft.pristine:
        raise CorpusError(f"{draft.task.name}: a fault starts from the pristine seed, and can have no base")
    return broken(laboratory, draft, draft.after)


def cured_tests(_: Prover, laboratory: Laboratory, draft: Draft) -> Mapping[str, Any]:
    """`fixes`: what the base breaks of the pristine seed, which the change gives back."""
    if draft.after != draft.pristine:
        raise CorpusError(f"{draft.task.name}: a fix must give the pristine file back")
    found = broken(laboratory, draft, draft.base)
    return {"proof": "fixes", "tier": "G1", **{key: found[key] for key in SHARED}}


def broken(laboratory: Laboratory, draft: Draft, after: bytes) -> Mapping[str, Any]:
    """The proof of the kill oracle that *after* breaks the pristine file."""
    lines, _ = spans(draft.pristine, after)
    candidate = Candidate(
        path=draft.task.path,
        before=draft.pristine,
        after=after,
        lines=(lines.start_line, lines.end_line),
    )
    oracle = next(each for each in load("oracles").values() if each.claim is Claim.BREAKS)
    evidence = oracle.examine(laboratory, candidate)
    if evidence.proof is None:
        raise Unproved(f"{draft.task.name}: {evidence.status}: {evidence.detail}")
    proof: Mapping[str, Any] = evidence.proof
    return proof


def lost_detection(prover: Prover, laboratory: Laboratory, draft: Draft) -> Mapping[str, Any]:
    """`detection-loss`: which tests notice the fault as long as the change does not weaken them."""
    task = draft.task
    strong = authoring.replaced(draft.base, task.reference, f"{task.name}: reference")
    return {
        "proof": "detection-loss",
        **noticed(prover, laboratory, draft, strong),
        "reference_diff": stored(unified(task.path, draft.base, strong)),
        "removed_tests": [],
        "still_killed": 0,
    }


def added_detection(prover: Prover, laboratory: Laboratory, draft: Draft) -> Mapping[str, Any]:
    """`adds-detection`: which tests notice the fault with the change."""
    shown = noticed(prover, laboratory, draft, draft.after)
    return {"proof": "adds-detection", "tier": "G1", **shown, "removed_tests": []}


def noticed(prover: Prover, laboratory: Laboratory, draft: Draft, tests: bytes) -> dict[str, Any]:
    """The fault, and which tests fail with it where the test file is *tests*."""
    task, shot = draft.task, draft.task.fault
    if shot is None:
        raise CorpusError(f"{task.name}: a proof by detection needs a fault")
    before = laboratory.read(shot.path)
    after = authoring.replaced(before, shot.anchors, f"{task.name}: fault in {shot.path}")
    line = spans(before, after)[1].start_line
    report = prover.report({task.path: tests, shot.path: after})
    return {
        "fault": {
            "diff": stored(unified(shot.path, before, after)),
            "operator": f"{OPERATOR}/{shot.rule}",
            "path": shot.path,
            "line": line,
        },
        "killed_by": sorted(report.failed),
    }


MEASURES = {
    "tests": failing_tests,
    "fixes": cured_tests,
    "detection-loss": lost_detection,
    "adds-detection": added_detection,
}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m bebug.pipeline.authoring DESCRIPTION.toml FOLDER")
    try:
        author(Path(sys.argv[1]), Path(sys.argv[2]))
    except BebugError as failure:
        sys.exit(f"error: {failure.message}")
