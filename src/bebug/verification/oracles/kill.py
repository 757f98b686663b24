"""The kill oracle: a claim to break holds where tests that passed fail, in the whole suite, twice alike.

The proof is two whole runs in suite order. Where the bench screens, the coverage map chooses what looks at a
change beforehand; that may miss what a test leaves in memory for later ones, which then do not reach it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bebug.records import Claim, Evidence, Failure, Run, Status
from bebug.verification.candidate import Candidate
from bebug.verification.cold import Shot
from bebug.verification.forks import HOT, key_of, sampled
from bebug.verification.oracles._whole import Bench, Examination, differ, flaky_detail, passing
from bebug.verification.selection import LONGEST, patience, reaching, screen, seconds_of
from bebug.verification.verdicts import Judged, judge

DETAILS = {
    Status.SURVIVED: "no test notices the change",
    Status.BROKEN: "the suite cannot be loaded with the change",
    Status.LOST: "tests are skipped or gone with the change, and none fails",
    Status.TIMEOUT: "the suite hangs with the change",
    Status.CRASH: "the test process is killed by a signal with the change",
    Status.ABORTED: "the test session ends early with the change",
}


class Kill:
    """Examines candidates that are claimed to break the code."""

    claim = Claim.BREAKS

    def examine(self, laboratory: Bench, candidate: Candidate) -> Evidence:
        """Evidence with a `proof` of kind `tests`, or the status and the reason why there is none."""
        work = Examination(bench=laboratory, candidate=candidate)
        found = unfit(work) or screened(work) or proved(work)
        return explained(work, found) if found.status is Status.SURVIVED else found

    def prepare(self, laboratory: Bench, candidates: Sequence[Candidate]) -> None:
        """Ask forks about all of *candidates* in one session; `examine` then finds the answers there."""
        if laboratory.screens:
            shots = (shot_of(laboratory, candidate) for candidate in candidates)
            laboratory.forks.ask([shot for shot in shots if shot is not None])


def unfit(work: Examination) -> Evidence | None:
    """A change that does not compile, or that compiles to the same code, needs no run."""
    before, after = work.codes()
    if before is None:
        return work.verdict(Status.NOT_APPLICABLE, "the file does not compile on the seed's interpreter")
    if after is None:
        return work.verdict(Status.UNVIABLE, "the change does not compile on the seed's interpreter")
    if before == after:
        return work.verdict(Status.EQUIVALENT, "the change compiles to the same code")
    return None


def shot_of(bench: Bench, candidate: Candidate) -> Shot | None:
    """A shot at the tests that were seen at the change; None where it cannot tell which they are."""
    base, reach, path, lines = bench.current, bench.reach, candidate.path, candidate.lines
    tests = reaching(base, reach, path, lines).tests or ()
    tests = tuple(test for test in tests if test not in reach.always)
    if not tests or seconds_of(base, tests) > LONGEST:
        return None
    overlay = {path: candidate.after}
    early = reach.seen(path, *lines).early  # they may have left something that swapped code does not change
    return Shot(
        key=key_of(overlay), overlay=overlay, tests=tests, **patience(base, tests), enough=1, fresh=early
    )


def screened(work: Examination) -> Evidence | None:
    """What the tests that reach the change say, where that may settle it: in a fork, else in a run."""
    base, candidate = work.bench.current, work.candidate
    plan = screen(base, work.bench.reach, candidate.path, candidate.lines)
    if plan.unreached:
        return work.verdict(Status.NO_TESTS, "no passing test reaches the changed lines")
    if not work.bench.screens:
        return None
    hit = None if work.bench.forks.doubted else work.bench.forks.said(key_of(work.overlay))
    if hit is not None:
        work.tiers += (HOT,)
    if hit is not None and hit.status == Status.KILLED:
        return None
    if hit is not None and hit.status == Status.SURVIVED and not work.bench.reach.always:
        return noticed_by_none(work)
    if plan.tests is None:
        return None
    status = judge(base, work.run(plan.tests, warm=True), green=plan.tests).status
    if status in (Status.SURVIVED, Status.TIMEOUT):
        return work.verdict(status, DETAILS[status])
    return None


def noticed_by_none(work: Examination) -> Evidence | None:
    """What forks alone settle, but for a sample that whole runs must say as well."""
    if sampled(key_of(work.overlay)):
        _, judged = work.whole(warm=True)
        if judged.status is not Status.SURVIVED:
            killers = ", ".join(judged.fail_to_pass[:1]) or judged.status
            work.bench.doubt(f"{killers} notices in a whole run what it does not in a fork")
            return None
    return work.verdict(Status.SURVIVED, DETAILS[Status.SURVIVED])


def proved(work: Examination) -> Evidence:
    """Two whole runs, and what must hold of the tests that fail in them."""
    run, first = work.whole(warm=True)
    if first.status is Status.SURVIVED and not work.seen.executed and work.bench.reach.known:
        return work.verdict(Status.NO_TESTS, "no passing test reaches the changed lines")
    if first.status is not Status.KILLED:
        return work.verdict(first.status, DETAILS[first.status])
    run, again, first, second = work.again(run, first)
    if first.status is not Status.KILLED:
        return work.verdict(first.status, DETAILS[first.status])
    if Status.TIMEOUT in (first.status, second.status):
        return work.verdict(Status.TIMEOUT, DETAILS[Status.TIMEOUT])
    if differ(first, second):
        return work.verdict(Status.FLAKY, flaky_detail(first, second))
    doubt = starved(work, run, again, first) or doubtful(work, first)
    if doubt is not None:
        return doubt
    proof = {
        "proof": "tests",
        "fail_to_pass": sorted(first.fail_to_pass),
        **passing(first, work.seen),
        "signature": signature(run, again, first),
        "witness": work.bench.witness(work.candidate).witness,
    }
    return Evidence(
        status=Status.KILLED,
        proof=proof,
        gained=tuple(dict.fromkeys(first.gained + second.gained)),
        seconds=work.seconds,
        tiers=work.tiers,
    )


def explained(work: Examination, evidence: Evidence) -> Evidence:
    """*evidence* of a change that no test notices, with an input on which it shows, where one is found."""
    witness = work.bench.witness(work.candidate).witness
    if witness is None:
        return evidence
    told = "no test notices the change: {call} gives {before} before, and {after} with it"
    return replace(evidence, witness=witness, detail=told.format(**witness))


def starved(work: Examination, run: Run, again: Run, judged: Judged) -> Evidence | None:
    """A kill by a limit on time, memory or files is a hang by another name: that test might never end."""
    failing = frozenset(judged.fail_to_pass)
    for failure in (*run.failures, *again.failures):
        if failure.test not in failing:
            continue
        if failure.exception == "MemoryError":
            return work.verdict(Status.TIMEOUT, f"{failure.test} runs out of the memory that a run may use")
        if failure.exception == "OSError" and "File too large" in failure.message:
            return work.verdict(Status.TIMEOUT, f"{failure.test} writes a larger file than a run may write")
        if failure.exception == "Failed" and failure.message.startswith("Timeout"):
            return work.verdict(Status.TIMEOUT, f"{failure.test} runs out of the time that its suite allows")
    return None


def doubtful(work: Examination, judged: Judged) -> Evidence | None:
    """A kill that proves nothing: no killer was seen at the change, all read the source, or one is flaky."""
    failing, seen, reach = frozenset(judged.fail_to_pass), work.seen, work.bench.reach
    if reach.known and not seen.shared and not failing & seen.tests:
        return work.verdict(Status.KILLED, "unreached: no failing test was seen to reach the changed lines")
    if failing <= work.bench.source_readers:
        return work.verdict(Status.KILLED, "only tests that read the source notice the change")
    wrong = sorted(failing & work.waverers(judged.fail_to_pass))
    if wrong:
        return work.verdict(Status.FLAKY, f"{wrong[0]} also fails now and then without the change")
    return None


def signature(first: Run, second: Run, judged: Judged) -> dict[str, Any]:
    """How the first failing test fails, in words that both runs share."""
    test = judged.fail_to_pass[0]
    one, other = failure_of(first, test), failure_of(second, test)
    return {
        "exception": one.exception,
        "message": agreed(one.message, other.message),
        "frame": agreed(one.frame, other.frame),
    }


def failure_of(run: Run, test: str) -> Failure:
    for failure in run.failures:
        if failure.test == test:
            return failure
    return Failure(test=test, exception="", message="", frame="")


def agreed(one: str, other: str) -> str:
    """What two runs say alike: the text, else the text without its numbers, else nothing."""
    if one == other:
        return one
    blank = re.sub(r"\d+", "#", one)
    return blank if blank == re.sub(r"\d+", "#", other) else ""


oracle = Kill()
