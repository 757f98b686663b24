"""Numbers and offsets moved by one, written as the programmer wrote them."""

from __future__ import annotations

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bebug.mutation.nodes import literal_like, stepped


def moved(text: str, step: int) -> str | None:
    node = stepped(cst.parse_expression(text), step)
    return None if node is None else cst.Module([]).code_for_node(node)


@pytest.mark.parametrize(
    ("text", "up", "down"),
    [
        ("0", "1", None),
        ("9", "10", "8"),
        ("10", "11", "9"),
        ("1_000", "1_001", "999"),
        ("999_999", "1_000_000", "999_998"),
        ("9_9", "1_0_0", "9_8"),
        ("0x10", "0x11", "0x0f"),
        ("0xFF", "0x100", "0xFE"),
        ("0x0F", "0x10", "0x0E"),
        ("0Xff_ff", "0X1_00_00", "0Xff_fe"),
        ("0o17", "0o20", "0o16"),
        ("0b11", "0b100", "0b10"),
        ("-1", "0", "-2"),
        ("-2", "-1", "-3"),
        ("(-2)", "(-1)", "(-3)"),
        ("n", "n + 1", "n - 1"),
        ("n + 1", "n + 2", "n"),
        ("n - 1", "n", "n - 2"),
        ("(a or b) - 1", "(a or b)", "(a or b) - 2"),
        ("n * 2", "n * 2 + 1", "n * 2 - 1"),
        ("n << 2", "(n << 2) + 1", "(n << 2) - 1"),
        ("-n", "-n + 1", "-n - 1"),
        ("f(x)", "f(x) + 1", "f(x) - 1"),
        ("a if b else c", "(a if b else c) + 1", "(a if b else c) - 1"),
        ("await f", "(await f) + 1", "(await f) - 1"),
        ("True", None, None),
        ("None", None, None),
        ("1.5", None, None),
        ("'a'", None, None),
        ("a < b", None, None),
        ("[1]", None, None),
        ("...", None, None),
    ],
)
def test_a_step_up_and_a_step_down(text: str, up: str | None, down: str | None) -> None:
    assert (moved(text, 1), moved(text, -1)) == (up, down)


LITERALS = st.one_of(
    st.integers(0, 10**9).map(str),
    st.integers(0, 10**9).map("{:_}".format),
    st.integers(0, 10**6).map("{:#x}".format),
    st.integers(0, 10**6).map("{:#_X}".format).map(lambda text: "0x" + text[2:]),
    st.integers(0, 10**6).map("{:#o}".format),
    st.integers(0, 10**6).map("{:#010b}".format),
    st.integers(0, 10**6).map("{:#_b}".format),
)


@given(LITERALS, st.integers(0, 10**9))
def test_any_number_written_like_any_literal_is_that_number(old: str, value: int) -> None:
    new = literal_like(old, value)
    assert int(new, 0) == value
    assert new[:2].isdigit() or new[:2] == old[:2] or len(new) < 2 or new[1] == "_"


@given(LITERALS)
def test_the_same_number_is_written_the_same(old: str) -> None:
    assert literal_like(old, int(old, 0)) == old
