"""Diffs applied by git itself, byte for byte."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bebug.errors import UsageError
from bebug.verification.patches import Patcher
from bebug.verification.sandbox import Sandbox

FILES = {
    "pkg/core.py": b"def f():\n    return 1\n\n\ndef g():\n    return 2\n",
    "pkg/crlf.py": b"a = 1\r\nb = 2\r\nc = 3\n",
    "pkg/latin.py": b"# -*- coding: latin-1 -*-\nx = '\xe9'\ny = 1\n",
    "pkg/no_end.py": b"a = 1\nb = 2",
    "pkg/space name.py": b"a = 1\n",
    ".gitattributes": b"*.py text eol=crlf\n",
}


@pytest.fixture
def patcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., Path]) -> Iterator[Patcher]:
    """Its scratch folder lies inside a git repository, whose index and settings must not matter."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    write(tmp_path / "seed", FILES)
    (tmp_path / "seed" / "alias").symlink_to("pkg")
    sandbox = Sandbox(tmp_path / "seed")
    yield Patcher(sandbox)
    sandbox.close()


@pytest.fixture
def diff(tmp_path: Path, write: Callable[..., Path]) -> Callable[..., bytes]:
    """git's own diff from one set of files to another."""
    repository = tmp_path / "repository"
    clean = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*words: str) -> bytes:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        return subprocess.run(command, cwd=repository, env=clean, check=True, capture_output=True).stdout

    def make(before: dict[str, bytes], after: dict[str, bytes]) -> bytes:
        repository.mkdir()
        git("init", "-q")
        for files in (before, after):
            git("rm", "-rqf", "--ignore-unmatch", ".")
            write(repository, files)
            git("add", "-A", "-f")
            if files is before:
                git("commit", "-qm", "before")
        return git("diff", "--cached", "-M", "--binary")

    return make


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("pkg/core.py", b"def f():\n    return 1\n\n\ndef g():\n    return 3\n"),
        ("pkg/crlf.py", b"a = 1\r\nb = 3\r\nc = 3\n"),
        ("pkg/latin.py", b"# -*- coding: latin-1 -*-\nx = '\xe8'\ny = 1\n"),
        ("pkg/no_end.py", b"a = 1\nb = 3"),
        ("pkg/no_end.py", b"a = 1\nb = 2\n"),
        ("pkg/space name.py", b"a = 2\n"),
    ],
)
def test_bytes_come_out_as_the_diff_says(
    patcher: Patcher, diff: Callable[..., bytes], name: str, after: bytes
) -> None:
    made = diff({name: FILES[name]}, {name: after})
    assert patcher.apply(made, {}) == {name: after}
    assert patcher.reverts(made, {})


def test_new_deleted_and_renamed_files(patcher: Patcher, diff: Callable[..., bytes]) -> None:
    core = FILES["pkg/core.py"]
    made = diff(
        {"pkg/core.py": core, "pkg/no_end.py": FILES["pkg/no_end.py"]},
        {"pkg/moved.py": core + b"x = 1\n", "pkg/new/deep.py": b"n = 1\n"},
    )
    assert b"rename from" in made
    assert patcher.apply(made, {}) == {
        "pkg/core.py": None,
        "pkg/no_end.py": None,
        "pkg/moved.py": core + b"x = 1\n",
        "pkg/new/deep.py": b"n = 1\n",
    }
    assert patcher.reverts(made, {})


def test_a_diff_goes_over_an_overlay(patcher: Patcher, diff: Callable[..., bytes]) -> None:
    base = {"pkg/core.py": b"one\ntwo\n", "pkg/other.py": b"o\n"}
    made = diff({"pkg/core.py": b"one\ntwo\n"}, {"pkg/core.py": b"one\nthree\n"})
    assert patcher.apply(made, base) == {"pkg/core.py": b"one\nthree\n", "pkg/other.py": b"o\n"}


def test_no_fuzz(patcher: Patcher, diff: Callable[..., bytes]) -> None:
    other = FILES["pkg/core.py"].replace(b"def g", b"def h")
    made = diff({"pkg/core.py": other}, {"pkg/core.py": other.replace(b"2", b"3")})
    with pytest.raises(UsageError, match=r"does not apply: patch failed: pkg/core\.py:"):
        patcher.apply(made, {})


@pytest.mark.parametrize("name", ["../out.py", "alias/core.py"])
def test_paths_that_lead_elsewhere_are_refused(patcher: Patcher, tmp_path: Path, name: str) -> None:
    made = f"--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-def f():\n+def f(x):\n".encode()
    with pytest.raises(UsageError):
        patcher.apply(made, {})
    assert not (tmp_path / "out.py").exists()


@pytest.mark.parametrize("made", [b"", b"not a diff\n", b"--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n"])
def test_what_is_no_diff_is_a_usage_error(patcher: Patcher, made: bytes) -> None:
    with pytest.raises(UsageError, match="the diff cannot be read"):
        patcher.apply(made, {})


def test_a_mode_alone_changes_nothing(patcher: Patcher) -> None:
    made = b"diff --git a/pkg/core.py b/pkg/core.py\nold mode 100644\nnew mode 100755\n"
    assert patcher.apply(made, {}) == {}
    assert not patcher.reverts(made, {})
