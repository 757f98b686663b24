"""Which tests of several runs can be counted on."""

from __future__ import annotations

from bebug.records import Ending, Outcome, Run
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
