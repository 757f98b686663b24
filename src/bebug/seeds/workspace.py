"""The workspace: a seed made ready, whatever the user named it by."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bebug.errors import SeedError
from bebug.records import Seed, Workspace
from bebug.seeds.cache import private_folder, shared
from bebug.seeds.catalogue import SeedFile, catalogue
from bebug.seeds.elsewhere import had, key_of, next_step
from bebug.seeds.environment import base_for, coverage_folder, environment_for, hypothesis_folder
from bebug.seeds.fetch import fetch
from bebug.seeds.interpreter import Interpreter, ask, given_python, satisfies, with_pytest
from bebug.seeds.layout import Layout, completed, layout_of
from bebug.seeds.locate import Location, locate, source_roots, unknown_name
from bebug.seeds.metadata import read_project, safe_name
from bebug.seeds.platforms import insist_on_posix
from bebug.seeds.repository import environment_from_metadata, environment_of, own_environment, project_folder
from bebug.seeds.shelves import GATE, PREFIX, held_key, items_of
from bebug.seeds.specs import Project, Revision, elsewhere, is_path
from bebug.seeds.suite import arguments_of
from bebug.seeds.tree import copy_tree, tree_digest

Notify = Callable[[str], None]

PYTEST_AND_ITS_OWN = frozenset(["colorama", "iniconfig", "packaging", "pluggy", "pygments", "pytest"])


def _silent(line: str) -> None:
    """Progress that nobody wants to hear."""


@contextmanager
def open_workspace(
    spec: str,
    *,
    python: Path | None = None,
    pytest_args: Sequence[str] = (),
    by_path: bool | None = None,
    notify: Notify = _silent,
) -> Iterator[Workspace]:
    """The seed *spec* as a workspace, for as long as the block runs.

    *spec* is a name in the catalogue, a path, `PATH@REV`, `pypi:NAME==VERSION` or `git+URL@REV`. Its tree is
    a filtered snapshot in a private folder: removed at exit, or by the next workspace where this process is
    killed. *python* is the interpreter to test with (for a pypi seed: the one that its environment is built
    on). *pytest_args* follow the seed's own. *by_path* says whether *spec* is a path, where that was told
    before (None: look now). Raises `UsageError`, `SeedError`, `FetchError` or `MachineError`.
    """
    insist_on_posix()
    by_path = is_path(spec) if by_path is None else by_path
    asked = elsewhere(spec)
    known = {} if by_path or asked else catalogue()
    if not by_path and not asked and spec not in known:
        raise unknown_name(spec, known)
    with private_folder(PREFIX, Path(tempfile.gettempdir())) as folder, ExitStack() as holds:
        with shared(GATE):  # nothing is cleaned away while it is being made ready
            if asked:
                workspace = _open_elsewhere(asked, folder / "tree", python, pytest_args, notify)
            elif by_path:
                if os.sep not in spec and spec in catalogue():
                    notify(f"{spec} is taken as the folder ./{spec}, not as the seed of that name")
                workspace = _open_path(locate(spec), folder / "tree", python, pytest_args, notify)
            else:
                workspace = _open_named(known[spec], folder / "tree", python, pytest_args, notify)
            for item in items_of(workspace):
                holds.enter_context(shared(held_key(item)))
        yield workspace


def _open_named(
    described: SeedFile, tree: Path, python: Path | None, pytest_args: Sequence[str], notify: Notify
) -> Workspace:
    origin = fetch(described, notify)
    if not origin.is_dir():
        raise SeedError(f"seed {described.name} has no folder {origin}: install bebug again")
    interpreter = _interpreter_for(described, origin, python, notify)
    copy_tree(origin, tree, notify=notify)
    seed = Seed(
        name=described.name,
        version=described.version,
        source=described.source,
        sha256=described.sha256 or tree_digest(tree),
        licence=described.licence,
        test_argv=(*described.pytest, *pytest_args),
        env=dict(described.env),
        cwd=described.cwd,
        source_roots=described.source_roots,
        sources=described.sources,
        tests=described.tests,
    )
    return _ready(seed, tree, origin, interpreter, notify)


def _interpreter_for(described: SeedFile, origin: Path, python: Path | None, notify: Notify) -> Interpreter:
    """The interpreter for a seed's tests: in an environment of ours, or as it is for a builtin one."""
    given = given_python(python) if python else Path(sys.executable)
    base = ask(given) if described.source == "pypi" else with_pytest(given)
    if not satisfies(base.version, described.python):
        raise SeedError(
            f"seed {described.name} needs Python {described.python}, not {base.version}: "
            "choose one with --python"
        )
    if described.source == "pypi":
        return environment_for(described, origin, base, notify)
    return replace(base, packages=of_pytest(base.packages))


