"""bebug's own format: `manifest.json`, `cases.jsonl` and `rejected.jsonl` in a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bebug.corpus import files, manifest, rows
from bebug.corpus.codec import Codec
from bebug.errors import CorpusError
from bebug.records import Case, Corpus


def recognises(folder: Path) -> bool:
    return any((folder / name).is_file() for name in (files.CASES, files.JOURNAL)) or files.is_ours(folder)


def read(folder: Path) -> Corpus:
    """The corpus in *folder*; a `CorpusError` names the file and line that cannot be read."""
    head = read_manifest(folder)
    cases = []
    for place, row in rows.read_lines(_bytes(folder / files.CASES), str(folder / files.CASES)):
        try:
            cases.append(rows.from_row(row))
        except CorpusError as error:
            raise CorpusError(f"{place}: {error.message}") from error
    files.no_duplicates([case.id for case in cases], str(folder / files.CASES))
    return Corpus(manifest=head, cases=tuple(cases), warnings=_doubts(folder, head, cases))


def read_manifest(folder: Path) -> Mapping[str, Any]:
    """`manifest.json` alone."""
    path = folder / files.MANIFEST
    if not path.exists():
        raise CorpusError(
            f"{folder} has no {files.MANIFEST}: its corpus is unfinished; give its command again"
        )
    try:
        head = json.loads(_bytes(path))
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path} is not JSON: {error}") from error
    if not isinstance(head, dict) or not isinstance(head.get("schema_version"), int):
        raise CorpusError(f"{path} is no manifest of a corpus: it has no schema_version")
    if head["schema_version"] > manifest.SCHEMA_VERSION:
        raise CorpusError(f"{path} has schema version {head['schema_version']}: a newer bebug reads it")
    return head


def read_rejected(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """The candidates of the corpus in *folder* that did not become cases, as `rejected.jsonl` has them."""
    path = folder / files.REJECTED
    found = []
    for place, row in rows.read_lines(_bytes(path), str(path)):
        if not isinstance(row, dict):
            raise CorpusError(f"{place}: this line is no JSON object")
        found.append(row)
    return tuple(found)


def write(corpus: Corpus, folder: Path) -> None:
    """Write *corpus* to the new or empty *folder*. Rejected candidates are no part of a corpus read back."""
    texts = {
        files.CASES: files.cases_text(corpus.cases),
        files.REJECTED: b"",
        files.MANIFEST: files.manifest_text(corpus.manifest),
    }
    files.empty_folder(folder)
    files.replace_all(folder, texts)


def _doubts(folder: Path, head: Mapping[str, Any], cases: list[Case]) -> tuple[str, ...]:
    """What speaks against cases and manifest being of one making."""
    rev = manifest.revision(cases)
    if head.get("corpus_rev") == rev:
        return ()
    if (folder / files.JOURNAL).exists():
        raise CorpusError(f"{folder} was left while its corpus was replaced: give its command again")
    return (
        f"{folder / files.CASES} was edited: its revision is {rev}, the manifest's {head.get('corpus_rev')}",
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(f"cannot read {path}: {error.strerror}") from error


codec = Codec(looks_for=f"{files.MANIFEST} with {files.CASES}", recognises=recognises, read=read, write=write)
