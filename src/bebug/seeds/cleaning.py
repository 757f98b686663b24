"""Cleaning the cache: what lies there, when it was last used, and taking away what no live run holds."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bebug.seeds.cache import alone, cache_folder, lock_file, remove, sweep, unless_held
from bebug.seeds.elsewhere import CHECKOUTS
from bebug.seeds.fetch import SDISTS
from bebug.seeds.git import MIRRORS
from bebug.seeds.layout import COMPLETED
from bebug.seeds.platforms import insist_on_posix
from bebug.seeds.shelves import GATE, MINED, PREFIX, SHELVES, held_key

KINDS = ("environments", SDISTS, CHECKOUTS, COMPLETED, MIRRORS, SHELVES, MINED)
"""Folders of the cache whose entries come and go one by one; `coverage-*` and `hypothesis-*` beside them do too."""

DAY = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One entry of the cache: *name* is its path there, *used* the time of its last use, *size* in bytes."""

    name: str
    path: Path
    size: int
    used: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What went, what stayed because a live run holds it, and how many folders of dead runs were swept."""

    removed: tuple[Item, ...]
    held: tuple[Item, ...]
    swept: int


def items() -> tuple[Item, ...]:
    """All entries of the cache, by kind and name."""
    root = cache_folder()
    found = [entry for kind in KINDS if (root / kind).is_dir() for entry in sorted((root / kind).iterdir())]
    beside = (path for each in ("coverage", "hypothesis") for path in sorted(root.glob(f"{each}-*")))
    return tuple(_item(path, root) for path in (*found, *beside))


def _item(path: Path, root: Path) -> Item:
    name = path.relative_to(root).as_posix()
    lock = lock_file(held_key(name))
    used = (lock if lock.exists() else path).stat().st_mtime
    return Item(name=name, path=path, size=size_of(path), used=used)


def size_of(folder: Path) -> int:
    """The bytes that the files below *folder* take on the disk, a file of several names once."""
    return sum(dict(_sizes(folder)).values())


def _sizes(folder: Path) -> Iterator[tuple[tuple[int, int], int]]:
    for parent, _, files in os.walk(folder):
        for name in files:
            try:
                found = Path(parent, name).lstat()
            except FileNotFoundError:  # gone while we looked
                continue
            yield (found.st_dev, found.st_ino), found.st_blocks * 512


def due(all_items: tuple[Item, ...], *, days: float, now: float) -> tuple[Item, ...]:
    """Those of *all_items* that were not used for *days*."""
    return tuple(item for item in all_items if now - item.used >= days * DAY)


def clean(*, days: float, now: float, notify: Callable[[str], None]) -> Cleaned:
    """Remove what was not used for *days* (0: everything), and what dead runs left, but nothing in use.

    Waits for those who are making something ready, and they for it.
    """
    insist_on_posix()
    removed: list[Item] = []
    held: list[Item] = []
    with alone(GATE, notify):
        for item in due(items(), days=days, now=now):
            with unless_held(held_key(item.name)) as free:
                if free:
                    remove(item.path)
                    lock_file(held_key(item.name)).unlink()
                (removed if free else held).append(item)
        swept = sweep(PREFIX, Path(tempfile.gettempdir())) + sweep("work-", cache_folder() / "scratch")
    return Cleaned(removed=tuple(removed), held=tuple(held), swept=swept)
