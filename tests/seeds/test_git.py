"""Revisions in git: of repositories of this machine and of others, with a mirror that outlives them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.errors import FetchError, MachineError, SeedError
from bebug.seeds import open_workspace, source_files
from bebug.seeds.git import NO_QUESTIONS, commit_of, run_git
from bebug.seeds.specs import Revision, elsewhere
from bebug.seeds.tree import tree_digest

Write = Callable[[Path, Mapping[str, str | bytes]], Path]
HERE = Path(sys.executable)


def git(folder: Path, *arguments: str) -> str:
    command = [
        "git",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@b",
        "-c",
        "init.defaultBranch=main",
        *arguments,
    ]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path, message: str) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def shop(repository: Path) -> Path:
    """The repository with a history: v1 sums, main multiplies."""
    git(repository, "init", "-q")
    commit(repository, "one")
    git(repository, "tag", "v1")
    (repository / "shop" / "till.py").write_text(
        "import math\n\ndef total(prices):\n    return math.prod(prices)\n"
    )
    commit(repository, "two")
    return repository


def state(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def hash_of(spec: str, said: list[str] | None = None) -> str:
    asked = elsewhere(spec)
    assert isinstance(asked, Revision)
    with commit_of(asked, [].append if said is None else said.append) as found:
        return found.hash


@pytest.mark.parametrize("form", ["{}@v1", "git+{}@v1", "git+file://{}@v1"])
def test_a_revision_becomes_a_workspace_and_the_repository_is_not_touched(shop: Path, form: str) -> None:
    (shop / "shop" / "till.py").write_text("an edit that was not committed")
    before = state(shop)
    with open_workspace(form.format(shop), python=HERE) as workspace:
        assert workspace.seed.version == git(shop, "rev-parse", "v1")
        assert workspace.seed.source in (f"git+file://{shop}", "git+file:shop")
        assert workspace.seed.name == "my-shop"
        assert (workspace.tree / "shop" / "till.py").read_text().endswith("return sum(prices)\n")
        assert not (workspace.tree / ".git").exists()
        assert workspace.origin and tree_digest(workspace.origin) == workspace.seed.sha256
        assert source_files(workspace) == ("shop/__init__.py", "shop/till.py")
        done = subprocess.run(
            [workspace.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."],
            cwd=workspace.tree,
            capture_output=True,
            text=True,
        )
        assert "1 passed" in done.stdout
    git(shop, "status")  # which refreshes nothing that was not stale before
    assert {path for path in state(shop) if ".git" not in path} == {
        path for path in before if ".git" not in path
    }
    assert git(shop, "count-objects") and git(shop, "fsck") == ""


def test_the_same_commit_is_the_same_seed_however_it_is_named(shop: Path) -> None:
    full = git(shop, "rev-parse", "v1")
    digests = set()
    for rev in ("v1", full, full[:9], "HEAD~1", "main^"):
        with open_workspace(f"{shop}@{rev}", python=HERE) as workspace:
            digests.add((workspace.seed.version, workspace.seed.sha256, workspace.origin))
    assert len(digests) == 1


def test_without_a_revision_it_is_the_default_branch_as_it_is_now(shop: Path) -> None:
    spec = f"git+file://{shop}"
    assert hash_of(spec) == git(shop, "rev-parse", "main")
    (shop / "new.py").touch()
    newer = commit(shop, "three")
    assert hash_of(spec) == newer
    assert hash_of(f"{spec}@main") == newer


def test_a_tag_and_a_hash_need_the_repository_once_and_a_branch_says_that_it_may_be_old(
    shop: Path, tmp_path: Path
) -> None:
    spec, main = f"git+file://{shop}", git(shop, "rev-parse", "main")
    assert hash_of(spec) == main
    shutil.move(shop, tmp_path / "away")
    said: list[str] = []
    assert hash_of(f"{spec}@{main[:10]}", said) == main
    assert hash_of(f"{spec}@v1", said)
    assert said == []
    assert hash_of(f"{spec}@main", said) == main
    assert said[-1].endswith("could not be reached: main as last fetched")


def test_a_commit_that_no_branch_leads_to_is_had_by_its_full_name(shop: Path) -> None:
    git(shop, "checkout", "-q", "--detach")
    (shop / "lone.py").touch()
    lone = commit(shop, "lone")
    git(shop, "checkout", "-q", "main")
    assert hash_of(f"{shop}@{lone}") == lone
    git(shop, "update-ref", "refs/pull/7/head", lone)
    assert hash_of(f"git+file://{shop}@refs/pull/7/head") == lone


@pytest.mark.parametrize("form", ["{}@v9", "git+file://{}@v9"])
def test_an_unknown_revision_is_one_line_with_the_near_ones(shop: Path, form: str) -> None:
    with pytest.raises(SeedError, match=r"shop has no revision v9; there are v1") as caught:
        open_workspace(form.format(shop), python=HERE).__enter__()
    assert "\n" not in caught.value.message


def test_a_repository_that_is_not_there_or_has_no_commit_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match=r"nowhere could not be fetched: check the address"):
        hash_of(f"git+file://{tmp_path}/nowhere@v1")
    (tmp_path / "empty").mkdir()
    git(tmp_path / "empty", "init", "-q")
    with pytest.raises(SeedError, match="has no commit yet"):
        hash_of(f"git+{tmp_path}/empty")


def test_nothing_of_the_users_settings_or_of_the_repository_runs_or_changes_files(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    files = {
        "odd.txt": b"a\r\nb\n",
        ".gitattributes": "*.md filter=shout export-ignore\n",
        "READ.md": "quiet\n",
    }
    write(shop, files)
    commit(shop, "odd files")
    git(shop, "tag", "v2")
    home = write(
        tmp_path / "home", {".gitconfig": '[core]\nautocrlf = true\n[filter "shout"]\nsmudge = tr a-z A-Z\n'}
    )
    hook = write(shop / ".git" / "hooks", {"post-checkout": f"#!/bin/sh\ntouch {tmp_path}/hooked\n"})
    (hook / "post-checkout").chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    for spec in (f"{shop}@v2", f"git+file://{shop}@v2"):
        with open_workspace(spec, python=HERE) as workspace:
            assert (workspace.tree / "odd.txt").read_bytes() == b"a\r\nb\n"
            assert (workspace.tree / "READ.md").read_text() == "quiet\n"
    assert not (tmp_path / "hooked").exists()


def test_a_submodule_is_said_to_be_left_out(shop: Path, tmp_path: Path) -> None:
    git(shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", f"file://{shop}", "vendored")
    commit(shop, "a submodule")
    said: list[str] = []
    with open_workspace(f"{shop}@main", python=HERE, notify=said.append) as workspace:
        assert not list((workspace.tree / "vendored").glob("*"))
    assert "submodules are not fetched; these folders stay empty: vendored" in said


def test_a_project_in_a_subfolder_is_run_from_there(tmp_path: Path, write: Write) -> None:
    files = {"conftest.py": "", "api/src/api.py": "", "api/test_api.py": "def test(): pass\n", "b/b.py": ""}
    git(write(tmp_path / "mono", files), "init", "-q")
    commit(tmp_path / "mono", "one")
    for spec in (f"git+file://{tmp_path}/mono@main#subdirectory=api", f"{tmp_path}/mono/api@main"):
        with open_workspace(spec, python=HERE) as workspace:
            assert (workspace.seed.cwd, workspace.seed.source_roots) == ("api", ("api", "api/src"))
            assert source_files(workspace) == ("api/src/api.py",)
    with pytest.raises(SeedError, match="has no folder zzz at"):
        open_workspace(f"git+file://{tmp_path}/mono@main#subdirectory=zzz", python=HERE).__enter__()


def test_git_asks_nobody_anything() -> None:
    command = ["git", "-c", "credential.helper=", "credential", "fill"]
    asked = "protocol=https\nhost=host.invalid\n\n"
    env = {**os.environ, **NO_QUESTIONS}
    done = subprocess.run(command, input=asked, env=env, capture_output=True, text=True, timeout=20)
    assert not re.search("^(username|password)=.", done.stdout, re.MULTILINE)


def test_git_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MachineError, match="the program `git` is missing"):
        run_git(["--version"], cwd=tmp_path)


@pytest.mark.network
def test_a_version_from_git_is_built_into_the_tree(tmp_path: Path, write: Write) -> None:
    text = '[build-system]\nrequires = ["setuptools", "setuptools-scm"]\n'
    text += 'build-backend = "setuptools.build_meta"\n[project]\nname = "scm"\ndynamic = ["version"]\n'
    text += '[tool.setuptools]\npackages = ["scm"]\n[tool.setuptools_scm]\nversion_file = "scm/_version.py"\n'
    test = "import scm, importlib.metadata as m\n\n"
    test += 'def test():\n    assert scm.version == m.version("scm") == "3.2"\n'
    files = {"pyproject.toml": text, ".gitignore": "_version.py\n", "tests/test_scm.py": test}
    git(
        write(tmp_path / "scm", {**files, "scm/__init__.py": "from scm._version import version\n"}),
        "init",
        "-q",
    )
    commit(tmp_path / "scm", "one")
    git(tmp_path / "scm", "tag", "v3.2")
    for spec in (f"{tmp_path}/scm@v3.2", f"git+file://{tmp_path}/scm@v3.2"):
        with open_workspace(spec) as workspace:
            assert workspace.origin and (workspace.origin / "scm" / "_version.py").is_file()
            done = subprocess.run(
                [workspace.python, "-m", "pytest", "-q"], cwd=workspace.tree, capture_output=True, text=True
            )
        assert "1 passed" in done.stdout
