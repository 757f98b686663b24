"""The preservation oracle: a claim to preserve survives where the whole suite, run twice, notices nothing.

It is the weaker of the two claims: it is not shown, it survives a search, and the proof says how hard we
looked. G1: the suite is green. G2: also, the faults of the touched function that tests notice are noticed
still. G3: also, the code is the same, or no input was found on which the two versions differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bebug.records import Claim, Evidence, Files, Status
from bebug.verification.candidate import Candidate, Planted
from bebug.verification.cold import Shot
from bebug.verification.forks import key_of
from bebug.verification.oracles._whole import Bench, Examination, differ, flaky_detail, passing
from bebug.verification.selection import LONGEST, patience, reaching, seconds_of
from bebug.verification.verdicts import Judged, judge
from bebug.verification.witness import NONE

TELLING = 30
"""Inputs that told something and showed no difference, for a search to count."""
ASKED = 3  # faults that forks cannot tell of, for which tests are run


class Preservation:
    """Examines candidates that are claimed to preserve behaviour."""

    claim = Claim.PRESERVES

    def examine(self, laboratory: Bench, candidate: Candidate) -> Evidence:
        """Evidence with a `proof` of kind `preserves` and its tier, or the status and why there is none."""
        work = Examination(bench=laboratory, candidate=candidate)
        before, after = work.codes()
        if before is None:
            return work.verdict(Status.NOT_APPLICABLE, "the file does not compile on the seed's interpreter")
        if after is None:
            return work.verdict(Status.UNVIABLE, "the change does not compile on the seed's interpreter")
        if laboratory.reach.silent(candidate.path, *candidate.lines):
            return work.verdict(Status.NO_TESTS, "no passing test reaches the changed lines")
        return searched(work, same_code=before == after)


def searched(work: Examination, *, same_code: bool) -> Evidence:
    """Two whole runs, in neither of which a test that passed may fail or be lost; then what else there is."""
    run, first = work.whole(warm=True)
    if first.status is not Status.SURVIVED:
        return work.verdict(first.status, refutation(first))
    *_, first, second = work.again(run, first)
    if first.status is not Status.SURVIVED:
        return work.verdict(first.status, refutation(first))
    if differ(first, second):
        return work.verdict(Status.FLAKY, flaky_detail(first, second))
    seen = work.seen
    known = passing(first, seen)
    if not known["pass_to_pass"] and not seen.shared:
        return work.verdict(Status.NO_TESTS, "no passing test was seen to reach the changed lines")
    found = graded(work, same_code=same_code)
    if isinstance(found, Evidence):
        return found
    proof = {"proof": "preserves", **known, **found}
    return Evidence(
        status=Status.SURVIVED, proof=proof, gained=first.gained, seconds=work.seconds, tiers=work.tiers
    )


def graded(work: Examination, *, same_code: bool) -> dict[str, Any] | Evidence:
    """The tier of a change that the suite bears, with what it rests on; or evidence against it."""
    if same_code:  # whatever notices a fault in the one notices it in the other
        return {"tier": "G3", "kept_kills": None, "examples": 0, "equivalence": "bytecode"}
    found = work.bench.witness(work.candidate)
    if found.witness is not None:
        shown = "{call} gives {before} before, and {after} with the change".format(**found.witness)
        return Evidence(
            status=Status.KILLED,
            detail=shown,
            witness=found.witness,
            seconds=work.seconds,
            tiers=work.tiers,
        )
    kept, missed = kept_kills(work)
    if missed:
        return work.verdict(Status.KILLED, f"with the change no test notices this fault any more: {missed}")
    examples = found.examples if found.why == NONE else 0
    tier = "G1" if kept == 0 else "G3" if examples >= TELLING else "G2"
    return {"tier": tier, "kept_kills": kept, "examples": examples, "equivalence": None}


def kept_kills(work: Examination) -> tuple[int, str]:
    """How many faults of the function tests notice in both versions; one that they notice only before."""
    kept = asked = 0
    faults = work.candidate.faults()
    said = shot(work, faults)
    for fault in faults:
        verdicts: list[Status | None] = []
        for overlay in overlays(work, fault):
            verdict = said.get(key_of(overlay))
            if verdict is None and asked < 2 * ASKED:
                asked += 1
                verdict = measured(work, fault, overlay)
            verdicts.append(verdict)
            if verdict is not Status.KILLED:
                break
        if verdicts == [Status.KILLED, Status.KILLED]:
            kept += 1
        elif verdicts == [Status.KILLED, Status.SURVIVED]:
            return kept, fault.name
    return kept, ""


def overlays(work: Examination, fault: Planted) -> list[Files]:
    return [{work.candidate.path: content} for content in (fault.before, fault.after)]


def shot(work: Examination, faults: Sequence[Planted]) -> dict[str, Status]:
    """What forks say of *faults* in both versions, by key; what they cannot tell is missing."""
    base, reach = work.bench.current, work.bench.reach
    shots = []
    for fault in faults:
        tests = reaching(base, reach, work.candidate.path, fault.lines).tests or ()
        tests = tuple(test for test in tests if test not in reach.always)
        if not tests or seconds_of(base, tests) > LONGEST or work.bench.forks.doubted:
            continue
        early = reach.seen(work.candidate.path, *fault.lines).early
        shots += [
            Shot(
                key=key_of(overlay),
                overlay=overlay,
                tests=tests,
                **patience(base, tests),
                enough=1,
                fresh=early,
            )
            for overlay in overlays(work, fault)
        ]
    work.bench.forks.ask(shots)
    hits = {each.key: work.bench.forks.said(each.key) for each in shots}
    known = {"killed": Status.KILLED, "survived": Status.SURVIVED}
    return {key: known[hit.status] for key, hit in hits.items() if hit is not None and hit.status in known}


def measured(work: Examination, fault: Planted, overlay: Files) -> Status:
    """What the tests that reach *fault* say of it."""
    base = work.bench.current
    plan = reaching(base, work.bench.reach, work.candidate.path, fault.lines)
    if plan.unreached:
        return Status.NO_TESTS
    run = work.bench.run(overlay, tests=plan.tests, stop_at_first=True, warm=True)
    return judge(base, run, green=plan.tests).status


def refutation(judged: Judged) -> str:
    """Which test speaks against the claim."""
    if judged.status is Status.KILLED:
        return f"{judged.fail_to_pass[0]} fails with the change"
    if judged.status is Status.LOST:
        return f"{judged.lost[0]} is skipped or gone with the change"
    return f"the suite does not load or end as it should with the change: {judged.status}"


oracle = Preservation()
