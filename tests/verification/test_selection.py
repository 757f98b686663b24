"""Which tests screen a change."""

from __future__ import annotations

from bebug.records import Baseline
from bebug.verification.reach import Reach
from bebug.verification.selection import screen


def base(*, durations: dict[str, float] | None = None, dependent: tuple[str, ...] = ()) -> Baseline:
    spent = durations or {"a": 1.0, "b": 1.0, "c": 8.0}
    return Baseline(
        green=("a", "b", "c"),
        set_aside=("red",),
        order_dependent=dependent,
        collection_errors=(),
        collected=4,
        durations=spent,
        seconds=sum(spent.values()) + 0.5,
    )


def reach(*tests: str, **more: object) -> Reach:
    marks = {1: frozenset({""}), **({2: frozenset(tests)} if tests else {})}
    return Reach(lines={"m.py": marks}, read=lambda path: b"def f():\n    return 1\n", **more)  # type: ignore[arg-type]


def test_those_that_reach_it_in_suite_order() -> None:
    assert screen(base(), reach("b", "a"), "m.py", (2, 2)).tests == ("a", "b")


def test_what_costs_as_much_as_the_suite_is_not_screened() -> None:
    assert screen(base(), reach("c"), "m.py", (2, 2)).tests is None


def test_order_dependent_tests_are_never_selected_alone() -> None:
    assert screen(base(dependent=("a",)), reach("a", "b"), "m.py", (2, 2)).tests is None


def test_tests_that_are_set_aside_reach_nothing() -> None:
    found = screen(base(), reach("red"), "m.py", (2, 2))
    assert found.unreached and found.tests is None


def test_a_line_that_nothing_reached_needs_no_run_only_where_all_was_seen() -> None:
    assert screen(base(), reach(), "m.py", (2, 2)).unreached
    hidden = screen(base(), reach(always=frozenset({"b"})), "m.py", (2, 2))
    assert not hidden.unreached and hidden.tests is None


def test_import_time_lines_go_to_the_whole_suite() -> None:
    found = screen(base(), reach("", "a"), "m.py", (2, 2))
    assert not found.unreached and found.tests is None
