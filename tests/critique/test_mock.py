"""The mock critic is SL-2's three textual rules and nothing more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bebug.critique.critics import mock
from bebug.errors import UsageError
from bebug.records import Change, Said, Verdict

Make = Callable[..., Change]


def review(change: Change) -> Verdict:
    return mock.critic("").review(change)


@pytest.mark.parametrize(
    "line", ["-    assert x == 1", "-assert", "-\tassert(x)", "-assertEqual(a, b)", "-assert x\r"]
)
def test_a_removed_line_that_starts_with_assert_fails(change: Make, line: str) -> None:
    assert review(change(" a", line, "+b")).said is Said.FAIL


@pytest.mark.parametrize("text", ["if x is None:", "    y = 1 if a == None else 2", "while b != None:"])
def test_a_removed_check_for_none_fails(change: Make, text: str) -> None:
    assert review(change(f"-{text}")).said is Said.FAIL


@pytest.mark.parametrize(
    "line",
    [
        "+assert x == 1",
        " assert x == 1",
        "-self.assertEqual(a, b)",
        "-    # we assert here",
        "+if x is None:",
        " if x is None:",
        "-if x is not None:",
        "-x = None",
        "-for i in range(len(x)):",
    ],
)
def test_anything_else_passes(change: Make, line: str) -> None:
    assert review(change(line, "+other")).said is Said.PASS


@pytest.mark.parametrize(
    "path", ["tests/core.py", "pkg/test/deep/core.py", "test_core.py", "pkg/core_test.py", "pkg/tests.py"]
)
def test_a_test_added_without_an_assert_fails_in_a_test_file(change: Make, path: str) -> None:
    lines = ("+def test_it():", "+    run()")
    assert review(change(*lines, path=path)).said is Said.FAIL
    assert review(change(*lines, "+    assert done()", path=path)).said is Said.PASS
    assert review(change(*lines, "+    self.assertTrue(done())", path=path)).said is Said.PASS


@pytest.mark.parametrize("path", ["pkg/core.py", "contest/core.py", "pkg/testing.py", "latest.py"])
def test_a_function_of_that_name_elsewhere_passes(change: Make, path: str) -> None:
    assert review(change("+def test_it():", "+    run()", path=path)).said is Said.PASS


def test_an_assert_in_another_file_does_not_excuse_the_test_that_has_none(change: Make) -> None:
    silent = change("+def test_it():", "+    run()", path="tests/test_a.py")
    other = change("+def test_that():", "+    assert run()", path="tests/test_b.py")
    both = Change(id="x", title="", body="", diff=silent.diff + other.diff)
    assert review(both).said is Said.FAIL


def test_an_assert_that_was_there_before_does_not_excuse_a_new_test(change: Make) -> None:
    assert review(change(" assert x", "+def test_it():", path="test_a.py")).said is Said.FAIL


def test_the_header_of_a_file_is_no_removed_line() -> None:
    diff = b"--- a/assert is None.py\n+++ b/assert is None.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert review(Change(id="x", title="", body="", diff=diff)).said is Said.PASS


def test_a_removed_line_that_looks_like_a_header_is_a_removed_line() -> None:
    diff = b"--- a/q.sql\n+++ b/q.sql\n@@ -1,1 +0,0 @@\n--- where x is None\n"
    assert review(Change(id="x", title="", body="", diff=diff)).said is Said.FAIL


def test_a_finding_names_the_place(change: Make) -> None:
    (finding,) = review(change(" a", " b", "-    assert x", "+    pass")).findings
    assert (finding.path, finding.line, finding.message) == ("pkg/core.py", 3, "an assertion is removed")


def test_it_takes_no_argument() -> None:
    with pytest.raises(UsageError, match="'mock' takes no argument"):
        mock.critic("x")
