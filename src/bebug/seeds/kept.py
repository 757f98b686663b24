"""Trees kept in the cache: whole or not at all, each with a record that tells when it was changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from bebug.seeds.cache import cache_folder, exclusive, remove, scratch_folder
from bebug.seeds.tree import tree_digest

Notify = Callable[[str], None]
Make = Callable[[Path], Mapping[str, str]]
"""Fills a folder that does not exist yet, and gives what is to be recorded of it."""

RECORD = "bebug-fetched.json"


def state_of(folder: Path) -> str:
    """How a kept tree stands: `absent`, `fetched`, or `damaged`."""
    if not folder.is_dir():
        return "absent"
    recorded = record_of(folder).get("tree_sha256")
    return "fetched" if recorded and recorded == tree_digest(folder / "tree") else "damaged"


def record_of(folder: Path) -> dict[str, str]:
    """What was recorded of a kept tree; empty where that cannot be read."""
    try:
        found = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def kept(kind: str, name: str, make: Make, *, said: str, notify: Notify) -> Path:
    """The folder *kind*/*name* of the cache, with `tree/` in it, made by *make* where it is not there whole.

    It is compared with its record at every use, and made anew where it changed. *said* is what *notify* hears
    before it is made.
    """
    folder = cache_folder() / kind / name
    with exclusive(f"{kind}-{name}"):
        state = state_of(folder)
        if state == "damaged":
            notify(f"{name} in the cache is no longer what was fetched: fetching it again")
            remove(folder)
        if state != "fetched":
            notify(said)
            _make_into(folder, make)
    return folder


def _make_into(folder: Path, make: Make) -> None:
    with scratch_folder() as scratch:
        made = scratch / "made"
        facts = {**make(made / "tree"), "tree_sha256": tree_digest(made / "tree")}
        (made / RECORD).write_text(json.dumps(facts), encoding="utf-8")
        folder.parent.mkdir(parents=True, exist_ok=True)
        made.rename(folder)
