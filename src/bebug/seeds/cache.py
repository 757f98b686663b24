"""The cache: one folder of the user's for what was fetched and built, entered by one process at a time."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from bebug.errors import MachineError
from bebug.seeds.tree import CACHE_TAG

if sys.platform != "win32":  # there, `platforms` refuses before anything is locked
    import fcntl

FOLDER_VARIABLE = "BEBUG_CACHE_DIR"


def cache_folder() -> Path:
    """The cache, made if need be: `BEBUG_CACHE_DIR`, else the platform's place for a user's caches."""
    asked = os.environ.get(FOLDER_VARIABLE)
    folder = Path(asked).absolute() if asked else Path(platformdirs.user_cache_dir("bebug"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _tag(folder)
    except OSError as error:
        raise MachineError(
            f"the cache folder {folder} cannot be made ({error.strerror}): "
            f"set {FOLDER_VARIABLE} to a folder of yours"
        ) from None
    return folder


@contextmanager
def exclusive(key: str) -> Iterator[None]:
    """Hold the lock named *key*: a second process waits here until the first leaves or dies."""
    with lock_file(key).open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def shared(key: str) -> Iterator[None]:
    """Hold the lock named *key* along with others who share it; the time of its file tells the last use."""
    file = lock_file(key)
    with file.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_SH)
        os.utime(file)
        yield


@contextmanager
def unless_held(key: str) -> Iterator[bool]:
    """Hold the lock named *key* if nobody does: whether we do. Its file's time stays as it is."""
    with lock_file(key).open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


@contextmanager
def alone(key: str, notify: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock named *key* when nobody else does any more; *notify* hears that we wait."""
    with lock_file(key).open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            notify("waiting for another bebug to finish what it is making ready")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def lock_file(key: str) -> Path:
    """The file that the lock named *key* is on."""
    folder = cache_folder() / "locks"
    folder.mkdir(exist_ok=True)
    return folder / f"{re.sub(r'[^A-Za-z0-9._-]', '-', key)}.lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder in the cache for work in progress, gone afterwards; what is done is renamed out of it.

    It lies in the cache so that the rename stays on one file system.
    """
    parent = cache_folder() / "scratch"
    parent.mkdir(exist_ok=True)
    with private_folder("work-", parent) as folder:
        yield folder


@contextmanager
def private_folder(prefix: str, parent: Path) -> Iterator[Path]:
    """A folder that nobody else may enter, removed at exit; what dead owners left in *parent* goes first.

    The owner holds a lock on the folder itself, which the kernel drops however the owner ends.
    """
    sweep(prefix, parent)
    folder, descriptor = _claimed(prefix, parent)
    try:
        _tag(folder)
        yield folder
    finally:
        remove(folder)
        os.close(descriptor)


def _tag(folder: Path) -> None:
    """Mark *folder* as a cache: should it lie in a repository, it is no part of that."""
    tag = folder / CACHE_TAG
    if not tag.exists():
        tag.write_text("Signature: 8a477f597d28d172789f06886806bc55\n# Made by bebug.\n", encoding="ascii")


def _claimed(prefix: str, parent: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that locks it; tried again where a sweep took it before we held it."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent)).resolve()
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            continue
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.exists():
            return folder, descriptor
        os.close(descriptor)


def sweep(prefix: str, parent: Path) -> int:
    """Remove the private folders in *parent* whose owner is gone; how many."""
    swept = 0
    for folder in parent.glob(f"{prefix}*"):
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue  # gone already, or not ours to enter
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            if os.fstat(descriptor).st_uid == os.getuid():
                remove(folder)
                swept += 1
        finally:
            os.close(descriptor)
    return swept


def remove(folder: Path) -> None:
    """Remove a tree, folders without write permission included; what is not there is no error."""
    for parent, folders, _ in os.walk(folder):
        for name in folders:
            path = Path(parent, name)
            if not path.is_symlink():
                path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
