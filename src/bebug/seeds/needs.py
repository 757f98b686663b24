"""What a project's tests need besides the project: read from all the usual places, each of them named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bebug.seeds.helpers import libraries_of
from bebug.seeds.metadata import (
    Project,
    plugins_named,
    pytest_settings,
    read_ini,
    read_toml,
    requirement_files,
    table,
    text_of,
)
from bebug.seeds.setup_script import setup_keywords

TEST = re.compile(
    r"(unit)?-?(tests?|testing|pytest|test-(base|deps|all|requirements|suite|extras))", re.IGNORECASE
)
DEV = re.compile(r"dev|develop|development|dev-dependencies", re.IGNORECASE)
"""Names of extras and dependency groups that hold what a project's tests need."""

TEST_FILES = (
    "requirements[-_]test*.txt",
    "test[-_]requirements*.txt",
    "requirements/*test*.txt",
    "tests/requirements*.txt",
    "test/requirements*.txt",
)
DEV_FILES = (
    "requirements[-_]dev*.txt",
    "dev[-_]requirements*.txt",
    "requirements/dev*.txt",
    "requirements/base.txt",
    "requirements.txt",
)
"""Requirements files that hold what a project's tests need."""

PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(\[[\w\s,.-]*\])?\s*([<>=!~(;@].*)?")
ITSELF = re.compile(r"\s*((-e|--editable)[ =]?\s*)?(file:)?\.(/|\[[^]]*\])?\s*(#.*|;.*)?")
"""A line that installs the project that it belongs to: we do that ourselves, and not editable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What to install beside a project. *said*: where it was found, in words."""

    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()  # requirements, one each
    said: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    extras: list[str]
    groups: list[str]
    files: list[str]
    loose: list[str]
    said: list[str]

    def take(self, where: str, loose: Sequence[str]) -> None:
        """Requirements found in the place *where*."""
        if wanted := [each.strip() for each in loose if PLAIN.fullmatch(each.strip())]:
            self.loose += wanted
            self.said.append(where)


def needs(project: Project | None, folder: Path, *, dev: bool, above: Sequence[Path] = ()) -> Needs:
    """What the tests of the project in *folder* ask for; with what is meant for its developers where *dev*.

    *above* are the folders around it, whose pytest settings may hold too.
    """
    found = _Found([], [], [], [], [])
    pyproject = read_toml(folder / "pyproject.toml")
    if project:
        found.extras = [name for name in project.extras if _is_meant(name, dev)]
        found.groups = [name for name in project.groups if _is_meant(name, dev)]
        found.said += [f"extra {name}" for name in found.extras] + [f"group {name}" for name in found.groups]
    patterns = (*TEST_FILES, *DEV_FILES) if dev else TEST_FILES
    found.files = [file.relative_to(folder).as_posix() for file in requirement_files(folder, patterns)]
    found.said += found.files
    _from_tools(pyproject, found, dev)
    _from_setup(folder, found)
    _from_tox(project, folder, pyproject, found)
    found.take("pytest's settings", plugins_named(pytest_settings([folder, *above])))
    if helpers := libraries_of(folder):
        found.take(f"what tests use ({', '.join(helpers)})", helpers)
    return Needs(
        extras=tuple(dict.fromkeys(found.extras)),
        groups=tuple(dict.fromkeys(found.groups)),
        files=tuple(found.files),
        loose=tuple(dict.fromkeys(found.loose)),
        said=tuple(dict.fromkeys(found.said)),
    )


def _is_meant(name: str, dev: bool) -> bool:
    plain = re.sub(r"[-_.]+", "-", name)
    return bool(TEST.fullmatch(plain) or (dev and DEV.fullmatch(plain)))


def _from_tools(pyproject: Mapping[str, Any], found: _Found, dev: bool) -> None:
    """Tables of uv, pdm, hatch and poetry in pyproject.toml."""
    tool = table(pyproject, "tool")
    if dev:
        found.take("tool.uv.dev-dependencies", _strings(table(tool, "uv").get("dev-dependencies")))
    for name, wanted in table(table(tool, "pdm"), "dev-dependencies").items():
        if _is_meant(name, dev):
            found.take(f"tool.pdm.dev-dependencies.{name}", _strings(wanted))
    hatch = table(table(tool, "hatch"), "envs")
    for name in hatch:
        if _is_meant(name, dev) or name in ("default", "hatch-test"):
            env = table(hatch, name)
            wanted = [*_strings(env.get("dependencies")), *_strings(env.get("extra-dependencies"))]
            found.take(f"tool.hatch.envs.{name}", wanted)
    poetry = table(tool, "poetry")
    groups = {name: table(table(poetry, "group"), name) for name in table(poetry, "group")}
    tables = {
        f"tool.poetry.group.{name}": table(group, "dependencies")
        for name, group in groups.items()
        if _is_meant(name, dev)
    }
    if dev:
        tables["tool.poetry.dev-dependencies"] = table(poetry, "dev-dependencies")
    for where, wanted in tables.items():
        found.take(where, [_of_poetry(name, said) for name, said in wanted.items() if name != "python"])


def _of_poetry(name: str, said: object) -> str:
    """Poetry's way of writing a requirement, as far as tests need it: the name, and the least version."""
    if isinstance(said, Mapping):
        if said.keys() & {"path", "git", "url"}:
            return ""
        said = said.get("version", "*")
    least = re.match(r"\s*[\^~]?=?\s*(\d[\w.]*)", str(said))
    if least:
        return f"{name}>={least[1]}"
    return name if str(said).strip() == "*" else f"{name}{said}"


def _from_setup(folder: Path, found: _Found) -> None:
    """`tests_require` of setup.cfg and setup.py."""
    config, said = read_ini(folder / "setup.cfg"), setup_keywords(folder).get("tests_require")
    if config.has_option("options", "tests_require"):
        found.take("setup.cfg tests_require", re.split(r"[\n;]", config["options"]["tests_require"]))
    found.take("setup.py tests_require", [said] if isinstance(said, str) else _strings(said))


def _from_tox(project: Project | None, folder: Path, pyproject: Mapping[str, Any], found: _Found) -> None:
    """`deps`, `extras` and `dependency_groups` of tox's plain test environment."""
    tox = table(table(pyproject, "tool"), "tox")
    texts = [("tox.ini", text_of(folder / "tox.ini")), ("setup.cfg", text_of(folder / "setup.cfg"))]
    texts.append(("tool.tox.legacy_tox_ini", str(tox.get("legacy_tox_ini", ""))))
    for where, text in texts:
        config = read_ini(text)
        if config.has_section("testenv"):
            env = {key: value.splitlines() for key, value in config["testenv"].items()}
            _from_tox_env(f"{where} [testenv]", env, project, folder, found)
    for where, settings in (("tox.toml", read_toml(folder / "tox.toml")), ("tool.tox", tox)):
        base = table(settings, "env_run_base")
        _from_tox_env(where, {key: _strings(value) for key, value in base.items()}, project, folder, found)


def _from_tox_env(
    where: str, env: Mapping[str, Sequence[str]], project: Project | None, folder: Path, found: _Found
) -> None:
    deps = [re.sub(r"\{(tox_?ini_?dir|tox_root)\}", ".", line) for line in env.get("deps", ())]
    for line in deps:
        if named := re.fullmatch(r"\s*(?:-r|--requirement)[ =]?\s*(?:\./)?([\w./-]+)\s*", line):
            inside = (folder / named[1]).resolve()
            if inside.is_file() and inside.is_relative_to(folder.resolve()) and named[1] not in found.files:
                found.files.append(named[1])
                found.said.append(f"{where} {named[1]}")
    found.take(where, [line for line in deps if not re.match(r"\s*[\w,!{}.-]+:\s", line) and "{" not in line])
    for key, known, chosen in (
        ("extras", project.extras if project else (), found.extras),
        ("dependency_groups", project.groups if project else (), found.groups),
    ):
        for name in re.split(r"[\s,]+", " ".join(env.get(key, ()))):
            if name in known and name not in chosen:
                chosen.append(name)
                found.said.append(f"{where} {key} {name}")


def without_itself(copy: Path, files: Sequence[str]) -> None:
    """Take out of requirements *files* in a private *copy* the lines that install the project itself.

    Editable, it would point at a folder that goes; and all of its files are followed by `-r` as well.
    """
    for file in _followed(copy, files):
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
        kept = [line for line in lines if not ITSELF.fullmatch(line)]
        if kept != lines:
            file.write_text("\n".join(kept) + "\n", encoding="utf-8")


NAMED = re.compile(r"\s*([A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?)(?![\w+:/])[^;#]*(;[^#\\]*)?.*")


def unpinned(wanted: Needs, copy: Path) -> Needs:
    """*wanted* with every requirement by its name alone: pins may contradict each other, or what we need."""
    lines = [line for file in _followed(copy, wanted.files) for line in text_of(file).splitlines()]
    every = filter(None, map(NAMED.fullmatch, (*lines, *wanted.loose)))
    loose = dict.fromkeys(found[1] + (found[2] or "").rstrip() for found in every)
    return replace(wanted, files=(), loose=tuple(loose), said=(*wanted.said, "all without their pins"))


def _followed(copy: Path, files: Sequence[str]) -> Iterator[Path]:
    pending, seen = [copy / name for name in files], set[Path]()
    while pending:
        file = pending.pop()
        if file in seen or not file.is_file():
            continue
        seen.add(file)
        yield file
        for line in text_of(file).splitlines():
            if named := re.match(r"\s*(?:-r|-c|--requirement|--constraint)[ =]?\s*([\w./-]+)", line):
                pending.append(file.parent / named[1])


def _strings(value: object) -> list[str]:
    if not isinstance(value, list | tuple | set):
        return []
    return [item for item in value if isinstance(item, str)]
