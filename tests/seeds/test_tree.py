"""Copying a tree and telling whether two trees are the same."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bebug.seeds.tree import copy_tree, printable, tree_digest

NAMES = st.sampled_from(["a", "b", "c.py", "d e", "é", "tests", "z" * 40])
TREES = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.binary(max_size=20), max_size=5
)


def laid(folder: Path, files: dict[str, bytes]) -> Path:
    """*files* in *folder*, less those that would have to lie below another file."""
    for name, content in sorted(files.items()):
        path = folder / name
        if not any(parent.is_file() for parent in path.parents) and not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@settings(deadline=None, max_examples=60)
@given(TREES)
def test_a_copy_has_the_same_files_and_the_same_digest(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        source = laid(Path(scratch, "source"), files)
        source.mkdir(exist_ok=True)
        copy_tree(source, Path(scratch, "copy"))
        assert contents(Path(scratch, "copy")) == contents(source)
        assert tree_digest(Path(scratch, "copy")) == tree_digest(source)


@settings(deadline=None, max_examples=60)
@given(TREES, TREES)
def test_two_trees_have_one_digest_only_if_they_are_equal(
    one: dict[str, bytes], two: dict[str, bytes]
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        first, second = laid(Path(scratch, "1"), one), laid(Path(scratch, "2"), two)
        first.mkdir(exist_ok=True)
        second.mkdir(exist_ok=True)
        assert (tree_digest(first) == tree_digest(second)) == (contents(first) == contents(second))


def test_names_and_contents_do_not_run_into_one_another(tmp_path: Path) -> None:
    first, second = laid(tmp_path / "1", {"a": b"bc"}), laid(tmp_path / "2", {"ab": b"c"})
    assert tree_digest(first) != tree_digest(second)


def test_the_digest_sees_what_matters_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text("1")
    before = tree_digest(tmp_path)
    os.utime(tmp_path / "run.py", (1, 1))
    (tmp_path / "run.py").chmod(0o640)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "run.cpython-311.pyc").write_text("x")
    (tmp_path / "nothing").mkdir()
    assert tree_digest(tmp_path) == before
    (tmp_path / "run.py").chmod(0o755)
    executable = tree_digest(tmp_path)
    (tmp_path / "link").symlink_to("run.py")
    linked = tree_digest(tmp_path)
    (tmp_path / "link").unlink()
    (tmp_path / "link").write_text("run.py")
    assert len({before, executable, linked, tree_digest(tmp_path)}) == 4


def test_history_caches_and_environments_are_left_out_at_any_depth(tmp_path: Path) -> None:
    gone = [
        ".git/HEAD",
        "a/.venv/x.py",
        "venv/x.py",
        ".tox/x.py",
        "a/node_modules/x.js",
        "a/__pycache__/x.pyc",
    ]
    gone += ["a/old.pyc", ".hypothesis/x", ".pytest_cache/x", "env311/pyvenv.cfg", "env311/lib/x.py"]
    gone += ["out/CACHEDIR.TAG", "out/x.py", ".mypy_cache/x", ".ruff_cache/x", ".nox/x"]
    kept = [".gitignore", "a/.coveragerc", "a/x.py", "environment/x.py", "data/x.bin"]
    laid(tmp_path / "tree", dict.fromkeys([*gone, *kept], b"1"))
    copy_tree(tmp_path / "tree", tmp_path / "copy")
    assert sorted(contents(tmp_path / "copy")) == sorted(kept)
    copy_tree(tmp_path / "tree", tmp_path / "whole", keep=[".git"])
    assert ".git/HEAD" in contents(tmp_path / "whole")


def test_a_git_file_of_a_worktree_is_left_out_too(tmp_path: Path) -> None:
    laid(tmp_path / "tree", {".git": b"gitdir: /elsewhere", "a.py": b""})
    copy_tree(tmp_path / "tree", tmp_path / "copy")
    assert list(contents(tmp_path / "copy")) == ["a.py"]


def test_links_stay_links_loops_and_dangling_ones_included(tmp_path: Path) -> None:
    tree = laid(tmp_path / "tree", {"pkg/core.py": b"1"})
    (tree / "alias").symlink_to("pkg")
    (tree / "pkg" / "loop").symlink_to("..")
    (tree / "dangling").symlink_to("missing/target")
    (tree / "self").symlink_to("self")
    copy_tree(tree, tmp_path / "copy")
    copied = {path.name: str(path.readlink()) for path in (tmp_path / "copy").rglob("*") if path.is_symlink()}
    assert copied == {"alias": "pkg", "loop": "..", "dangling": "missing/target", "self": "self"}
    assert tree_digest(tree) == tree_digest(tmp_path / "copy")


def test_an_absolute_link_into_the_tree_leads_into_the_copy_wherever_that_is_taken(tmp_path: Path) -> None:
    tree = laid(tmp_path / "tree", {"pkg/core.py": b"1", "tests/x.py": b""})
    (tmp_path / "by-another-name").symlink_to(tree)
    (tree / "tests" / "core.py").symlink_to(tree / "pkg" / "core.py")
    (tree / "tests" / "again.py").symlink_to(tmp_path / "by-another-name" / "pkg" / "core.py")
    (tree / "tests" / "root").symlink_to(tree)
    (tree / "outside").symlink_to("/etc")
    copy_tree(tree, tmp_path / "copy")
    shutil.copytree(tmp_path / "copy", tmp_path / "second", symlinks=True)
    shutil.rmtree(tree)
    shutil.rmtree(tmp_path / "copy")
    for name in ("core.py", "again.py", "root/pkg/core.py"):
        path = tmp_path / "second" / "tests" / name
        assert path.resolve() == tmp_path / "second" / "pkg" / "core.py"
    assert (tmp_path / "second" / "outside").readlink() == Path("/etc")


def test_odd_names_are_copied_to_the_byte(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    names = [b"caf\xe9.py", b"two words.py", b"new\nline.py", "ünï.py".encode(), b"-rf"]
    for name in names:
        Path(os.fsdecode(os.fsencode(tree) + b"/" + name)).write_bytes(name)
    copy_tree(tree, tmp_path / "copy")
    assert sorted(os.fsencode(path.name) for path in (tmp_path / "copy").iterdir()) == sorted(names)
    assert tree_digest(tree) == tree_digest(tmp_path / "copy")
    assert printable(os.fsdecode(b"caf\xe9\n.py")) == r"caf\udce9\x0a.py"


def test_sockets_and_pipes_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = laid(tmp_path / "tree", {"a.py": b""})
    os.mkfifo(tree / "pipe")
    monkeypatch.chdir(tree)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock")
        copy_tree(tree, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["a.py"]


def test_a_copy_can_be_written_to_and_runs_what_ran(tmp_path: Path) -> None:
    tree = laid(tmp_path / "tree", {"bin/run": b"#!/bin/sh\n", "locked/a.py": b"1"})
    (tree / "bin" / "run").chmod(0o555)
    (tree / "locked" / "a.py").chmod(0o444)
    (tree / "locked").chmod(0o555)
    copy_tree(tree, tmp_path / "copy")
    (tree / "locked").chmod(0o755)
    copy = tmp_path / "copy"
    assert (copy / "bin" / "run").stat().st_mode & 0o700 == 0o700
    assert (copy / "locked" / "a.py").stat().st_mode & 0o200
    assert (copy / "locked").stat().st_mode & 0o200
