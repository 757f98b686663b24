"""A whole corpus: manifest, cases, rejected candidates and licences, read and written together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug.corpus import files, licences
from bebug.corpus.codecs import native
from bebug.corpus.store import check_twins
from bebug.errors import CorpusError
from bebug.records import Case

NAMES = "names"
"""The key of a manifest for the names that cases have elsewhere, id → name; a format may write them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """All that a corpus of our own format holds. *warnings*: what a reader had to forgive."""

    manifest: Mapping[str, Any]
    cases: Sequence[Case]
    rejected: Sequence[Mapping[str, Any]] = ()
    licences: licences.Licences = field(default_factory=dict)
    warnings: Sequence[str] = ()

    @property
    def origin(self) -> dict[str, Any]:
        """What a corpus made of this one says of it: enough to make it again and to find it."""
        keys = ("name", "corpus_rev", "canary", "recipe")
        return {key: self.manifest[key] for key in keys if key in self.manifest}

    @property
    def seeds(self) -> list[Mapping[str, Any]]:
        """The manifest's entries of seeds."""
        found = self.manifest.get("seeds", [])
        if not isinstance(found, list) or not all(isinstance(seed, dict) for seed in found):
            raise CorpusError(f"{files.MANIFEST}: `seeds` is no list of objects")
        return found

    @property
    def names(self) -> Mapping[str, str]:
        found = self.manifest.get(NAMES, {})
        return found if isinstance(found, dict) else {}


def read(folder: Path) -> Whole:
    """The corpus of our own format in *folder*; another format is a `CorpusError` that says what to do."""
    if not native.recognises(folder):
        raise CorpusError(
            f"{folder} holds no {files.MANIFEST} of bebug; `bebug export {folder} --to native --out DIR` "
            "makes a corpus of another format ours"
        )
    corpus = native.read(folder)
    rejected = native.read_rejected(folder) if (folder / files.REJECTED).exists() else ()
    return Whole(
        manifest=corpus.manifest,
        cases=corpus.cases,
        rejected=rejected,
        licences=licences.read(folder),
        warnings=corpus.warnings,
    )


def write(whole: Whole, folder: Path, *, beside: Mapping[str, bytes] | None = None) -> None:
    """Write *whole* to the new or empty *folder*, with the files *beside*; twins must be whole too."""
    check_twins(whole.cases)
    texts = {
        **(beside or {}),
        files.CASES: files.cases_text(whole.cases),
        files.REJECTED: files.rejected_text(whole.rejected),
        files.MANIFEST: files.manifest_text(whole.manifest),
    }
    files.empty_folder(folder)
    licences.store(folder, whole.licences)
    files.replace_all(folder, texts)


def content(value: Any) -> str:
    """*value* as text by which it can be told from others and sorted."""
    return json.dumps(value, sort_keys=True)
