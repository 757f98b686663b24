"""Shelves: a place in the cache for what was measured on a workspace and holds for any like it."""

from __future__ import annotations

from pathlib import Path

from bebug.records import Workspace, digest
from bebug.seeds.cache import cache_folder
from bebug.seeds.metadata import safe_name

SHELVES = "shelves"


def shelf(workspace: Workspace) -> Path:
    """The folder in the cache for facts about *workspace*, made if need be.

    The same for every workspace of the same seed (name, version, digest) on the same Python with the same
    packages; `bebug cache clean` takes it away between runs. Several processes may write there at once: give
    what you write a name by its content, and rename it into place.
    """
    folder = cache_folder() / SHELVES / shelf_name(workspace)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shelf_name(workspace: Workspace) -> str:
    """The name of a workspace's shelf: a digest of all that its tests' outcomes may depend on."""
    seed = workspace.seed
    key = digest(seed.name, seed.version, seed.sha256, workspace.python_version, *workspace.packages)
    return f"{safe_name(seed.name)[:40]}-{key[:16]}"
