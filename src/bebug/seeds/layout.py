"""How a project's tree becomes what is installed: its source roots, and files that only a build makes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bebug.records import digest
from bebug.seeds.interpreter import Interpreter, plain_environment
from bebug.seeds.kept import Notify, kept
from bebug.seeds.tree import copy_tree, entries

QUESTION = """
import sys; sys.path.pop(0)
import importlib.metadata as m, json
try:
    found = m.distribution(sys.argv[1])
    print(json.dumps([str(found.locate_file("")), [str(file) for file in found.files or []]]))
except m.PackageNotFoundError:
    print(json.dumps(["", []]))
"""
COMPILED = (".so", ".pyd", ".dylib")
OUTPUT = ("build/", "dist/")
COMPLETED = "completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """*roots*: folders that go on the module path. *generated*: path in the tree → what was built."""

    roots: tuple[str, ...]
    generated: dict[str, Path]


def layout_of(interpreter: Interpreter, name: str, tree: Path, roots: tuple[str, ...]) -> Layout:
    """The layout of the project *name*, read off what its installation holds; *roots* come first.

    Just *roots* where the project itself is not installed.
    """
    site, files = _installed(interpreter, name)
    paths = {path for path, entry in entries(tree) if not entry.is_dir(follow_symlinks=False)}
    prefixes = _prefixes(files, paths)
    generated: dict[str, Path] = {}
    for file in files:
        prefix = prefixes.get(file.partition("/")[0])
        if prefix is None or _joined(prefix, file) in paths:
            continue
        path = _joined(prefix, file)
        if (tree / path).parent.is_dir() and not _has_a_twin(path, paths) and (site / file).is_file():
            generated[path] = site / file
    found = (prefix or "." for prefix in sorted(prefixes.values()))
    return Layout(roots=tuple(dict.fromkeys((*roots, *found))), generated=generated)


def _installed(interpreter: Interpreter, name: str) -> tuple[Path, tuple[str, ...]]:
    """Where the distribution *name* is installed, and its files below that: modules and their data."""
    if not name:
        return Path(), ()
    done = subprocess.run(
        [str(interpreter.path), "-c", QUESTION, name],
        env=plain_environment(),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    site, files = json.loads(done.stdout)
    kept = (
        file
        for file in files
        if not file.startswith(("..", "/", "__editable__"))
        and not file.partition("/")[0].endswith((".dist-info", ".egg-info", ".pth", ".data"))
        and "__pycache__" not in file
    )
    return Path(site), tuple(kept)


def _prefixes(files: Iterable[str], paths: set[str]) -> dict[str, str]:
    """For each top module of an installation, the folder of the tree that most of its files lie in."""
    by_name: dict[str, list[str]] = {}
    for path in sorted(paths):
        if not path.startswith(OUTPUT):
            by_name.setdefault(path.rpartition("/")[2], []).append(path)
    votes: dict[str, Counter[str]] = {}
    for file in files:
        if not file.endswith(".py"):
            continue
        for path in by_name.get(file.rpartition("/")[2], ()):
            if path == file or path.endswith(f"/{file}"):
                prefix = path.removesuffix(file).rstrip("/")
                votes.setdefault(file.partition("/")[0], Counter())[prefix] += 1
    return {top: min(found, key=lambda each: _rank(each, found)) for top, found in votes.items()}


def _rank(prefix: str, votes: Counter[str]) -> tuple[int, int, str]:
    return -votes[prefix], len(PurePosixPath(prefix).parts), prefix


def _joined(prefix: str, file: str) -> str:
    return f"{prefix}/{file}" if prefix else file


def _has_a_twin(path: str, paths: set[str]) -> bool:
    """Whether a compiled module has its Python source beside it: then the source is what runs."""
    folder, _, name = path.rpartition("/")
    return path.endswith(COMPILED) and _joined(folder, f"{name.partition('.')[0]}.py") in paths


def completed(
    layout: Layout, tree: Path, key: Sequence[str], interpreter: Interpreter, notify: Notify
) -> Path:
    """*tree* with the files that only a build makes: itself, or a copy in the cache where there are some."""
    if not layout.generated:
        return tree

    def make(target: Path) -> Mapping[str, str]:
        copy_tree(tree, target)
        for path, file in layout.generated.items():
            shutil.copyfile(file, target / path)
        return {}

    paths = ", ".join(layout.generated)
    contents = [part for path, file in layout.generated.items() for part in (path, file.read_bytes())]
    name = f"{key[1][:40]}-{digest(*key, *contents)[:16]}"
    notify(f"made by the build, and added to the tree: {paths}")
    return kept(COMPLETED, name, make, said=f"keeping the tree as {name}", notify=notify) / "tree"
