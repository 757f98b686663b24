"""What a project says of itself: name, version, licence, what its tests need, how it sets up pytest."""

from __future__ import annotations

import configparser
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from itertools import pairwise
from pathlib import Path
from typing import Any

from bebug.seeds.setup_script import setup_keywords

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
    """What the files at the top of a project's *folder* say. *python* is the Python that it asks for."""

    folder: Path
    name: str
    version: str
    licence: str
    python: str
    address: str
    installable: bool
    version_from_git: bool
    extras: tuple[str, ...]
    groups: tuple[str, ...]


def read_project(folder: Path) -> Project:
    """Read what *folder* holds: pyproject.toml, setup.cfg, setup.py (its literals), an sdist's PKG-INFO.

    What is missing or unreadable is unsaid.
    """
    pyproject, config = read_toml(folder / "pyproject.toml"), read_ini(folder / "setup.cfg")
    project = table(pyproject, "project") or table(table(pyproject, "tool"), "poetry")
    old = dict(config["metadata"]) if config.has_section("metadata") else {}
    script, built = setup_keywords(folder), message_from_string(text_of(folder / "PKG-INFO"))
    options = dict(config["options"]) if config.has_section("options") else {}
    texts = [text_of(folder / name) for name in ("pyproject.toml", "setup.cfg", "setup.py")]
    extras = [
        *table(project, "optional-dependencies"),
        *table(project, "extras"),
        *_keys(config, "options.extras_require"),
        *table(script, "extras_require"),
        *(str(name) for name in built.get_all("Provides-Extra", [])),
    ]
    licences = [_licence(project), old.get("license"), script.get("license"), *_licences_built(built)]
    pythons = [project.get("requires-python"), options.get("python_requires"), script.get("python_requires")]
    return Project(
        folder=folder,
        name=_first([project.get("name"), old.get("name"), script.get("name"), built["Name"]]),
        version=_first([project.get("version"), old.get("version"), script.get("version"), built["Version"]])
        or "0",
        licence=_first(licences) or "unknown",
        python=next((str(said) for said in [*pythons, built["Requires-Python"]] if said), ""),
        address=_address(project, old, built),
        installable=bool(project or "build-system" in pyproject or texts[2]),
        version_from_git=any(VERSION_FROM_GIT.search(text) for text in texts),
        extras=tuple(dict.fromkeys(extras)),
        groups=tuple(table(pyproject, "dependency-groups")),
    )


def _first(said: Iterable[object]) -> str:
    """The first of the values that stands for itself."""
    return next((plain for plain in map(_plain, said) if plain and plain != "UNKNOWN"), "")


def _licence(project: Mapping[str, Any]) -> str:
    """The licence that `[project]` names: an SPDX text, an old-style table, or the classifier."""
    said = project.get("license")
    if isinstance(said, Mapping):
        said = said.get("text")
    return _plain(said) or _of_classifiers(project.get("classifiers") or [])


def _licences_built(built: Message) -> list[str]:
    classifiers = built.get_all("Classifier", [])
    return [str(built["License-Expression"] or ""), str(built["License"] or ""), _of_classifiers(classifiers)]


def _of_classifiers(classifiers: Iterable[object]) -> str:
    found = [str(item) for item in classifiers if str(item).startswith("License ::")]
    return found[0].split(" :: ")[-1] if found else ""


def _address(project: Mapping[str, Any], old: Mapping[str, str], built: Message) -> str:
    """Where the project's repository may be, as far as its metadata tells."""
    labelled = [str(line).partition(",")[::2] for line in built.get_all("Project-URL", [])]
    urls = {**{name: url.strip() for name, url in labelled}, **table(project, "urls")}
    urls = {
        name: url for name, url in urls.items() if not re.search(r"/(blob|issues|tree)\b|change", str(url))
    }
    for name, url in urls.items():
        if re.search(r"source|repo|code|github", str(name), re.IGNORECASE):
            return str(url)
    hosts = [
        *urls.values(),
        project.get("repository"),
        project.get("homepage"),
        old.get("url"),
        built["Home-page"],
    ]
    return next((str(url) for url in hosts if re.search(r"github|gitlab|codeberg|bitbucket", str(url))), "")


def _plain(value: object) -> str:
    """*value* if it is one short line of text that stands for itself (no `attr: pkg.version`), else ""."""
    text = str(value or "").strip()
    return text if re.fullmatch(r"[^\n:]{1,100}", text) else ""


def safe_name(name: str) -> str:
    """*name* as a seed may be called: a-z, 0-9 and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "repository"


def requirement_files(folder: Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    """The requirements files of a project that match *patterns*, each once, in their order.

    Of files that differ only in the Python that they are for, one: that for any, else for the newest.
    """
    found = dict.fromkeys(file for pattern in patterns for file in sorted(folder.glob(pattern)))
    newest: dict[Path, tuple[int, Path]] = {}
    for file in found:
        version = re.search(r"[-_.]?(?:py)?3\.?(\d+)(?=\.txt$)", file.name)
        stem = file.with_name(file.name[: version.start()] if version else file.stem)
        minor = int(version[1]) if version else 99
        newest[stem] = max(newest.get(stem, (0, file)), (minor, file))
    return tuple(file for file in found if file in [kept for _, kept in newest.values()])


def pytest_settings(folders: Sequence[Path]) -> Mapping[str, Any]:
    """pytest's settings, from the first of *folders* (inmost first) with a file that has some."""
    for folder in folders:
        for settings in _settings_in(folder):
            return settings
    return {}


def _settings_in(folder: Path) -> Iterator[Mapping[str, Any]]:
    for name in ("pytest.toml", ".pytest.toml"):
        if (folder / name).is_file():
            yield table(read_toml(folder / name), "pytest")
    for name in ("pytest.ini", ".pytest.ini"):
        if (folder / name).is_file():
            yield _section(folder / name, "pytest") or {}
    tool = table(table(read_toml(folder / "pyproject.toml"), "tool"), "pytest")
    if tool:
        yield table(tool, "ini_options") or tool
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
        return tomllib.loads(text_of(file))
    except ValueError:
        return {}


def text_of(file: Path) -> str:
    """The text of *file*; an empty one where it cannot be read."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def table(parent: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The table at *key*, or an empty one."""
    value = parent.get(key)
    return value if isinstance(value, Mapping) else {}


def read_ini(source: Path | str) -> configparser.ConfigParser:
    """The sections of a file, or of a text; none where it cannot be read as such."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(source if isinstance(source, str) else text_of(source))
    except configparser.Error:
        return configparser.ConfigParser(interpolation=None)
    return parser


def _keys(config: configparser.ConfigParser, section: str) -> list[str]:
    return list(config[section]) if config.has_section(section) else []


def _section(file: Path, section: str) -> dict[str, str] | None:
    config = read_ini(file)
    return dict(config[section]) if config.has_section(section) else None
