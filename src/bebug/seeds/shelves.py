"""Shelves: a place in the cache for what was measured on a workspace and holds for any like it."""

from __future__ import annotations

from pathlib import Path

from bebug.records import Workspace, digest
from bebug.seeds.cache import cache_folder
from bebug.seeds.metadata import safe_name

SHELVES = "shelves"
MINED = "mined"
PREFIX = "bebug-workspace-"
"""How the private folders of workspaces begin, in the system's temporary folder."""

GATE = "gate"
"""A lock: shared by those who make something ready, held alone by one who cleans the cache."""


def shelf(workspace: Workspace) -> Path:
    """The folder in the cache for facts about *workspace*, made if need be.

    The same for every workspace of the same seed (name, version, digest) on the same Python with the same
    packages; `bebug cache clean` takes it away between runs. Several processes may write there at once: give
    what you write a name by its content, and rename it into place.
    """
    folder = cache_folder() / SHELVES / shelf_name(workspace)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def mined_folder(seed: str) -> Path:
    """The folder in the cache for what was mined of files of the seed *seed*; it may be absent."""
    return cache_folder() / MINED / safe_name(seed)[:40]


def shelf_name(workspace: Workspace) -> str:
    """The name of a workspace's shelf: a digest of all that its tests' outcomes may depend on."""
    seed = workspace.seed
    key = digest(seed.name, seed.version, seed.sha256, workspace.python_version, *workspace.packages)
    return f"{safe_name(seed.name)[:40]}-{key[:16]}"


def items_of(workspace: Workspace) -> tuple[str, ...]:
    """What a workspace uses of the cache, as paths in it: its tree, environment, what lies beside that, and shelf."""
    root, found = cache_folder(), [f"{SHELVES}/{shelf_name(workspace)}"]
    beside = (workspace.coverage_path, workspace.hypothesis_path)
    for path in (workspace.python, workspace.origin, *beside):
        if path and path.is_relative_to(root):
            parts = path.relative_to(root).parts
            found.append("/".join(parts[:1] if path in beside else parts[:2]))
    return tuple(found)


def held_key(item: str) -> str:
    """The name of the lock that is held while *item* is in use."""
    return f"held-{item}"
