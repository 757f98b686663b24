"""Where a repository begins: from the path that a user points at to its root, and to what it calls itself."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bebug.errors import SeedError, UsageError
from bebug.seeds.tree import entries, printable

MARKS = (".git", ".hg", "pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini")
"""What marks a folder as (part of) a repository; the outermost folder with one is the root."""


@dataclass(frozen=True, slots=True)
class Location:
    """A repository's *root* and the folder in it that was pointed at, as a posix path from the root."""

    root: Path
    cwd: str

    @property
    def folder(self) -> Path:
        """The folder that was pointed at."""
        return self.root / self.cwd

    @property
    def chain(self) -> tuple[Path, ...]:
        """The folders from the one pointed at up to the root."""
        parts = PurePosixPath(self.cwd).parts
        return tuple(self.root.joinpath(*parts[:depth]) for depth in range(len(parts), -1, -1))


def locate(spec: str) -> Location:
    """The repository at the path *spec*; `UsageError` or `SeedError` where there is none to work on."""
    try:
        folder = Path(spec).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"{printable(spec)} is no usable path: {error}") from None
    if not folder.exists():
        raise SeedError(f"{printable(spec)} does not exist: give a folder, or a name of `bebug seeds list`")
    if not folder.is_dir():
        raise SeedError(f"{printable(spec)} is a file: give the folder of the repository")
    if folder in _fences() and (folder in _whole_places() or not _is_marked(folder)):
        raise UsageError(f"{printable(folder)} is too much to copy: give the folder of one repository in it")
    root = find_root(folder)
    if not any(path.endswith(".py") for path, _ in entries(folder)):
        raise SeedError(f"{printable(spec)} holds no Python file: give the folder of a Python repository")
    return Location(root, folder.relative_to(root).as_posix())


def find_root(folder: Path) -> Path:
    """The outermost folder with a mark, from *folder* upwards; *folder* itself where none has one.

    The home folder, the system's temporary folder and the top of the file system are never reached: a stray
    mark there does not make one repository of all that lies below.
    """
    root, fences = folder, _fences()
    for candidate in (folder, *folder.parents):
        if candidate in fences:
            break
        if _is_marked(candidate):
            root = candidate
    return root


def _is_marked(folder: Path) -> bool:
    return any(os.path.lexists(folder / mark) for mark in MARKS)


def _whole_places() -> set[Path]:
    """The folders that hold everything: never a repository, whatever lies in them."""
    places = {Path(Path.cwd().anchor), Path(tempfile.gettempdir()).resolve()}
    try:
        return places | {Path.home().resolve()}
    except RuntimeError:  # this user has no home
        return places


def _fences() -> set[Path]:
    """Where the way up to a root ends: at those places and above them."""
    places = _whole_places()
    return places.union(*(place.parents for place in places))


def source_roots(location: Location) -> tuple[str, ...]:
    """The folders that go on the module path: the one pointed at and its `src`, where there is one."""
    src = PurePosixPath(location.cwd, "src")
    return (location.cwd, str(src)) if (location.root / src).is_dir() else (location.cwd,)


def unknown_name(spec: str, known: Collection[str]) -> UsageError:
    """The error for a name that no seed has, with the nearest names."""
    near = difflib.get_close_matches(spec, known, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return UsageError(
        f"there is no seed called {printable(spec)!r}{hint} "
        f"(`bebug seeds list` names them; a path holds a separator: ./{printable(spec)})"
    )
