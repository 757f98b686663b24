"""Diffs: `git apply` takes them to the byte, and so does a reader that shares no code with the writer."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bebug.mutation.diffs import Span, spans, unified

PAIRS = {
    "one line": (b"a\n", b"b\n"),
    "one line without an end": (b"a", b"b"),
    "an end comes": (b"a", b"a\n"),
    "an end goes": (b"a\n", b"a"),
    "becomes empty": (b"a\n", b""),
    "was empty": (b"", b"a\n"),
    "far apart": (
        b"\n".join(b"%d" % n for n in range(40)),
        b"\n".join(b"%d" % (n if n % 20 else -n) for n in range(1, 41)),
    ),
    "crlf": (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
    "lone cr": (b"a\rb\nc\n", b"a\rB\nc\n"),
    "not text": (b"a\n\xe9\n\xff\n", b"a\n\xe8\n\xff\n"),
    "line separators": ("x\u2028y\u0085\x0c\x1cz\nq\n".encode(), "x\u2028y\u0085\x0c\x1cZ\nq\n".encode()),
    "looks like a diff": (
        b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- 1\n++ 2\ndiff --git a/x b/x\n\\ No newline at end of file\n",
        b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- 2\n++ 2\ndiff --git a/x b/x\n\\ No newline at end of file\n",
    ),
    "twins": (b"a\nb\n\na\nb\n\na\nb\n", b"a\nb\n\na\nc\n\na\nb\n"),
    "blank lines": (b"\n\n\n \n\n", b"\n\n \n\n"),
    "trailing blanks": (b"x  \n   \n\t", b"y  \n   \n\t"),
}
PATHS = [
    "a.py",
    "pkg/sub/a.py",
    "with space.py",
    "dir with space/a b.py",
    'quo"te.py',
    "back\\slash.py",
    "tab\t.py",
    "ünïcode/表.py",
    "-dash.py",
    "{{name}}/main.py",
    "a/b b/a.py",
]


def git_apply(root: Path, diff: bytes, *options: str) -> None:
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *options, "-"],
        cwd=root,
        input=diff,
        capture_output=True,
        env={
            "GIT_CEILING_DIRECTORIES": str(root.parent),
            "PATH": "/usr/bin:/bin:/usr/local/bin",
            "HOME": str(root),
        },
    )
    assert done.returncode == 0, done.stderr.decode()


def applied(before: bytes, diff: bytes) -> bytes:
    """What the hunks of *diff* make of *before*; strict about every line, with no offset and no fuzz."""
    old = before.split(b"\n")
    out: list[bytes] = []
    at = 0
    lines = diff.split(b"\n")[:-1]
    index = next(i for i, line in enumerate(lines) if line.startswith(b"@@"))
    while index < len(lines):
        ranges = lines[index].split(b" ")
        start, _, count = ranges[1][1:].partition(b",")
        _, _, added = ranges[2][1:].partition(b",")
        left, right = int(count or 1), int(added or 1)
        begin = int(start) - (1 if left else 0)
        out += [line + b"\n" for line in old[at:begin]]
        at, index = begin, index + 1
        while left or right:
            mark, line = lines[index][:1], lines[index][1:]
            index += 1
            ended = index < len(lines) and lines[index].startswith(b"\\ ") and lines[index] != b""
            end = b"" if ended else b"\n"
            if mark in b" -":
                assert old[at] == line
                at, left = at + 1, left - 1
            if mark in b" +":
                out.append(line + end)
                right -= 1
            index += ended
    if at < len(old):
        out.append(b"\n".join(old[at:]))
    return b"".join(out)


@pytest.mark.parametrize(("before", "after"), PAIRS.values(), ids=PAIRS)
def test_git_applies_and_reverts_to_the_byte(tmp_path: Path, before: bytes, after: bytes) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(before)
    diff = unified("a.py", before, after)
    git_apply(tmp_path, diff)
    assert file.read_bytes() == after
    git_apply(tmp_path, diff, "--reverse")
    assert file.read_bytes() == before


@pytest.mark.parametrize("path", PATHS)
def test_git_finds_a_file_of_any_name(tmp_path: Path, path: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"a\nb\n")
    git_apply(tmp_path, unified(path, b"a\nb\n", b"a\nc\n"))
    assert file.read_bytes() == b"a\nc\n"


@pytest.mark.parametrize("path", PATHS)
def test_the_text_is_the_one_that_git_itself_writes(tmp_path: Path, path: str) -> None:
    for side, text in (("a", b"1\n2\n3\n4\n5\n"), ("b", b"1\n2\n3\n4\n6\n")):
        file = tmp_path / side / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    theirs = subprocess.run(
        ["git", "diff", "--no-index", "--no-prefix", f"a/{path}", f"b/{path}"],
        cwd=tmp_path,
        capture_output=True,
    ).stdout
    without_index = b"\n".join(line for line in theirs.split(b"\n") if not line.startswith(b"index "))
    assert unified(path, b"1\n2\n3\n4\n5\n", b"1\n2\n3\n4\n6\n") == without_index


TEXT = st.lists(
    st.sampled_from([b"a", b"b", b"", b" ", b"-a", b"+b", b"\r", b"@@ -1 +1 @@"]), max_size=12
).map(b"\n".join)


@given(before=TEXT, after=TEXT)
def test_a_reader_of_its_own_gets_the_same_bytes(before: bytes, after: bytes) -> None:
    diff = unified("a.py", before, after)
    assert (diff == b"") == (before == after)
    if diff:
        assert applied(before, diff) == after


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        (b"1\n2\n3\n", b"1\nx\n3\n", Span(2, 2), Span(2, 2)),
        (b"1\n2\n3\n4\n", b"1\n4\n", Span(2, 3), Span(2, 2)),
        (b"1\n2\n", b"1\n", Span(2, 2), Span(1, 1)),
        (b"1\n4\n", b"1\n2\n3\n4\n", Span(2, 2), Span(2, 3)),
        (b"1\r2\n3\n", b"1\r2\nx\n", Span(2, 2), Span(2, 2)),
        (b"a\n", b"", Span(1, 1), Span(1, 1)),
        (b"1\n2\n3\n4\n", b"x\n2\n3\ny\n", Span(1, 4), Span(1, 4)),
    ],
)
def test_spans_name_the_lines_that_differ_counted_by_line_feeds(
    before: bytes, after: bytes, old: Span, new: Span
) -> None:
    assert spans(before, after) == (old, new)


def test_spans_of_equal_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="nothing differs"):
        spans(b"a", b"a")


def test_a_rewritten_file_of_many_lines_takes_no_quadratic_time() -> None:
    before = b"".join(b"%d\n" % n for n in range(20_000))
    after = b"".join(b"%d\n" % (n + 1) for n in range(1, 20_000, 2))
    assert applied(before, unified("a.py", before, after)) == after
