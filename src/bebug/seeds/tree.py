"""The tree of a seed: a filtered copy of it, and a digest that says whether two trees are the same."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Collection
from operator import itemgetter
from pathlib import Path

CACHE_TAG = "CACHEDIR.TAG"
"""The file that marks a folder as a cache, by the convention that backup programs know."""

HISTORY = (".git", ".hg", ".svn")
CACHES = ("__pycache__", ".pytest_cache", ".hypothesis", ".mypy_cache", ".ruff_cache")
ENVIRONMENTS = (".venv", "venv", ".tox", ".nox", "node_modules")
LEFT_OUT = frozenset((*HISTORY, *CACHES, *ENVIRONMENTS))
"""Names that are no part of a seed. `*.pyc` files, other environments and tagged caches go too."""

CORPUS_MARKS = ({"journal.sqlite"}, {"manifest.json", "cases.jsonl", "rejected.jsonl"})
"""Files that a folder with a corpus of ours holds, unfinished or finished: it is no part of a seed either."""


def is_left_out(entry: os.DirEntry[str], keep: Collection[str] = ()) -> bool:
    """Whether a snapshot is made without *entry*: caches, history, environments, sockets and the like."""
    if entry.name in keep:
        return False
    if entry.name in LEFT_OUT or entry.name.endswith(".pyc"):
        return True
    if entry.is_symlink():
        return False
    if entry.is_dir():
        if any(Path(entry.path, mark).exists() for mark in ("pyvenv.cfg", CACHE_TAG)):
            return True
        return any(all(Path(entry.path, name).exists() for name in marks) for marks in CORPUS_MARKS)
    return not entry.is_file()


def entries(
    root: Path, keep: Collection[str] = (), notify: Callable[[str], None] = lambda line: None
) -> list[tuple[str, os.DirEntry[str]]]:
    """Everything below *root* that is not left out: posix path from *root* and entry, in the paths' order.

    Links are reported, never followed. *notify* hears of a folder that may not be read.
    """
    pending = [("", str(root))]
    found: list[tuple[str, os.DirEntry[str]]] = []
    while pending:
        prefix, folder = pending.pop()
        for entry in _listing(folder, notify):
            if not is_left_out(entry, keep):
                found.append((prefix + entry.name, entry))
                if entry.is_dir(follow_symlinks=False):
                    pending.append((f"{prefix}{entry.name}/", entry.path))
    return sorted(found, key=itemgetter(0))


def _listing(folder: str, notify: Callable[[str], None]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            return list(listing)
    except PermissionError:
        notify(f"{printable(folder)} may not be read: left out")
        return []


def copy_tree(
    source: Path,
    target: Path,
    *,
    keep: Collection[str] = (),
    notify: Callable[[str], None] = lambda line: None,
) -> None:
    """Copy the tree at *source* to *target* (which must not exist), less what is left out.

    *keep* names entries to copy though they would be left out. Links stay links; an absolute link into the
    tree becomes a relative one, which stays inside wherever the copy is taken. A file that may not be read
    is left out, and *notify* hears of it.
    """
    source = source.resolve()
    target.mkdir(parents=True)
    for path, entry in entries(source, keep, notify):
        to = target / path
        if entry.is_symlink():
            to.symlink_to(_link(source, path))
        elif entry.is_dir():
            to.mkdir()
        else:
            _copy_file(entry, to, notify)


def _copy_file(entry: os.DirEntry[str], to: Path, notify: Callable[[str], None]) -> None:
    try:
        shutil.copy2(entry.path, to)
    except PermissionError:
        notify(f"{printable(entry.path)} may not be read: left out")
    else:
        to.chmod(to.stat().st_mode | stat.S_IRUSR | stat.S_IWUSR)


def _link(root: Path, path: str) -> str:
    """What the copy of the link at *path* points at: a full name inside the tree becomes a relative one."""
    target = os.readlink(root / path)  # noqa: PTH115 - to the byte
    if not target.startswith("/"):
        return target
    wanted = Path(os.path.realpath(Path(target).parent), Path(target).name)
    if not wanted.is_relative_to(root):
        return target
    return os.path.relpath(wanted, (root / path).parent)


def tree_digest(root: Path) -> str:
    """SHA-256 of a tree: paths, contents, link targets and exec bits of all that is not left out.

    Independent of times, owners, other permissions, the order of listing and empty folders (which git
    does not know either).
    """
    sha = hashlib.sha256()
    for path, entry in entries(root):
        if entry.is_symlink():
            kind, content = b"link", os.fsencode(os.readlink(entry.path))  # noqa: PTH115 - to the byte
        elif entry.is_dir():
            continue
        else:
            mode = entry.stat().st_mode
            kind = b"exec" if mode & stat.S_IXUSR else b"file"
            content = Path(entry.path).read_bytes()
        name = os.fsencode(path)
        sha.update(b"%s %d %d\n" % (kind, len(name), len(content)) + name + content)
    return sha.hexdigest()


def printable(path: str | Path) -> str:
    """A path as a message may show it: no control characters, and bytes that are no text as escapes."""
    text = os.fspath(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return re.sub(r"[\x00-\x1f\x7f]", lambda found: f"\\x{ord(found[0]):02x}", text)
