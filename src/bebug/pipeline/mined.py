"""What mining gave, kept in the cache by each file's content: what did not change is not parsed again."""

from __future__ import annotations

import json
import os
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bebug import mutation
from bebug.mutation.engine import Mined
from bebug.mutation.operator import Operator
from bebug.records import Claim, Edit, Mutant, Site, digest
from bebug.seeds import mined_folder


def remembered(
    seed: str,
    path: str,
    raw: bytes,
    operators: Sequence[Operator],
    keep_arid: Collection[str],
    mine: Callable[[], Mined],
) -> Mined:
    """What *mine* gives for these, or gave before: of the same bytes, by the same operators and code.

    A record that cannot be read is as good as none, and one that cannot be kept does no harm.
    """
    names = [f"{operator.name}/{operator.version}" for operator in operators]
    key = digest(path, raw, code(), *names, "kept", *sorted(keep_arid))
    file = mined_folder(seed) / f"{key[:32]}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        seal, _, text = file.read_text("ascii").partition("\n")
        if seal == digest(text):
            return of_row(json.loads(text))
    found = mine()
    text = json.dumps(row_of(found))
    with suppress(OSError):
        keep(file, f"{digest(text)}\n{text}")
    return found


def keep(file: Path, text: str) -> None:
    """Write *text*, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="ascii") as part:
        part.write(text)
    os.replace(part.name, file)  # noqa: PTH105 - its name is all that we have


@cache
def code() -> str:
    """A digest of all that makes mutants: our own source, and LibCST."""
    root = Path(mutation.__file__).parent
    files = sorted(root.rglob("*.py"))
    return digest(version("libcst"), *(part for file in files for part in (file.name, file.read_bytes())))


def row_of(found: Mined) -> dict[str, Any]:
    """*found* as JSON."""
    mutants = [
        {
            "site": asdict(each.site),
            "claim": each.claim.value,
            "edits": [[edit.start, edit.end, b64encode(edit.text).decode("ascii")] for edit in each.edits],
            "operator_version": each.operator_version,
            "note": each.note,
        }
        for each in found.mutants
    ]
    return {"mutants": mutants, "skipped": dict(found.skipped), "failed": dict(found.failed)}


def of_row(row: dict[str, Any]) -> Mined:
    """What `row_of` made *row* of."""
    mutants = tuple(
        Mutant(
            site=Site(**each["site"]),
            claim=Claim(each["claim"]),
            edits=tuple(Edit(start, end, b64decode(text)) for start, end, text in each["edits"]),
            operator_version=each["operator_version"],
            note=each["note"],
        )
        for each in row["mutants"]
    )
    return Mined(mutants=mutants, skipped=row["skipped"], failed=row["failed"])
