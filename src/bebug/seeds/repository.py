"""The environment of a user's repository: the one it has, else one built from its metadata."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bebug.errors import FetchError, SeedError
from bebug.records import digest
from bebug.seeds.cache import scratch_folder
from bebug.seeds.environment import built, environment_key, install
from bebug.seeds.interpreter import Interpreter, with_pytest
from bebug.seeds.locate import Location
from bebug.seeds.metadata import (
    ALL_FILES,
    ALL_NAMES,
    TEST_FILES,
    TEST_NAMES,
    Project,
    plugins_named,
    pytest_settings,
    read_project,
    read_toml,
    requirement_files,
    safe_name,
)
from bebug.seeds.tree import copy_tree, entries
from bebug.seeds.uv import COVERAGE

Notify = Callable[[str], None]

BUILD_NAMES = ("pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "uv.lock")
BUILD_SUFFIXES = (".txt", ".c", ".cc", ".cpp", ".h", ".pyx", ".pxd", ".rs")


def own_environment(location: Location) -> Interpreter | None:
    """The `.venv` or `venv` of a user's repository, nearest to the folder pointed at; None where it has none.

    One that lacks pytest or does not run is a `SeedError`: its owner means it to be used.
    """
    for folder in location.chain:
        for name in (".venv", "venv"):
            python = folder / name / "bin" / "python"
            if (folder / name / "pyvenv.cfg").exists() and os.path.lexists(python):
                return with_pytest(python)
    return None


def environment_from_metadata(location: Location, base: Interpreter, notify: Notify) -> Interpreter:
    """An environment for a user's repository that has none, from what its files say that tests need.

    The project is built from a private copy, with its history only where its version comes from there.
    """
    project = next((found for found in map(read_project, location.chain) if found.installable), None)
    folder = project.folder if project else location.folder
    key = environment_key(base, [str(folder), build_inputs(folder)])

    def fill(python: Path) -> None:
        notify(
            "no --python and no .venv: installing what the metadata asks for, which runs the project's build"
        )
        with scratch_folder() as scratch:
            keep = (".git",) if project and project.version_from_git else ()
            copy_tree(location.root, scratch / "tree", keep=keep)
            copy = scratch / "tree" / folder.relative_to(location.root)
            plugins = plugins_named(pytest_settings(location.chain))
            _install_first_that_works(python, project, copy, plugins)

    return built(f"{safe_name(folder.name)[:30]}-{key}", base, fill, notify)


def build_inputs(folder: Path) -> str:
    """A digest of the files that decide what an environment for *folder* holds."""
    parts: list[str | bytes] = []
    for path, entry in entries(folder):
        if (path in BUILD_NAMES or path.endswith(BUILD_SUFFIXES)) and entry.is_file():
            parts += [path, Path(entry.path).read_bytes()]
    return digest(*parts)


def _install_first_that_works(
    python: Path, project: Project | None, copy: Path, plugins: Sequence[str]
) -> None:
    """Install the private *copy* with all that its tests may need; with less where that will not go."""
    purpose = f"installing {project.name if project and project.name else copy.name} with what its tests need"
    first: FetchError | None = None
    for arguments in _attempts(project, copy):
        wanted = [*arguments, *plugins, "pytest", COVERAGE]
        try:
            install(python, wanted, cwd=copy, purpose=purpose, env=_version_at_hand(project, copy))
        except FetchError as error:
            first = first or error
        else:
            return
    detail = first.detail if first else ""
    raise SeedError(f"{purpose} failed: make a .venv with pytest in it, or give --python", detail=detail)


def _attempts(project: Project | None, copy: Path) -> list[list[str]]:
    """What to install, the fullest first; the last ones leave the project itself out."""
    found: list[list[str]] = []
    for names, files in ((ALL_NAMES, ALL_FILES), (TEST_NAMES, TEST_FILES), ((), ())):
        found.append([*_itself(project, names), *_needs(project, copy, names, files)])
    if project and read_toml(copy / "pyproject.toml").get("project"):
        for names, files in ((ALL_NAMES, ALL_FILES), (TEST_NAMES, TEST_FILES)):
            extras = [part for name in project.extras if name in names for part in ("--extra", name)]
            found.append(["-r", "pyproject.toml", *extras, *_needs(project, copy, names, files)])
    return [attempt for at, attempt in enumerate(found) if attempt not in found[:at]]


def _itself(project: Project | None, names: Sequence[str]) -> list[str]:
    if project is None:
        return []
    extras = [name for name in project.extras if name in names]
    return [f".[{','.join(extras)}]" if extras else "."]


def _needs(project: Project | None, copy: Path, names: Sequence[str], files: Sequence[str]) -> list[str]:
    """The arguments of an install for a project's dependency groups and requirements files."""
    groups = [
        part for name in (project.groups if project else ()) if name in names for part in ("--group", name)
    ]
    found = [part for file in requirement_files(copy, files) for part in ("-r", str(file.relative_to(copy)))]
    return groups + found


def _version_at_hand(project: Project | None, copy: Path) -> Mapping[str, str]:
    """Variables that stand in for a missing git history, where the version should come from there."""
    history = any(
        (folder / name).exists() for folder in (copy, *copy.parents) for name in (".git", "PKG-INFO")
    )
    if project is None or not project.version_from_git or history:
        return {}
    return {"SETUPTOOLS_SCM_PRETEND_VERSION": "0", "PBR_VERSION": "0"}
