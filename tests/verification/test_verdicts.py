"""What one run says of a change."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bebug.records import Baseline, Ending, Outcome, Run, Status
from bebug.verification import judge

BASE = Baseline(
    green=("a", "b", "c"),
    set_aside=("flaky", "red"),
    order_dependent=(),
    collection_errors=("tests/test_opt.py",),
    collected=6,
    durations={},
    seconds=1.0,
)


def run(outcomes: Mapping[str, str], ending: Ending = Ending.FINISHED, errors: tuple[str, ...] = ()) -> Run:
    told = {test: Outcome(name) for test, name in outcomes.items()}
    return Run(ending=ending, outcomes=told, collection_errors=errors)


GREEN = {"a": "passed", "b": "passed", "c": "passed"}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, Status.SURVIVED),
        ({"b": "failed"}, Status.KILLED),
        ({"b": "error"}, Status.KILLED),
        ({"b": "skipped"}, Status.LOST),
        ({"b": "xfailed"}, Status.LOST),
        ({"b": "failed", "c": "skipped"}, Status.KILLED),
        ({"red": "failed", "flaky": "failed"}, Status.SURVIVED),
        ({"red": "passed", "flaky": "passed"}, Status.SURVIVED),
        ({"skipped before": "failed"}, Status.SURVIVED),
    ],
)
def test_only_green_tests_speak(change: dict[str, str], status: Status) -> None:
    assert judge(BASE, run({**GREEN, **change})).status is status


def test_an_absent_test_is_lost_and_never_failed() -> None:
    judged = judge(BASE, run({"a": "passed", "c": "passed", "b2": "passed"}))
    assert (judged.status, judged.lost, judged.fail_to_pass) == (Status.LOST, ("b",), ())


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        (Ending.TIMEOUT, Status.TIMEOUT),
        (Ending.CRASH, Status.CRASH),
        (Ending.ABORTED, Status.ABORTED),
        (Ending.NOT_STARTED, Status.BROKEN),
    ],
)
def test_a_bad_end_is_no_kill_even_where_tests_failed(ending: Ending, status: Status) -> None:
    assert judge(BASE, run({"a": "failed"}, ending)).status is status


def test_only_new_collection_errors_break() -> None:
    assert judge(BASE, run(GREEN, errors=("tests/test_opt.py",))).status is Status.SURVIVED
    broken = judge(BASE, run({"a": "failed"}, errors=("tests/test_opt.py", "tests/test_b.py")))
    assert broken.status is Status.BROKEN


def test_gained_are_tests_that_were_not_green_and_count() -> None:
    judged = judge(BASE, run({**GREEN, "red": "passed", "skipped before": "passed", "new": "passed"}))
    assert judged.gained == ("skipped before", "new")


def test_lists_are_in_suite_order() -> None:
    judged = judge(BASE, run({"c": "failed", "b": "passed", "a": "failed"}))
    assert (judged.fail_to_pass, judged.pass_to_pass) == (("a", "c"), ("b",))


def test_another_base_has_its_own_green_tests() -> None:
    judged = judge(BASE, run({"a": "failed", "d": "passed"}), green=["d"])
    assert (judged.status, judged.pass_to_pass, judged.gained) == (Status.SURVIVED, ("d",), ())