def of_pytest(packages: Sequence[str]) -> tuple[str, ...]:
    """Those of *packages* that bear on a builtin seed, which has no dependency and loads no plug-in."""
    return tuple(package for package in packages if package.partition("==")[0] in PYTEST_AND_ITS_OWN)


def _open_path(
    location: Location, tree: Path, python: Path | None, pytest_args: Sequence[str], notify: Notify
) -> Workspace:
    copy_tree(location.root, tree, notify=notify)
    if python:
        interpreter = with_pytest(given_python(python))
    else:
        interpreter = own_environment(location) or environment_from_metadata(
            location, base_for(read_project(project_folder(location)), None, notify), notify
        )
    said = [read_project(folder) for folder in location.chain]
    project = next((found for found in said if found.name), said[0])
    seed = Seed(
        name=safe_name(project.name or location.folder.name),
        version=project.version,
        source="path",
        sha256=tree_digest(location.root),
        licence=project.licence,
        test_argv=tuple(pytest_args),
        cwd=location.cwd,
        source_roots=source_roots(location),
    )
    return _ready(seed, tree, location.root, interpreter, notify)


def _open_elsewhere(
    asked: Project | Revision, tree: Path, python: Path | None, pytest_args: Sequence[str], notify: Notify
) -> Workspace:
    with had(asked, notify) as found:
        location = found.location
        project = read_project(project_folder(location))
        try:
            arguments = arguments_of(location)
        except SeedError as error:
            raise SeedError(f"{found.what} {error.message}: {next_step(asked, project.address)}") from None
        layout = Layout(roots=source_roots(location), generated={})
        interpreter = _given_as_it_is(asked, python, notify)
        if interpreter is None:
            base = base_for(project, ask(given_python(python)) if python else None, notify)
            interpreter = environment_of(location, base, key_of(found), found.copy, notify)
            layout = layout_of(interpreter, project.name, location.root, layout.roots)
        origin = completed(layout, location.root, key_of(found), interpreter, notify)
    copy_tree(origin, tree, notify=notify)
    seed = Seed(
        name=safe_name(project.name or found.name),
        version=found.version,
        source=found.source,
        sha256=found.sha256,
        licence=project.licence,
        test_argv=(*arguments, *pytest_args),
        cwd=location.cwd,
        source_roots=layout.roots,
    )
    return _ready(seed, tree, origin, interpreter, notify)


def _given_as_it_is(asked: Project | Revision, python: Path | None, notify: Notify) -> Interpreter | None:
    """The interpreter of the user's own, for a revision in git, where it has pytest: meant as for a path."""
    if python is None or isinstance(asked, Project):
        return None
    interpreter = ask(given_python(python))
    if not interpreter.has_pytest:
        return None
    notify(f"{python} is used as it is: nothing is installed into it")
    return interpreter


def _ready(seed: Seed, tree: Path, origin: Path, interpreter: Interpreter, notify: Notify) -> Workspace:
    own = f"{safe_name(seed.name)}=="
    return Workspace(
        seed=seed,
        tree=tree,
        python=interpreter.path,
        python_version=interpreter.version,
        packages=tuple(package for package in interpreter.packages if not package.startswith(own)),
        origin=origin,
        coverage_path=coverage_folder(interpreter, notify),
        hypothesis_path=hypothesis_folder(interpreter, notify),
    )


def untouched(workspace: Workspace) -> bool:
    """Whether the tree that a path seed was copied from is what it was; others are checked when opened."""
    seed = workspace.seed
    return seed.source != "path" or tree_digest(workspace.origin or workspace.tree) == seed.sha256


def describe(workspace: Workspace) -> dict[str, Any]:
    """What a manifest says of a seed, with the two arguments for proving it again: `tree` and `python`.

    `tree` is the lasting one that the workspace was copied from.
    """
    seed = workspace.seed
    return {
        "name": seed.name,
        "version": seed.version,
        "source": seed.source,
        "sha256": seed.sha256,
        "licence": seed.licence,
        "python_version": workspace.python_version,
        "packages": list(workspace.packages),
        "test_argv": list(seed.test_argv),
        "env": dict(seed.env),
        "cwd": seed.cwd,
        "source_roots": list(seed.source_roots),
        "tree": str(workspace.origin or workspace.tree),
        "python": str(workspace.python),
    }
