"""Which files of a seed to plant in: source code, as against tests, docs, build scripts and build output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from bebug.records import Workspace
from bebug.seeds.metadata import pytest_settings, words
from bebug.seeds.tree import entries

TEST_FOLDERS = frozenset(("test", "tests", "testing", "test_data", "testdata"))
TEST_FILES = ("test_*.py", "*_test.py", "tests.py", "test.py", "conftest.py")
OTHER_FOLDERS = (
    *("doc", "docs"),
    *("example", "examples", "demo", "demos", "bench", "benchmarks"),
    *("build", "dist", "*.egg-info", "*.dist-info"),
)
OTHER_FILES = ("setup.py", "ez_setup.py", "noxfile.py", "tasks.py", "fabfile.py", "dodo.py")


def source_files(workspace: Workspace, *, globs: Sequence[str] = ()) -> tuple[str, ...]:
    """The Python files to plant in, as sorted posix paths from the root, each real file once.

    Those below the seed's `cwd` that its `sources` name (all where it names none), and *globs* too where
    given; never test code, docs, build scripts or output, nor what is reached by a link.
    """
    tree, seed = workspace.tree, workspace.seed
    found = [
        path
        for path, entry in entries(tree)
        if path.endswith(".py") and entry.is_file(follow_symlinks=False) and _below(path, seed.cwd)
    ]
    return tuple(
        path
        for path in found
        if (not seed.sources or matches_any(path, seed.sources))
        and (not globs or matches_any(path, globs))
        and not is_test_file(workspace, path)
        and not _is_no_product(tree, _inside(path, seed.cwd), tree / seed.cwd)
    )


def test_files(workspace: Workspace, *, globs: Sequence[str] = ()) -> tuple[str, ...]:
    """The Python files of test code, as sorted posix paths from the root, each real file once.

    Those below the seed's `cwd`, and of *globs* where given; links and fixtures of test data are left to what
    pytest collects.
    """
    seed = workspace.seed
    return tuple(
        path
        for path, entry in entries(workspace.tree)
        if path.endswith(".py") and entry.is_file(follow_symlinks=False) and _below(path, seed.cwd)
        if (not globs or matches_any(path, globs)) and is_test_file(workspace, path)
    )


def is_test_file(workspace: Workspace, path: str) -> bool:
    """Whether the file at *path* (posix, from the root) is test code: a test, or a helper among tests."""
    seed = workspace.seed
    parts = PurePosixPath(_inside(path, seed.cwd)).parts
    if TEST_FOLDERS.intersection(parts[:-1]) or matches_any(path, seed.tests):
        return True
    return matches_any(parts[-1], TEST_FILES) or any(
        _collects(pattern, path) for pattern in _own_patterns(workspace.tree, seed.cwd)
    )


@cache
def _own_patterns(tree: Path, cwd: str) -> tuple[str, ...]:
    """pytest's `python_files` of a seed, less patterns that take in ordinary modules too."""
    start = tree / cwd
    folders = [start, *(parent for parent in start.parents if parent.is_relative_to(tree))]
    patterns = words(pytest_settings(folders), "python_files")
    return tuple(pattern for pattern in patterns if not _collects(pattern, "any/ordinary.py"))


def _collects(pattern: str, path: str) -> bool:
    """Whether a `python_files` pattern takes in *path*: by its last name, unless it holds a slash."""
    end = path if "/" in pattern else path.rpartition("/")[2]
    return matches_any(end, (pattern, f"**/{pattern}"))


def _is_no_product(tree: Path, path: str, start: Path) -> bool:
    """Whether *path* (from *start*) is docs, examples, a build script or output: outside a package."""
    *folders, name = PurePosixPath(path).parts
    here = start
    for folder in folders:
        here = here / folder
        if matches_any(folder, OTHER_FOLDERS) and not (here / "__init__.py").exists():
            return True
    return name in OTHER_FILES and not (here / "__init__.py").exists()


def _below(path: str, cwd: str) -> bool:
    return cwd == "." or path.startswith(f"{cwd}/")


def _inside(path: str, cwd: str) -> str:
    """*path* as seen from *cwd*, where it lies below; what lies above *cwd* says nothing about a file."""
    return path.removeprefix(f"{cwd}/") if _below(path, cwd) else path


def matches_any(path: str, globs: Iterable[str]) -> bool:
    """Whether *path*, or a folder that it lies in, fits one of *globs*; only `**` crosses a slash."""
    return any(_pattern(glob).fullmatch(path) for glob in globs)


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """*glob* as a regular expression; the rest of a path may follow: a folder stands for its files."""
    glob = glob.removeprefix("./").rstrip("/")
    if glob in ("", "."):
        return re.compile("(?s:.*)")
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\])", glob)
    return re.compile("(?s:" + "".join(map(_piece, pieces)) + ")(?s:/.*)?")


def _piece(piece: str) -> str:
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if piece in known:
        return known[piece]
    if re.fullmatch(r"\[.+\]", piece, re.DOTALL):
        body = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^/{body[1:]}]" if body.startswith("!") else f"[{body}]"
    return re.escape(piece)
