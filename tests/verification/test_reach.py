"""Lines to tests, with the extents of statements."""

from __future__ import annotations

import pytest

from bebug.verification.reach import Reach

SOURCE = b"""import os                       # 1
X = [                           # 2
    1,                          # 3
]                               # 4
@staticmethod                   # 5
def f(                          # 6
    a,                          # 7
    b=2,                        # 8
):                              # 9
    if (a                       # 10
            and b):             # 11
        return 1                # 12
    else:                       # 13
        x = g(                  # 14
            a,                  # 15
        )                       # 16
    try:                        # 17
        h()                     # 18
    except ValueError:          # 19
        pass                    # 20
    # nothing                   # 21
    match a:                    # 22
        case 1:                 # 23
            return 2            # 24
"""


def reach(lines: dict[int, set[str]], **more: object) -> Reach:
    marks = {1: frozenset({""}), **{line: frozenset(tests) for line, tests in lines.items()}}
    return Reach(lines={"m.py": marks}, read=lambda path: SOURCE, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("span", "lines"),
    [
        ((3, 3), {2, 3, 4}),
        ((8, 8), {5, 6, 7, 8, 9}),
        ((11, 11), {10, 11}),
        ((12, 12), {12}),
        ((15, 15), {14, 15, 16}),
        ((10, 12), {10, 11, 12}),
        ((13, 13), {10, 11, 13}),
        ((19, 19), {19}),
        ((21, 21), {5, 6, 7, 8, 9, 21}),
        ((23, 23), {23}),
    ],
)
def test_a_change_belongs_to_all_lines_of_its_statements(span: tuple[int, int], lines: set[int]) -> None:
    assert reach({}).statement_lines("m.py", *span) == lines


def test_tests_of_every_line_count_and_the_hidden_ones_come_along() -> None:
    found = reach({10: {"t1"}, 11: {"t2"}}, always=frozenset({"spawns"}))
    assert found.tests("m.py", 10, 10) == {"t1", "t2", "spawns"}
    assert found.seen("m.py", 10, 10).tests == {"t1", "t2"}


def test_shared_lines_mean_all_tests() -> None:
    assert reach({2: {"", "t1"}}).tests("m.py", 4, 4) is None


def test_an_unseen_line_means_all_tests_unless_all_that_ran_was_seen() -> None:
    quiet = reach({1: {""}})
    assert quiet.tests("m.py", 12, 12) is None
    assert quiet.silent("m.py", 12, 12)
    assert not reach({1: {""}}, always=frozenset({"spawns"})).silent("m.py", 12, 12)
    assert not quiet.silent("m.py", 1, 1)


def test_without_a_map_nothing_is_known() -> None:
    blind = reach({12: {"t1"}}, known=False)
    assert blind.tests("m.py", 12, 12) is None
    assert not blind.silent("m.py", 12, 12)


def test_processes_started_for_all_tests_make_it_blind() -> None:
    assert reach({12: {"t1"}}, always=frozenset({""})).tests("m.py", 12, 12) is None


def test_a_file_that_was_not_seen_being_imported_may_have_run_unseen() -> None:
    early = Reach(lines={"m.py": {12: frozenset({"t1"})}}, read=lambda path: SOURCE)
    assert early.tests("m.py", 12, 12) is None
    assert not early.silent("m.py", 14, 14)


def test_a_file_that_cannot_be_parsed_here_means_all_tests() -> None:
    newer = Reach(lines={"m.py": {2: frozenset({"t"})}}, read=lambda path: b"def f(:\n  x\n")
    assert newer.tests("m.py", 2, 2) is None
    assert newer.seen("m.py", 2, 2).tests == {"t"}
