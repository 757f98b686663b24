"""Licences: the licence and notice files of each seed, kept beside the cases that quote its code."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from bebug.corpus import names
from bebug.corpus.files import LICENCES
from bebug.errors import CorpusError

FOLDER = LICENCES

Licences = Mapping[str, Mapping[str, bytes]]
"""Folder of a seed → posix path in it → content."""


def folder_of(seed: str) -> str:
    """The folder below `licences/` of the seed named *seed*."""
    return names.safe([seed])[seed]


def store(corpus: Path, found: Licences) -> None:
    """Make `CORPUS/licences/<seed>/` hold *found* and nothing else; a seed without files has no folder."""
    top = corpus / FOLDER
    try:
        if top.is_dir():
            shutil.rmtree(top)
        for seed, files in sorted(found.items()):
            for path, content in sorted(files.items()):
                target = top / folder_of(seed) / path
                if ".." in Path(path).parts or not target.is_relative_to(top):
                    raise CorpusError(f"the licence file {path!r} of {seed} leads out of its folder")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
    except OSError as error:
        raise CorpusError(f"cannot write the licences to {top}: {error.strerror}") from error


def read(corpus: Path) -> dict[str, dict[str, bytes]]:
    """What `store` left in *corpus*, by folder; empty where there is none."""
    top = corpus / FOLDER
    try:
        return {
            seed.name: {
                file.relative_to(seed).as_posix(): file.read_bytes()
                for file in sorted(seed.rglob("*"))
                if file.is_file()
            }
            for seed in sorted(top.iterdir() if top.is_dir() else ())
            if seed.is_dir()
        }
    except OSError as error:
        raise CorpusError(f"cannot read {error.filename or top}: {error.strerror}") from error
