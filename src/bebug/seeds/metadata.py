"""What a project says of itself: name, version, licence, what its tests need, how it sets up pytest."""

from __future__ import annotations

import configparser
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_string
from itertools import pairwise
from pathlib import Path
from typing import Any

TEST_NAMES = ("test", "tests", "testing")
ALL_NAMES = (*TEST_NAMES, "dev")
"""Names of extras and dependency groups that hold what a project's tests need."""

TEST_FILES = ("requirements-test*.txt", "test-requirements*.txt", "requirements/test*.txt")
ALL_FILES = (*TEST_FILES, "requirements-dev*.txt", "dev-requirements*.txt", "requirements.txt")
"""Requirements files that hold what a project's tests need."""

PLUGINS = {
    r"-n(\d+|auto|logical)?|--dist(=.*)?|--numprocesses(=.*)?|--maxprocesses(=.*)?": "pytest-xdist",
    r"--cov.*|--no-cov.*": "pytest-cov",
    r"--asyncio.*|asyncio_.*": "pytest-asyncio",
    r"--timeout.*|timeout": "pytest-timeout",
    r"--reruns.*": "pytest-rerunfailures",
    r"--benchmark.*": "pytest-benchmark",
    r"--randomly.*": "pytest-randomly",
    r"--random-order.*": "pytest-random-order",
    r"--doctest-plus.*": "pytest-doctestplus",
    r"--ds(=.*)?|DJANGO_SETTINGS_MODULE": "pytest-django",
    r"--snapshot.*": "syrupy",
    r"--mock.*|mock_.*": "pytest-mock",
}
"""Options and settings of pytest that only a plugin knows, and the distribution that brings it."""

VERSION_FROM_GIT = re.compile(
    r"scm|[_-]vcs|versioneer|\bpbr\b|git-version|dynamic-versioning|versioningit|dunamai"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What the files at the top of a project's *folder* say. *extras* and *groups*: those meant for tests."""

    folder: Path
    name: str
    version: str
    licence: str
    installable: bool
    version_from_git: bool
    extras: tuple[str, ...]
    groups: tuple[str, ...]


def read_project(folder: Path) -> Project:
    """Read pyproject.toml, setup.cfg and setup.py in *folder*; what is missing or unreadable is unsaid."""
    pyproject, config = read_toml(folder / "pyproject.toml"), _read_ini(folder / "setup.cfg")
    project = _table(pyproject, "project") or _table(_table(pyproject, "tool"), "poetry")
    old = dict(config["metadata"]) if config.has_section("metadata") else {}
    extras = [*_table(project, "optional-dependencies"), *_keys(config, "options.extras_require")]
    built = message_from_string(_text(folder / "PKG-INFO"))  # an sdist says here what setup.py computes
    texts = [_text(folder / name) for name in ("pyproject.toml", "setup.cfg", "setup.py")]
    return Project(
        folder=folder,
        name=str(project.get("name") or old.get("name") or built["Name"] or ""),
        version=_plain(project.get("version") or old.get("version")) or _plain(built["Version"]) or "0",
        licence=_licence(project) or _plain(old.get("license")) or "unknown",
        installable=bool(project or "build-system" in pyproject or texts[2]),
        version_from_git=any(VERSION_FROM_GIT.search(text) for text in texts),
        extras=tuple(name for name in ALL_NAMES if name in extras),
        groups=tuple(name for name in ALL_NAMES if name in _table(pyproject, "dependency-groups")),
    )


def _licence(project: Mapping[str, Any]) -> str:
    """The licence that `[project]` names: an SPDX text, an old-style table, or the classifier."""
    said = project.get("license")
    if isinstance(said, Mapping):
        said = said.get("text")
    classifiers = [
        str(item) for item in project.get("classifiers") or [] if str(item).startswith("License ::")
    ]
    return _plain(said) or (classifiers[0].split(" :: ")[-1] if classifiers else "")


def _plain(value: object) -> str:
    """*value* if it is one short line of text that stands for itself (no `attr: pkg.version`), else ""."""
    text = str(value or "").strip()
    return text if re.fullmatch(r"[^\n:]{1,100}", text) else ""


def safe_name(name: str) -> str:
    """*name* as a seed may be called: a-z, 0-9 and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "repository"


def requirement_files(folder: Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    """The requirements files of a project that match *patterns*, each once, in their order."""
    return tuple(dict.fromkeys(file for pattern in patterns for file in sorted(folder.glob(pattern))))


def pytest_settings(folders: Sequence[Path]) -> Mapping[str, Any]:
    """pytest's settings, from the first of *folders* (inmost first) with a file that has some."""
    for folder in folders:
        for settings in _settings_in(folder):
            return settings
    return {}


def _settings_in(folder: Path) -> Iterator[Mapping[str, Any]]:
    for name in ("pytest.toml", ".pytest.toml"):
        if (folder / name).is_file():
            yield _table(read_toml(folder / name), "pytest")
    for name in ("pytest.ini", ".pytest.ini"):
        if (folder / name).is_file():
            yield _section(folder / name, "pytest") or {}
    tool = _table(_table(read_toml(folder / "pyproject.toml"), "tool"), "pytest")
    if tool:
        yield _table(tool, "ini_options") or tool
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        if (found := _section(folder / name, section)) is not None:
            yield found


def words(settings: Mapping[str, Any], key: str) -> list[str]:
    """A setting that is a list, or a text of words, as a list."""
    value = settings.get(key) or []
    if isinstance(value, list):
        return [str(item) for item in value]
    try:
        return shlex.split(str(value), comments=False)
    except ValueError:
        return str(value).split()


def plugins_named(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The distributions of the plugins that pytest's settings plainly ask for, sorted."""
    options = words(settings, "addopts")
    found = set(words(settings, "required_plugins"))
    for option in (*options, *settings):
        found |= {name for pattern, name in PLUGINS.items() if re.fullmatch(pattern, option)}
    for flag, value in pairwise(options):
        if flag == "-p" and re.fullmatch(r"pytest[_-]\w+", value):
            found.add(value.replace("_", "-"))
    return tuple(sorted(found))


def read_toml(file: Path) -> dict[str, Any]:
    """The table in *file*; an empty one where it is missing or no TOML (its own tools will say so)."""
    try:
        return tomllib.loads(_text(file))
    except ValueError:
        return {}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key)
    return value if isinstance(value, Mapping) else {}


def _read_ini(file: Path) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(_text(file))
    except configparser.Error:
        return configparser.ConfigParser()
    return parser


def _keys(config: configparser.ConfigParser, section: str) -> list[str]:
    return list(config[section]) if config.has_section(section) else []


def _section(file: Path, section: str) -> dict[str, str] | None:
    config = _read_ini(file)
    return dict(config[section]) if config.has_section(section) else None
