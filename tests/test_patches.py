"""The tolerant diff reader: right where git made the diff, and forgiving where counts are wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug import patches
from bebug.patches import Kind

TRAPS = (
    *(
        b"-- a/x.py",
        b"++ b/x.py",
        b"- a/x.py",
        b"@@ -1,2 +1,2 @@",
        b"diff --git a/x b/x",
        b"assert x",
        b"",
        b" ",
    ),
    *(
        b"\\ No newline at end of file",
        b"-- ",
        b"\r",
        b"a\rb",
        b"\xff\xfe",
        b"--- a/x",
        b"+++ b/x",
        b"x",
        b"y",
    ),
)
FILES = st.tuples(st.lists(st.sampled_from(TRAPS), max_size=25), st.booleans()).map(
    lambda drawn: b"\n".join(drawn[0]) + (b"\n" if drawn[1] and drawn[0] else b"")
)


def git_diff(before: bytes, after: bytes) -> tuple[bytes, int, int]:
    """What git makes of the two, and how many lines it says were added and removed."""
    with TemporaryDirectory() as folder:
        for side, text in (("a", before), ("b", after)):
            Path(folder, side).mkdir()
            Path(folder, side, "x.py").write_bytes(text)
        command = ["git", "diff", "--no-index", "--no-prefix", "--text", "--patch", "--numstat"]
        done = subprocess.run([*command, "a/x.py", "b/x.py"], cwd=folder, capture_output=True, check=False)
    counts, _, diff = done.stdout.partition(b"\n\n")
    added, removed = counts.split(b"\t")[:2] if counts else (b"0", b"0")
    return diff, int(added), int(removed)


def texts(patch: patches.Patch, kind: Kind) -> list[bytes]:
    return [line.text for file in patch.files for line in file.lines if line.kind is kind]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(FILES, FILES)
def test_what_git_writes_is_read_without_a_fault_and_to_the_line(before: bytes, after: bytes) -> None:
    diff, added, removed = git_diff(before, after)
    patch = patches.read(diff)
    assert (len(texts(patch, Kind.ADDED)), len(texts(patch, Kind.REMOVED))) == (added, removed)
    if before == after:
        return
    assert patch.faults == ()
    assert [file.path for file in patch.files] == ["x.py"]
    old, new = before.split(b"\n"), after.split(b"\n")
    for line in patch.files[0].lines:
        if line.kind is not Kind.ADDED:
            assert old[line.old - 1] == line.text
        if line.kind is not Kind.REMOVED:
            assert new[line.new - 1] == line.text


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.binary(max_size=300) | st.lists(st.sampled_from(TRAPS), max_size=30).map(b"\n".join))
def test_no_bytes_at_all_make_the_reader_raise(diff: bytes) -> None:
    patch = patches.read(diff)
    assert patch.files or patch.faults == ("holds no hunk",)


def test_a_removed_line_of_dashes_is_no_file_header() -> None:
    diff = b"--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,1 @@\n--- a comment\n select 1\n"
    assert texts(patches.read(diff), Kind.REMOVED) == [b"-- a comment"]


def test_removed_and_added_lines_that_read_as_a_header_are_lines_where_the_counts_say_so() -> None:
    diff = b"--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n--- a/y\n+++ b/y\n@@ -9 +9 @@\n-p\n+q\n"
    patch = patches.read(diff)
    assert texts(patch, Kind.REMOVED) == [b"-- a/y", b"p"]
    assert len(patch.files) == 1


def test_removed_and_added_lines_that_read_as_a_header_but_lead_no_hunk_are_lines() -> None:
    diff = b"--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n--- old\n+++ new\n z\n"
    patch = patches.read(diff)
    assert (texts(patch, Kind.REMOVED), texts(patch, Kind.ADDED)) == ([b"-- old"], [b"++ new"])


@pytest.mark.parametrize("counts", [b"-1,9 +1,9", b"-1,1 +1,1", b"-1,0 +1,3", b"-1 +1", b"-1,2 +1,9"])
def test_a_hunk_with_wrong_counts_is_read_to_the_next_header_and_named(counts: bytes) -> None:
    body = b" a\n-assert x\n+y\n z\n"
    diff = b"--- a/p.py\n+++ b/p.py\n@@ %b @@\n%b--- a/q.py\n+++ b/q.py\n@@ -7 +7 @@\n-old\n+new\n"
    patch = patches.read(diff % (counts, body))
    assert [file.path for file in patch.files] == ["p.py", "q.py"]
    assert texts(patch, Kind.REMOVED) == [b"assert x", b"old"]
    assert [(line.old, line.new) for line in patch.files[1].lines] == [(7, 7), (8, 7)]
    assert len(patch.faults) == 2
    assert "hunk 1 of p.py announces" in patch.faults[1]
    assert "but has 3 and 3" in patch.faults[1]


def test_a_bare_diff_with_right_counts_has_one_fault() -> None:
    patch = patches.read(b"--- a/p.py\n+++ b/p.py\n@@ -1 +1 @@\n-a\n+b\n")
    assert patch.faults == ("has no `diff --git` line",)


def test_a_mail_signature_and_blank_lines_after_the_last_hunk_are_no_part_of_it() -> None:
    hunk = b"diff --git a/p b/p\n--- a/p\n+++ b/p\n@@ -1 +1 @@\n-a\n+b\n"
    for end in (b"-- \n2.39.2\n\n", b"\n\n", b""):
        patch = patches.read(hunk + end)
        assert patch.faults == ()
        assert texts(patch, Kind.REMOVED) == [b"a"]


@pytest.mark.parametrize(
    ("head", "path"),
    [
        (b'--- "a/caf\\303\\251 \\"x\\".py"\n+++ "b/caf\\303\\251 \\"x\\".py"\n', 'café "x".py'),
        (b"--- a/old.py\n+++ /dev/null\n", "old.py"),
        (b"--- /dev/null\n+++ b/new.py\n", "new.py"),
        (b"--- a/spaced name.py\t2024-01-01\n+++ b/spaced name.py\t2024-01-02\n", "spaced name.py"),
        (b"--- plain.py\n+++ plain.py\n", "plain.py"),
        (b"--- a/x.py\r\n+++ b/x.py\r\n", "x.py"),
    ],
)
def test_the_path_is_the_one_after_the_change_unquoted(head: bytes, path: str) -> None:
    assert patches.read(head + b"@@ -1 +1 @@\n-a\n+b\n").files[0].path == path


def test_a_change_of_mode_alone_names_its_file_and_holds_no_hunk() -> None:
    patch = patches.read(b"diff --git a/run me.sh b/run me.sh\nold mode 100644\nnew mode 100755\n")
    assert [file.path for file in patch.files] == ["run me.sh"]
    assert patch.faults == ("holds no hunk",)


def test_a_hunk_without_a_file_name_is_read_and_said_to_have_none() -> None:
    patch = patches.read(b"@@ -1 +1 @@\n-a\n+b\n")
    assert texts(patch, Kind.ADDED) == [b"b"]
    assert "a hunk has no file name before it" in patch.faults
