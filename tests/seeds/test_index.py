"""Projects by name: an index that is a folder, and what is said where a project cannot be had from it."""

from __future__ import annotations

import json
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from bebug.errors import FetchError, SeedError
from bebug.seeds import SeedFile, open_workspace, source_files
from bebug.seeds.index import sdist_of
from bebug.seeds.specs import Project
from bebug.seeds.tree import tree_digest


def silent(line: str) -> None:
    """No progress wanted."""


def pip_says(monkeypatch: pytest.MonkeyPatch, *answers: tuple[int, str]) -> None:
    """Let pip end so, call by call."""
    left = list(answers)

    def run(arguments: list[str], *, cwd: Path) -> subprocess.CompletedProcess[bytes]:
        code, text = left.pop(0)
        return subprocess.CompletedProcess(arguments, code, b"", text.encode())

    monkeypatch.setattr(import_module("bebug.seeds.index"), "run_pip", run)


def test_a_version_is_fetched_once_with_the_digest_of_its_sdist(
    tiny: SeedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    first = sdist_of(Project(name="Tiny", version="1.0"), said.append)
    assert (first.version, first.sha256) == ("1.0", tiny.sha256)
    assert (first.folder / "tree" / "tiny" / "__init__.py").is_file()
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    assert sdist_of(Project(name="Tiny", version="1.0"), said.append) == first
    assert said == ["fetching Tiny 1.0 from the package index"]


def test_without_a_version_the_latest_is_taken_and_told(
    tiny: SeedFile,
) -> None:
    said: list[str] = []
    found = sdist_of(Project(name="tiny", version=""), said.append)
    assert found.version == "1.0"
    assert said[0] == "the latest sdist of tiny is 1.0: pypi:tiny==1.0"
    assert found == sdist_of(Project(name="tiny", version="1.0"), silent)


def test_a_version_is_told_from_a_name_with_hyphens_and_digits() -> None:
    module = import_module("bebug.seeds.index")
    for file, name, version in (
        ("python-slugify-8.0.4.tar.gz", "python-slugify", "8.0.4"),
        ("python_slugify-8.0.4.zip", "Python.Slugify", "8.0.4"),
        ("a-2-1.0-2.tgz", "a-2", "1.0-2"),
        ("a-1.tar.bz2", "a", "1"),
    ):
        assert module._version_in(Path(file), Project(name=name, version="")) == version
    with pytest.raises(FetchError, match=r"b-1\.tar\.gz is no sdist of a"):
        module._version_in(Path("b-1.tar.gz"), Project(name="a", version=""))


def test_an_unknown_version_and_an_unknown_project_are_told_apart(tiny: SeedFile) -> None:
    with pytest.raises(SeedError, match=r"tiny has no version 9 with an sdist: the last are 1\.0") as caught:
        sdist_of(Project(name="tiny", version="9"), silent)
    assert "\n" not in caught.value.message
    with pytest.raises(SeedError, match="the package index knows no project tinny: check the spelling"):
        sdist_of(Project(name="tinny", version="1"), silent)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (
            [(1, "Failed to establish a new connection: [Errno -2]"), (1, "")],
            r"a==1 could not be fetched: the package index was not reached; check the network",
        ),
        (
            [(1, "error: subprocess-exited-with-error\n Getting requirements to build wheel did not run")],
            r"the sdist of a==1 cannot be prepared: its own build fails on Python 3\.",
        ),
        (
            [(1, "Could not find a version (from versions: none)"), (0, "a (2.0)")],
            r"a==1 has no sdist on the index, and wheels hold no tests: use git\+URL@REV",
        ),
        (
            [
                (
                    1,
                    "Ignored the following versions that require a different python version: 1 "
                    "(from versions: none)",
                )
            ],
            r"a==1 does not support Python 3\.",
        ),
    ],
)
def test_whatever_pip_fails_of_is_one_line(
    answers: list[tuple[int, str]], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pip_says(monkeypatch, *answers)
    with pytest.raises(SeedError, match=message) as caught:
        sdist_of(Project(name="a", version="1"), silent)
    assert "\n" not in caught.value.message


def test_an_sdist_without_tests_is_refused_with_the_address_of_its_repository(
    tiny: SeedFile, cache: Path
) -> None:
    tree = sdist_of(Project(name="tiny", version="1.0"), silent).folder / "tree"
    (tree / "tests" / "test_half.py").unlink()
    with (tree / "pyproject.toml").open("a") as pyproject:
        pyproject.write(
            'urls = {Changes = "https://github.com/o/tiny/blob/x", Code = "https://github.com/o/tiny"}\n'
        )
    kept = tree.parent / "bebug-fetched.json"
    record = {**json.loads(kept.read_text()), "tree_sha256": tree_digest(tree)}
    kept.write_text(json.dumps(record))
    expected = (
        r"the sdist of tiny 1\.0 holds no test that pytest could run: try git\+URL@TAG of its repository "
    )
    with pytest.raises(SeedError, match=expected + r"\(https://github\.com/o/tiny\)$"):
        open_workspace("pypi:tiny==1.0").__enter__()


@pytest.mark.network
def test_a_real_project_by_its_version_is_a_workspace_that_runs_its_tests() -> None:
    with open_workspace("pypi:inflection==0.5.1") as workspace:
        seed = workspace.seed
        assert (seed.name, seed.version, seed.source, seed.licence) == ("inflection", "0.5.1", "pypi", "MIT")
        # the digest that the index publishes for inflection-0.5.1.tar.gz
        assert seed.sha256 == "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417"
        assert source_files(workspace) == ("inflection/__init__.py",)
        assert not any(package.startswith("inflection==") for package in workspace.packages)
        (workspace.tree / "inflection" / "__init__.py").write_text(
            "raise SystemError('the copy was imported')"
        )
        done = subprocess.run(
            [workspace.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            cwd=workspace.tree,
            env={"PYTHONPATH": str(workspace.tree), "PATH": ""},
            capture_output=True,
            text=True,
        )
    assert "the copy was imported" in done.stdout
