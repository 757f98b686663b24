"""Edits that change nothing."""

from __future__ import annotations

import ast
import re

import pytest

from bebug.verification.comments import MARK, appended, on_each_line

SOURCE = b'''import os


def plain(a):
    def inner(): return 1
    return a


class A:
    @property
    async def method(
        self,
        x=(1, 2),
    ):  # kept
        """def not_this():"""
        return lambda: x


async  def other(): pass
'''


def test_each_logical_line_gets_a_comment_and_a_line_of_comment_below() -> None:
    after = on_each_line(SOURCE)
    assert after.count(b"  " + MARK.encode()) == after.count(b"\n" + MARK.encode()) == 10
    assert b"):  # kept  " + MARK.encode() in after
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(SOURCE))


def test_every_statement_but_the_first_moves() -> None:
    before, after = (ast.parse(source) for source in (SOURCE, on_each_line(SOURCE)))
    lines = [(one.lineno, other.lineno) for one, other in zip(before.body, after.body, strict=True)]
    assert all(one < other for one, other in lines[1:])


@pytest.mark.parametrize(
    "source",
    [
        b"def f():\r\n    return 1\r\ndef g():\n    return 2\n",
        b"# -*- coding: latin-1 -*-\ndef f():\n    return '\xe9'\n",
        b"\xef\xbb\xbfdef f():\n    return 1\n",
        "def f():\n    return '\u2028\x0c'\n".encode(),
        b"def f(): return 1",
    ],
)
def test_bytes_that_are_not_ours_stay(source: bytes) -> None:
    after = on_each_line(source)
    bare = after.replace(b"  " + MARK.encode(), b"")
    assert re.sub(rb"\n" + re.escape(MARK.encode()) + rb"\r?(?=\n|$)", b"", bare) == source
    assert after != source


@pytest.mark.parametrize("source", [b"def f(:\n", b"'''", b"\xff\xfe", b"# coding: nonsense\n"])
def test_what_cannot_be_taken_apart_is_a_value_error(source: bytes) -> None:
    with pytest.raises(ValueError):
        on_each_line(source)


@pytest.mark.parametrize("source", [b"", b"x = 1", b"x = 1\n", b"x = 1\r\n"])
def test_a_comment_line_at_the_end(source: bytes) -> None:
    after = appended(source)
    assert after.startswith(source) and after.endswith(MARK.encode() + b"\n")
    assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(source))
