"""Environments: built once, whole or not at all, from a catalogue seed's pins or a project's metadata."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from bebug.errors import FetchError, SeedError
from bebug.seeds import SeedFile, open_workspace
from bebug.seeds.environment import built, coverage_folder, environment_for, environment_key
from bebug.seeds.interpreter import ask, given_python, satisfies
from bebug.seeds.repository import build_inputs

Write = Callable[[Path, Mapping[str, str]], Path]
BASE = ask(Path(sys.executable))


def silent(line: str) -> None:
    """No progress wanted."""


def test_an_interpreter_tells_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('a module of the user was imported')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    told = ask(Path(sys.executable))
    assert told == BASE
    assert told.version == ".".join(map(str, sys.version_info[:3]))
    assert told.has_pytest and told.has_coverage
    assert list(told.packages) == sorted(told.packages)


def test_an_interpreter_may_be_given_as_a_command_or_an_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "bin" / "python9.9").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    assert given_python(Path("python9.9")) == tmp_path / "bin" / "python9.9"
    assert given_python(tmp_path) == tmp_path / "bin" / "python"
    monkeypatch.chdir(tmp_path)
    assert given_python(Path("bin/python")) == tmp_path / "bin" / "python"


@pytest.mark.parametrize(
    ("version", "wanted", "meets"),
    [
        ("3.11.7", ">=3.11", True),
        ("3.9.2", ">=3.11", False),
        ("3.13.0", ">=3.9,<3.13", False),
        ("3.12.0rc1", ">=3.9,<3.13", True),
    ],
)
def test_versions_are_compared_by_number(version: str, wanted: str, meets: bool) -> None:
    assert satisfies(version, wanted) is meets


def test_the_key_depends_on_interpreter_and_requirements_alone() -> None:
    key = environment_key(BASE, ["a==1", "b==2"])
    assert key == environment_key(replace(BASE, packages=()), ["b==2", "a==1"])
    assert (
        len(
            {
                key,
                environment_key(BASE, ["a==1"]),
                environment_key(replace(BASE, version="3.99.0"), ["a==1", "b==2"]),
            }
        )
        == 3
    )


def test_an_environment_that_was_not_finished_is_built_again() -> None:
    filled: list[Path] = []

    def stop(python: Path) -> None:
        filled.append(python)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        built("one", BASE, stop, silent)
    made = built("one", BASE, filled.append, silent)
    again = built("one", BASE, filled.append, silent)
    assert filled == [made.path, made.path]
    assert made == again
    assert made.version == BASE.version
    made.path.unlink()
    assert built("one", BASE, filled.append, silent).path.exists()


def test_a_failed_build_shows_what_uv_said_and_keeps_nothing(
    tiny: SeedFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    with pytest.raises(FetchError, match="installing what tiny needs failed") as caught:
        environment_for(tiny, tmp_path, BASE, silent)
    assert "pytest" in caught.value.detail
    with pytest.raises(FetchError):
        environment_for(tiny, tmp_path, BASE, silent)


def test_coverage_is_put_beside_only_where_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert coverage_folder(BASE, silent) is None
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    said: list[str] = []
    assert coverage_folder(replace(BASE, has_coverage=False), said.append) is None
    assert "tests are chosen without it" in said[0]


def test_an_edit_of_the_source_asks_for_no_new_environment(repository: Path) -> None:
    before = build_inputs(repository)
    (repository / "shop" / "till.py").write_text("def total(prices):\n    return 0\n")
    assert build_inputs(repository) == before
    (repository / "requirements.txt").write_text("six\n")
    assert build_inputs(repository) != before


def test_a_project_is_built_by_ever_smaller_demands(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[project]\nname = "p"\nversion = "1"\n[dependency-groups]\ntests = []\n'
    text += "[project.optional-dependencies]\ntest = []\ndev = []\n"
    folder = write(
        tmp_path / "p",
        {"pyproject.toml": text, "p.py": "", "requirements-test.txt": "", "requirements.txt": ""},
    )
    asked: list[str] = []
    files = "-r requirements-test.txt"

    def refuse(python: Path, arguments: list[str], **other: object) -> None:
        asked.append(" ".join(arguments).removesuffix(" pytest coverage>=7.6"))
        raise FetchError("no", detail=f"try {len(asked)}")

    monkeypatch.setattr(import_module("bebug.seeds.repository"), "install", refuse)
    with pytest.raises(
        SeedError, match=r"installing p with what its tests need failed: make a \.venv"
    ) as caught:
        open_workspace(str(folder)).__enter__()
    assert asked == [
        f".[test,dev] --group tests {files} -r requirements.txt",
        f".[test] --group tests {files}",
        ".[test] --group tests",
        ".",
        f"-r pyproject.toml --extra test --extra dev --group tests {files} -r requirements.txt",
        f"-r pyproject.toml --extra test --group tests {files}",
        "-r pyproject.toml --extra test --group tests",
        "-r pyproject.toml",
    ]
    assert caught.value.detail == "try 1"


@pytest.mark.network
@pytest.mark.parametrize("install", ["pythonpath", "wheel"])
def test_a_catalogue_seed_gets_its_pins_and_coverage(
    tiny: SeedFile, install: str, tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    text = '[project]\nname = "tiny"\nversion = "1.0"\n[tool.setuptools]\npackages = ["tiny"]\n'
    tree = write(tmp_path / "tree", {"pyproject.toml": text, "tiny/__init__.py": ""})
    described = replace(tiny, install=install)
    made = environment_for(described, tree, BASE, silent)
    assert made.has_pytest and made.has_coverage
    assert "pytest==9.2.0" in made.packages
    assert ("tiny==1.0" in made.packages) == (install == "wheel")
    assert environment_for(described, tree, BASE, silent) == made


@pytest.mark.network
def test_a_repository_without_an_environment_gets_one_from_its_metadata(repository: Path) -> None:
    with (repository / "pyproject.toml").open("a") as pyproject:
        pyproject.write('[project.optional-dependencies]\ntest = ["iniconfig==2.0.0"]\n')
        pyproject.write('[tool.setuptools]\npackages = ["shop"]\n')
    (repository / "pytest.ini").write_text("[pytest]\naddopts = -n 0\n")
    before = sorted(repository.rglob("*"))
    with open_workspace(str(repository)) as workspace:
        assert "iniconfig==2.0.0" in workspace.packages
        assert any(package.startswith("pytest-xdist==") for package in workspace.packages)
        assert not any(package.startswith("my-shop==") for package in workspace.packages)
        done = subprocess.run(
            [workspace.python, "-m", "pytest", "-q"], cwd=workspace.tree, capture_output=True, text=True
        )
    assert "1 passed" in done.stdout
    assert sorted(repository.rglob("*")) == before


@pytest.mark.network
def test_a_project_that_cannot_be_built_still_gets_its_dependencies(tmp_path: Path, write: Write) -> None:
    text = '[project]\nname = "flat"\nversion = "1"\ndependencies = ["iniconfig==2.0.0"]\n'
    folder = write(tmp_path / "flat", {"pyproject.toml": text, "one/__init__.py": "", "two/__init__.py": ""})
    with open_workspace(str(folder)) as workspace:
        assert "iniconfig==2.0.0" in workspace.packages


@pytest.mark.network
def test_a_version_from_git_is_built_without_touching_the_history(tmp_path: Path, write: Write) -> None:
    text = '[build-system]\nrequires = ["setuptools", "setuptools-scm"]\n'
    text += 'build-backend = "setuptools.build_meta"\n[project]\nname = "scm"\ndynamic = ["version"]\n'
    text += '[tool.setuptools]\npy-modules = ["m"]\n[tool.setuptools_scm]\n'
    folder = write(tmp_path / "scm", {"pyproject.toml": text, "m.py": ""})
    with open_workspace(str(folder)) as workspace:
        assert workspace.seed.version == "0"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"], ["tag", "v3.2"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    (folder / "setup.cfg").write_text("")
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    with open_workspace(str(folder)) as workspace:
        code = "import importlib.metadata as m; print(m.version('scm'))"
        version = subprocess.run(
            [workspace.python, "-c", code], capture_output=True, text=True, cwd=tmp_path
        ).stdout
    assert version.startswith(("3.2", "3.3"))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.network
def test_coverage_is_put_beside_an_interpreter_that_lacks_it(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    bare = ask(tmp_path / "bare" / "bin" / "python")
    folder = coverage_folder(bare, silent)
    assert folder
    env = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run([str(bare.path), "-c", "import coverage"], env=env, check=True)
    assert not ask(bare.path).has_coverage
    assert coverage_folder(bare, silent) == folder
