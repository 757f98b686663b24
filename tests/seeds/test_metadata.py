"""What a project's files say of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.seeds.metadata import (
    plugins_named,
    pytest_settings,
    read_project,
    safe_name,
)

Write = Callable[[Path, Mapping[str, str]], Path]


def test_a_modern_pyproject_is_read(tmp_path: Path, write: Write) -> None:
    text = """
[build-system]
requires = ["hatchling", "hatch-vcs"]
[project]
name = "My.Project"
version = "1.2"
license = "Apache-2.0"
[project.optional-dependencies]
docs = ["sphinx"]
tests = ["pytest"]
dev = ["ruff"]
[dependency-groups]
test = ["pytest"]
"""
    project = read_project(write(tmp_path, {"pyproject.toml": text}))
    assert (project.name, project.version, project.licence) == ("My.Project", "1.2", "Apache-2.0")
    assert (project.extras, project.groups) == (("docs", "tests", "dev"), ("test",))
    assert project.installable
    assert project.version_from_git


def test_older_ways_of_saying_it_are_read_too(tmp_path: Path, write: Write) -> None:
    cfg = "[metadata]\nname = old\nversion = attr: old.__version__\nlicense = BSD\n"
    cfg += "[options.extras_require]\ntesting = pytest\n"
    old = read_project(
        write(tmp_path / "a", {"setup.cfg": cfg, "setup.py": "from setuptools import setup\nsetup()\n"})
    )
    assert (old.name, old.version, old.licence) == ("old", "0", "BSD")
    assert (old.extras, old.installable, old.version_from_git) == (("testing",), True, False)
    table = '[project]\nname = "t"\nlicense = {text = "MIT"}\n'
    assert read_project(write(tmp_path / "b", {"pyproject.toml": table})).licence == "MIT"
    classifier = '[project]\nname = "t"\nclassifiers = ["License :: OSI Approved :: ISC License (ISCL)"]\n'
    assert read_project(write(tmp_path / "c", {"pyproject.toml": classifier})).licence == "ISC License (ISCL)"
    poetry = '[tool.poetry]\nname = "p"\nversion = "3"\nlicense = "MIT"\n[build-system]\nrequires = []\n'
    assert read_project(write(tmp_path / "d", {"pyproject.toml": poetry})).version == "3"


@pytest.mark.parametrize(
    "text", ["", "[tool.ruff]\nline-length = 9\n", "this is = = not toml", "project = 3\n"]
)
def test_a_project_that_says_nothing_counts_as_unsaid(tmp_path: Path, write: Write, text: str) -> None:
    project = read_project(write(tmp_path, {"pyproject.toml": text, "setup.cfg": "]broken"}))
    assert (project.name, project.version, project.licence, project.installable) == (
        "",
        "0",
        "unknown",
        False,
    )


def test_settings_come_from_the_file_that_pytest_would_take(tmp_path: Path, write: Write) -> None:
    files = {
        "pytest.ini": "[pytest]\naddopts = -n 2\n",
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--cov'\n",
        "api/setup.cfg": "[metadata]\nname = api\n",
    }
    folder = write(tmp_path, files)
    assert plugins_named(pytest_settings([folder / "api", folder])) == ("pytest-xdist",)
    (folder / "pytest.ini").unlink()
    assert plugins_named(pytest_settings([folder / "api", folder])) == ("pytest-cov",)
    assert pytest_settings([folder / "api"]) == {}


@pytest.mark.parametrize(
    ("settings", "plugins"),
    [
        ({"addopts": "-ra -n4 --dist=loadfile"}, ("pytest-xdist",)),
        ({"addopts": ["--cov=pkg", "--cov-fail-under=90"]}, ("pytest-cov",)),
        ({"asyncio_mode": "auto"}, ("pytest-asyncio",)),
        ({"timeout": "30", "addopts": "--reruns 2"}, ("pytest-rerunfailures", "pytest-timeout")),
        ({"required_plugins": "pytest-mock>=3 pytest-bdd"}, ("pytest-bdd", "pytest-mock>=3")),
        ({"addopts": "-p no:cacheprovider -p pytest_httpx"}, ("pytest-httpx",)),
        ({"addopts": "-p mypkg.plugin --strict-markers -x --tb=short"}, ()),
        ({"addopts": "-k 'broken quote"}, ()),
    ],
)
def test_plugins_that_the_options_ask_for_are_named(
    settings: Mapping[str, object], plugins: tuple[str, ...]
) -> None:
    assert plugins_named(settings) == plugins


def test_any_name_becomes_one_that_a_seed_may_have() -> None:
    assert [safe_name(name) for name in ("My.Project_x", "--a--", "Ünï", "")] == [
        "my-project-x",
        "a",
        "n",
        "repository",
    ]
