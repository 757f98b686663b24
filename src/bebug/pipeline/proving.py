"""Proving any diff of the user's own: the same instrument as for mutants, one verdict for one diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug.errors import SeedError, UsageError
from bebug.pipeline.observer import Observer
from bebug.records import Ending, Failure, Files, Run, Status, Workspace
from bebug.seeds import is_test_file, open_workspace
from bebug.verification import Judged, Laboratory, Limits, judge

REPEATS = 3  # runs of the untouched seed that tell a flaky test from a flaky mutant


@dataclass(slots=True)
class Proof:
    """What is told of a diff: one of the words of docs/corpus.md for a mutant, and what it rests on."""

    verdict: str
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    failure: Failure | None = None
    output: str = ""  # the end of what pytest printed, where no test tells the reason
    set_aside: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The object that `bebug prove --json` prints."""
        failure = None
        if self.failure is not None:
            failure = {
                name: getattr(self.failure, name) for name in ("test", "exception", "message", "frame")
            }
        return {
            "verdict": self.verdict,
            "fail_to_pass": list(self.fail_to_pass),
            "pass_to_pass": list(self.pass_to_pass),
            "lost": list(self.lost),
            "failure": failure,
            "output": self.output,
            "set_aside": list(self.set_aside),
            "notes": self.notes,
        }


def prove(
    spec: str,
    diff: bytes,
    *,
    python: Path | None,
    pytest_args: Sequence[str],
    limits: Limits,
    observer: Observer,
) -> Proof:
    """Run the whole suite of seed *spec* with *diff* applied, twice, against a baseline taken now.

    Raises `UsageError` for a diff that does not apply or changes nothing, `SeedError` where no verdict can be
    trusted: a red baseline, or a changed file that is not what the tests import.
    """
    if not diff.strip():
        raise UsageError("the diff is empty: there is nothing to prove")
    with open_workspace(spec, python=python, pytest_args=pytest_args, notify=observer.note) as workspace:
        undone = undo(workspace, diff, limits)
        with Laboratory(workspace, limits=limits, notify=observer.note) as laboratory:
            proof = examined(laboratory, diff, observer)
    if undone:
        proof.notes.insert(0, "the diff is in the tree already: its base is the tree without it")
    return proof


def undo(workspace: Workspace, diff: bytes, limits: Limits) -> bool:
    """Take *diff* back in the workspace's own copy where it is there already, as after `git diff`."""
    with Laboratory(workspace, limits=limits) as laboratory:
        try:
            laboratory.apply(diff)
        except UsageError:
            try:
                before = laboratory.unapply(diff)
            except UsageError:
                return False
        else:
            return False
    for path, content in before.items():
        if content is None:
            (workspace.tree / path).unlink()
        else:
            (workspace.tree / path).parent.mkdir(parents=True, exist_ok=True)
            (workspace.tree / path).write_bytes(content)
    return True


def examined(laboratory: Laboratory, diff: bytes, observer: Observer) -> Proof:
    """The proof of *diff* in a laboratory that holds its base."""
    workspace = laboratory.workspace
    overlay = laboratory.apply(diff)
    if not overlay:
        raise UsageError("the diff changes no file of the seed")
    observer.stage("baseline", None)
    baseline = laboratory.baseline()
    touched = [path for path in overlay if path.endswith(".py") and (workspace.tree / path).is_file()]
    uncompiled = [path for path in touched if laboratory.compile(path, [laboratory.read(path)]) == [None]]
    if touched and uncompiled == touched:
        version = workspace.python_version
        note = f"{', '.join(touched)}: does not compile on Python {version}, so nothing runs it"
        return Proof(verdict=Status.NO_TESTS, notes=[*baseline.notes, note])
    sources = [path for path in touched if not is_test_file(workspace, path)]
    calibration = laboratory.calibrate([path for path in sources if path not in uncompiled])
    notes = [*baseline.notes]
    for path, why in calibration.idle.items():
        if why.elsewhere:
            raise SeedError(
                f"{path}: {why.reason}", detail="No verdict about a file that the tests do not load."
            )
        notes.append(f"{path}: {why.reason}")
    observer.stage("proof", 2)
    proof = _verdict(laboratory, overlay, observer)
    if proof.verdict == Status.KILLED and (wrong := laboratory.disturbed()):
        raise SeedError(
            f"{wrong[0]} fails without the diff too, now that it ran with it: tests leave something behind "
            "outside their copy (a file, a lock, a server)"
        )
    proof.notes = [*notes, *proof.notes]
    proof.set_aside = tuple(sorted(laboratory.set_aside))
    return proof


def _verdict(laboratory: Laboratory, overlay: Files, observer: Observer) -> Proof:
    runs: list[Run] = []
    for _ in range(2):
        runs.append(laboratory.run(overlay))
        observer.step(runs[-1].ending.value)
    first, second = (judge(laboratory.current, run) for run in runs)
    proof = _told(runs[0], first)
    if first.status == second.status and first.fail_to_pass == second.fail_to_pass:
        return proof
    return _settled(laboratory, runs, proof)


def _settled(laboratory: Laboratory, runs: list[Run], proof: Proof) -> Proof:
    """Two runs that differ: where the untouched seed wavers too, the test is to blame, else the change."""
    judged = [judge(laboratory.current, run) for run in runs]
    wavering = set(judged[0].fail_to_pass) ^ set(judged[1].fail_to_pass)
    for _ in range(REPEATS):
        untouched = judge(laboratory.current, laboratory.run({}))
        flaky = wavering & {*untouched.fail_to_pass, *untouched.lost}
        if flaky:
            laboratory.put_aside(flaky)
            wavering -= flaky
    first, second = (judge(laboratory.current, run) for run in runs)
    if wavering or first.status != second.status:
        proof.verdict = Status.FLAKY
        proof.notes.append("two runs with the change differ: " + ", ".join(sorted(wavering)[:5]))
        return proof
    settled = _told(runs[0], first)
    settled.notes.append("a test that also fails now and then on the untouched seed was set aside")
    return settled


def _told(run: Run, judged: Judged) -> Proof:
    failing = set(judged.fail_to_pass)
    failure = next((failure for failure in run.failures if failure.test in failing), None)
    silent = run.ending is not Ending.FINISHED or judged.status is Status.BROKEN
    return Proof(
        verdict=judged.status,
        fail_to_pass=judged.fail_to_pass,
        pass_to_pass=judged.pass_to_pass,
        lost=judged.lost,
        failure=failure,
        output=run.tail if silent else "",
    )
