"""Which files are a corpus, and how they come to lie in their folder: all of them whole, or none."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bebug.corpus import rows
from bebug.errors import CorpusError
from bebug.records import Case

MANIFEST, CASES, REJECTED, JOURNAL = "manifest.json", "cases.jsonl", "rejected.jsonl", "journal.sqlite"
LICENCES = "licences"
ALL = (MANIFEST, CASES, REJECTED, JOURNAL)
TEMPORARY = ".part"


def cases_text(cases: Iterable[Case]) -> bytes:
    """The text of `cases.jsonl`: one case a line, sorted by id. Two cases of one id are a `CorpusError`."""
    ordered = sorted(cases, key=lambda case: case.id)
    no_duplicates([case.id for case in ordered], "these cases")
    return b"".join(rows.line(rows.to_row(case)) for case in ordered)


def rejected_text(rejected: Iterable[Mapping[str, Any]]) -> bytes:
    """The text of `rejected.jsonl`, sorted by id and then by content."""
    ordered = sorted((str(row.get("id", "")), rows.line(row)) for row in rejected)
    return b"".join(text for _, text in ordered)


def manifest_text(manifest: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(manifest, indent=2, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"
    except (TypeError, ValueError) as error:
        raise CorpusError(f"the manifest holds what JSON cannot: {error}") from error


def no_duplicates(ids: Sequence[str], where: str) -> None:
    """Raise a `CorpusError` that names the ids which occur twice in *ids*."""
    if twice := sorted(name for name, n in Counter(ids).items() if n > 1):
        more = f" and {len(twice) - 5} more" if len(twice) > 5 else ""
        raise CorpusError(f"ids must be unique, but {where} repeat {', '.join(twice[:5])}{more}")


def is_ours(folder: Path) -> bool:
    """Whether *folder* holds the manifest of a corpus that bebug wrote."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(manifest, dict) and {"schema_version", "corpus_rev"} <= manifest.keys()


def keep_previous(folder: Path, recipe: Mapping[str, Any], notify: Callable[[str], None]) -> None:
    """Copy a finished corpus of another recipe, about to be replaced, to `FOLDER.previous`."""
    if not is_ours(folder) or json.loads((folder / MANIFEST).read_bytes()).get("recipe") == recipe:
        return
    aside = folder.with_name(f"{folder.name}.previous")
    try:
        aside.mkdir(exist_ok=True)
        for name in (CASES, REJECTED, MANIFEST):
            if (folder / name).exists():
                shutil.copyfile(folder / name, aside / name)
        if (folder / LICENCES).is_dir():
            shutil.copytree(folder / LICENCES, aside / LICENCES, dirs_exist_ok=True)
    except OSError as error:
        raise CorpusError(f"cannot keep the corpus in {folder} as {aside}: {error.strerror}") from error
    notify(f"the corpus of another recipe that lay in {folder} is kept in {aside}")


def empty_folder(folder: Path) -> None:
    """Make *folder*; a `CorpusError` where it holds anything already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CorpusError(f"{folder} is not empty: name a new folder to write a corpus to")
    except OSError as error:
        raise CorpusError(f"cannot write to {folder}: {error.strerror}") from error


def replace_all(folder: Path, texts: Mapping[str, bytes]) -> None:
    """Write the files *texts* to *folder*, in their order, once all of them are on disk under other names.

    A `CorpusError` (a full disk, say) leaves the files that were there as they were.
    """
    parts = {name: folder / f".{name}{TEMPORARY}" for name in texts}
    try:
        for name, text in texts.items():
            _write_through(parts[name], text)
        for name, part in parts.items():
            part.replace(folder / name)
        _sync_folder(folder)
    except OSError as error:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)
        raise CorpusError(
            f"cannot write the corpus to {folder}: {error.strerror}; what was there is as it was"
        ) from error


def _write_through(path: Path, text: bytes) -> None:
    with path.open("wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
