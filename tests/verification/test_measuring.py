"""Which tests of several runs can be counted on."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from bebug.records import Baseline, Ending, Outcome, Run
from bebug.verification.baselines import Measurer
from bebug.verification.measuring import baseline_of, sort_tests, unstable_prefixes


def run(**outcomes: str) -> Run:
    return Run(ending=Ending.FINISHED, outcomes={name: Outcome(what) for name, what in outcomes.items()})


def named(*tests: str) -> Run:
    return Run(ending=Ending.FINISHED, outcomes=dict.fromkeys(tests, Outcome.PASSED))


def test_each_kind_has_its_heap() -> None:
    found = sort_tests(
        [
            run(
                good="passed",
                red="failed",
                coin="passed",
                odd="passed",
                skip="skipped",
                x="xfailed",
                xx="xpassed",
            ),
            run(
                good="passed",
                red="error",
                coin="failed",
                odd="skipped",
                skip="skipped",
                x="xfailed",
                xx="xpassed",
            ),
        ]
    )
    assert found.green == ("good",)
    assert found.failing == ("red",)
    assert found.flaky == ("coin", "odd")
    assert found.expected == ("x", "xx")
    assert found.set_aside == ("coin", "odd", "red", "x", "xx")


def test_a_test_that_one_run_lacks_is_flaky() -> None:
    assert sort_tests([run(a="passed", b="passed"), run(a="passed")]).flaky == ("b",)


def test_changing_parameters_are_named_up_to_the_bracket() -> None:
    runs = [named("t.py::a[1701]", "t.py::b", "t.py::c[x]"), named("t.py::a[1702]", "t.py::b", "t.py::c[x]")]
    assert unstable_prefixes(runs) == ("t.py::a[",)


def test_stable_names_need_no_deselecting() -> None:
    assert unstable_prefixes([named("t.py::a[1]"), named("t.py::a[1]")]) == ()


def test_flaky_tests_are_neither_green_nor_order_dependent() -> None:
    found = baseline_of(
        [named("a", "b"), named("a", "b")], order_dependent=["a", "b"], flaky=["b"], notes=["n"]
    )
    assert (found.green, found.order_dependent, found.set_aside) == (("a",), ("a",), ("b",))


def measured(alone: Sequence[Run], at_once: Sequence[Run], jobs: int) -> tuple[Measurer, Baseline]:
    """What a measurer makes of runs that come *alone*, in this order, and of those that come *at_once*."""
    waiting, main = list(alone), threading.get_ident()
    beside = list(at_once)

    def answer(shuffle: int | None) -> Run:
        return (waiting if threading.get_ident() == main else beside).pop(0)

    measurer = Measurer(run=answer, deselect=lambda names: None, python=Path("python"), jobs=jobs)
    return measurer, measurer.baseline()


def test_runs_at_once_serve_a_baseline_where_they_agree() -> None:
    steady = run(a="passed", b="passed")
    measurer, found = measured([steady], [steady] * 3, jobs=2)
    assert set(found.green) == {"a", "b"} and len(measurer.crowd) == 2


def test_runs_at_once_that_disturb_each_other_set_no_test_aside() -> None:
    steady, disturbed = run(a="passed", b="passed"), run(a="passed", b="failed")
    for at_once in ([steady, disturbed, steady], [steady, steady, disturbed]):
        _, found = measured([steady] * 3, at_once, jobs=2)
        assert set(found.green) == {"a", "b"} and not found.set_aside and not found.order_dependent
