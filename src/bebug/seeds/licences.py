"""Licence files: what has to travel with every copy of a seed's code, a corpus of its diffs included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from bebug.records import Workspace

NAME = re.compile(r"(un)?licen[cs]es?|copying|copyright|notices?|authors|contributors", re.IGNORECASE)
"""The first word of the name of a file that says who owns the code and what others may do with it."""

CODE = re.compile(r"\.(py[a-z]?|toml|json|ya?ml|cfg|ini|js|css|sh|spdx\.json)$", re.IGNORECASE)
LARGEST = 1_000_000  # bytes; what is larger is no text that anyone is meant to read


def licences(workspace: Workspace) -> Mapping[str, bytes]:
    """The licence and notice files of a seed, by posix path from the root, sorted.

    Those at the root and in the folder that the seed is run from, and the whole of a `LICENSES` folder there.
    Empty for a seed that has none (`seed.licence` may still name one).
    """
    tree, cwd = workspace.tree, PurePosixPath(workspace.seed.cwd)
    places = dict.fromkeys((tree, tree / cwd))
    found = {file.relative_to(tree).as_posix(): file for place in places for file in _in_place(place)}
    return {path: found[path].read_bytes() for path in sorted(found)}


def _in_place(place: Path) -> Iterator[Path]:
    for entry in sorted(place.iterdir()):
        if not NAME.fullmatch(re.split(r"[-._ ]", entry.name)[0]):
            continue
        for file in sorted(entry.iterdir()) if entry.is_dir() and not entry.is_symlink() else [entry]:
            if file.is_file() and not CODE.search(file.name) and file.stat().st_size <= LARGEST:
                yield file
