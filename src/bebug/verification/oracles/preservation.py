"""The preservation oracle: a claim to preserve survives where the whole suite, run twice, notices nothing.

It is the weaker of the two claims: it is not shown, it survives a search, and the proof says how hard we
looked.
"""

from __future__ import annotations

from bebug.records import Claim, Evidence, Status
from bebug.verification.candidate import Candidate
from bebug.verification.oracles._whole import Bench, Examination, differ, flaky_detail, passing
from bebug.verification.verdicts import Judged


class Preservation:
    """Examines candidates that are claimed to preserve behaviour."""

    claim = Claim.PRESERVES

    def examine(self, laboratory: Bench, candidate: Candidate) -> Evidence:
        """Evidence with a `proof` of kind `preserves`, tier G1, or the status and why there is none."""
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
    """Two whole runs, in neither of which a test that passed may fail or be lost."""
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
    proof = {
        "proof": "preserves",
        "tier": "G1",
        **known,
        "examples": 0,
        "equivalence": "bytecode" if same_code else None,
    }
    return Evidence(
        status=Status.SURVIVED, proof=proof, gained=first.gained, seconds=work.seconds, tiers=work.tiers
    )


def refutation(judged: Judged) -> str:
    """Which test speaks against the claim."""
    if judged.status is Status.KILLED:
        return f"{judged.fail_to_pass[0]} fails with the change"
    if judged.status is Status.LOST:
        return f"{judged.lost[0]} is skipped or gone with the change"
    return f"the suite does not load or end as it should with the change: {judged.status}"


oracle = Preservation()
