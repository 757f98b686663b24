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
from bebug.seeds.metadata import Project, read_project, read_toml, safe_name
from bebug.seeds.needs import Needs, needs, unpinned, without_itself
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
    folder = project_folder(location)
    keep = (".git",) if read_project(folder).version_from_git else ()

    def copy(target: Path) -> None:
        notify(
            "no --python and no .venv: installing what the metadata asks for, which runs the project's build"
        )
        copy_tree(location.root, target, keep=keep)

    return environment_of(location, base, [str(folder), build_inputs(folder)], copy, notify)


def environment_of(
    location: Location, base: Interpreter, key: Sequence[str], copy: Callable[[Path], None], notify: Notify
) -> Interpreter:
    """An environment with the project at *location* and all that its tests may need.

    *key* tells its contents apart from any other's; *copy* fills a folder with the tree, to build from.
    """
    folder = project_folder(location)
    project = read_project(folder)

    def fill(python: Path) -> str:
        with scratch_folder() as scratch:
            copy(scratch / "tree")
            private = scratch / "tree" / folder.relative_to(location.root)
            return _install_first_that_works(
                python, project if project.installable else None, private, location.chain[1:]
            )

    name = f"{safe_name(project.name or folder.name)[:30]}-{environment_key(base, key)}"
    return built(name, base, fill, notify)


def project_folder(location: Location) -> Path:
    """The folder of the project that is meant: the inmost that can be installed, else the one pointed at."""
    found = (folder for folder in location.chain if read_project(folder).installable)
    return next(found, location.folder)


def build_inputs(folder: Path) -> str:
    """A digest of the files that decide what an environment for *folder* holds."""
    parts: list[str | bytes] = []
    for path, entry in entries(folder):
        if (path in BUILD_NAMES or path.endswith(BUILD_SUFFIXES)) and entry.is_file():
            parts += [path, Path(entry.path).read_bytes()]
    return digest(*parts)


def _install_first_that_works(
    python: Path, project: Project | None, copy: Path, above: Sequence[Path]
) -> str:
    """Install the private *copy* with all that its tests may need; with less where that will not go.

    Gives, in words, what was installed.
    """
    purpose = f"installing {project.name if project and project.name else copy.name} with what its tests need"
    first: FetchError | None = None
    for arguments, said in _attempts(project, copy, above):
        wanted = [*arguments, "pytest", COVERAGE]
        try:
            install(python, wanted, cwd=copy, purpose=purpose, env=_version_at_hand(project, copy))
        except FetchError as error:
            first = first or error
        else:
            return f"installed: {said}" + (
                f" (less than all, which failed: {_essence(first)})" if first else ""
            )
    detail = first.detail if first else ""
    raise SeedError(f"{purpose} failed: make a .venv with pytest in it, or give --python", detail=detail)


def _essence(error: FetchError) -> str:
    """The first lines of what uv said, without its bullets."""
    lines = [line.strip(" ×╰─▶├│") for line in error.detail.splitlines()]
    return " ".join([line for line in lines if line][:4])[:300] or error.message


def _attempts(project: Project | None, copy: Path, above: Sequence[Path]) -> list[tuple[list[str], str]]:
    """What to install, the fullest first, in words too; the last ones leave the project itself out."""
    every, tests = (needs(project, copy, dev=dev, above=above) for dev in (True, False))
    few = Needs(loose=tests.loose, said=("tools that its tests plainly use",)) if tests.loose else Needs()
    without_itself(copy, every.files)
    found: list[tuple[list[str], str]] = []
    for wanted in (every, tests, unpinned(tests, copy), few, Needs()):
        itself = [f".[{','.join(wanted.extras)}]" if wanted.extras else "."] if project else []
        found.append(([*itself, *_beside(wanted)], _said("the project" if project else "", wanted)))
    if project and read_toml(copy / "pyproject.toml").get("project"):
        for wanted in (every, tests, unpinned(tests, copy), few):
            extras = [part for name in wanted.extras for part in ("--extra", name)]
            arguments = ["-r", "pyproject.toml", *extras, *_beside(wanted)]
            found.append((arguments, _said("what the project depends on, but not itself", wanted)))
    return [each for at, each in enumerate(found) if each[0] not in [other[0] for other in found[:at]]]


def _beside(wanted: Needs) -> list[str]:
    groups = [part for name in wanted.groups for part in ("--group", name)]
    return [*groups, *(part for file in wanted.files for part in ("-r", file)), *wanted.loose]


def _said(itself: str, wanted: Needs) -> str:
    return ", ".join(part for part in (itself, *wanted.said, "pytest") if part)


def _version_at_hand(project: Project | None, copy: Path) -> Mapping[str, str]:
    """Variables that stand in for a missing git history, where the version should come from there."""
    history = any(
        (folder / name).exists() for folder in (copy, *copy.parents) for name in (".git", "PKG-INFO")
    )
    if project is None or not project.version_from_git or history:
        return {}
    return {"SETUPTOOLS_SCM_PRETEND_VERSION": "0", "PBR_VERSION": "0"}
