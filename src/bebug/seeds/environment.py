"""Environments for seeds: interpreters with all that the tests need, built once and kept in the cache."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bebug.errors import FetchError, SeedError
from bebug.records import digest
from bebug.seeds.cache import cache_folder, exclusive, remove, scratch_folder
from bebug.seeds.catalogue import SeedFile
from bebug.seeds.interpreter import Interpreter, ask, meets
from bebug.seeds.metadata import Project
from bebug.seeds.tree import copy_tree
from bebug.seeds.uv import COVERAGE, HYPOTHESIS, find_python, make_environment, run_uv

Notify = Callable[[str], None]

READY = "bebug-ready.json"
"""Written into an environment when it is whole; one without it is of a build that was cut short."""


def environment_for(seed: SeedFile, tree: Path, base: Interpreter, notify: Notify) -> Interpreter:
    """The environment of a catalogue seed whose pristine *tree* is given, on the interpreter *base*."""
    project = [seed.sha256] if seed.install == "wheel" else []
    key = environment_key(base, [*seed.requirements, *project])

    def fill(python: Path) -> str:
        install(
            python,
            [*seed.requirements, COVERAGE],
            cwd=python.parent,
            purpose=f"installing what {seed.name} needs",
        )
        if seed.install == "wheel":
            with scratch_folder() as scratch:
                copy_tree(tree, scratch / "tree")
                install(
                    python, ["--no-deps", "."], cwd=scratch / "tree", purpose=f"installing {seed.name} itself"
                )
        return ""

    return built(f"{seed.name}-{key}", base, fill, notify)


def base_for(project: Project, given: Interpreter | None, notify: Notify) -> Interpreter:
    """The interpreter to build a project's environment on: given, ours, or one that it asks for."""
    here = given or ask(Path(sys.executable))
    if meets(here.version, project.python):
        return here
    name = project.name or project.folder.name
    found = "" if given else find_python(project.python, cache_folder())
    if not found:
        raise SeedError(f"{name} needs Python {project.python}, not {here.version}: choose one with --python")
    other = ask(Path(found))
    notify(f"{name} needs Python {project.python}: {other.version} is taken, from {found}")
    return other


def environment_key(base: Interpreter, requirements: Sequence[str]) -> str:
    """A digest of the interpreter and of what is installed on it."""
    return digest(base.base, base.version, COVERAGE, *sorted(requirements))[:16]


def built(name: str, base: Interpreter, fill: Callable[[Path], str], notify: Notify) -> Interpreter:
    """The environment *name* in the cache, made by *fill* where it is not there whole.

    It is built where it stays (environments cannot be moved), under a lock; the mark that it is whole is
    written last. What *fill* says of its contents is told then.
    """
    folder = cache_folder() / "environments" / name
    with exclusive(f"environment-{name}"):
        if not (folder / READY).exists() or not (folder / "bin" / "python").exists():
            notify(f"building the environment {name} (Python {base.version})")
            remove(folder)
            folder.parent.mkdir(parents=True, exist_ok=True)
            said = fill(make_environment(folder, base.base))
            partial = folder / f"{READY}.new"
            facts = {"base": base.base, "version": base.version, "said": said}
            partial.write_text(json.dumps(facts), encoding="utf-8")
            partial.replace(folder / READY)
            if said:
                notify(said)
    return ask(folder / "bin" / "python")


def install(
    python: Path, arguments: Sequence[str], *, cwd: Path, purpose: str, env: Mapping[str, str] | None = None
) -> None:
    """Install into the environment of *python*; `FetchError` with uv's last words where that fails."""
    run_uv(
        ["pip", "install", "--quiet", "--python", str(python), *arguments], cwd=cwd, purpose=purpose, env=env
    )


def coverage_folder(interpreter: Interpreter, notify: Notify) -> Path | None:
    """A folder with coverage.py for an interpreter that lacks it and is not ours to change."""
    if interpreter.has_coverage:
        return None
    return beside(interpreter, "coverage", COVERAGE, notify, "tests are chosen without it")


def hypothesis_folder(interpreter: Interpreter, notify: Notify) -> Path | None:
    """A folder with Hypothesis: what the interpreter itself has is the seed's, and may be none or an old one."""
    return beside(interpreter, "hypothesis", HYPOTHESIS, notify, "no input is searched for without it")


def beside(
    interpreter: Interpreter, package: str, requirement: str, notify: Notify, without: str
) -> Path | None:
    """A folder with *package* for an *interpreter*, made once; None where it cannot be had, which is told."""
    name = f"{package}-{digest(interpreter.base, interpreter.version, requirement)[:16]}"
    folder = cache_folder() / name
    with exclusive(name):
        if folder.is_dir():
            return folder
        try:
            with scratch_folder() as scratch:
                target = scratch / package
                install(
                    interpreter.path,
                    ["--target", str(target), requirement],
                    cwd=scratch,
                    purpose=f"installing {package} beside the interpreter",
                )
                shutil.move(target, folder)
        except FetchError as error:
            notify(f"{error.message}: {without}")
            return None
    return folder
