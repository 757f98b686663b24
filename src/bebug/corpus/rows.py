"""One case as one line of JSON: the fields of a row, in their order, and back."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from bebug.errors import CorpusError
from bebug.records import Case, Label

FIELDS = tuple(field.name for field in fields(Case))
_TEXTS = ("id", "track", "defect_class", "operator", "title", "body", "description", "path", "function")
_PATCHES = ("base_patch", "diff")


def to_row(case: Case) -> dict[str, Any]:
    """*case* as JSON values, its keys in the order of the format."""
    row = {name: getattr(case, name) for name in FIELDS}
    row["label"] = case.label.value
    for name in _PATCHES:
        row[name] = stored(row[name])
    for name in ("seed", "span", "evidence"):
        row[name] = dict(row[name])
    return row


def from_row(row: object) -> Case:
    """The case that *row* holds; a `CorpusError` names the field that is not as the format says."""
    if not isinstance(row, dict):
        raise CorpusError(f"a case is a JSON object, not {type(row).__name__}")
    if missing := [name for name in FIELDS if name not in row]:
        raise CorpusError(f"the field {missing[0]!r} is missing")
    values: dict[str, Any] = {name: row[name] for name in FIELDS}
    for name in _wrong_types(values):
        raise CorpusError(f"the field {name!r} holds {values[name]!r:.60}, which is not of its type")
    if values["label"] not in list(Label):
        raise CorpusError(f"the label is {values['label']!r:.60}, neither 'bad' nor 'good'")
    values["label"] = Label(values["label"])
    for name in _PATCHES:
        values[name] = restored(values[name], name)
    return Case(**values)


def _wrong_types(values: Mapping[str, Any]) -> Iterator[str]:
    yield from (name for name in _TEXTS if not isinstance(values[name], str))
    yield from (name for name in ("seed", "span", "evidence") if not isinstance(values[name], dict))
    if not all(isinstance(values["span"].get(key), int) for key in ("start_line", "end_line")):
        yield "span"
    if not isinstance(values["twin"], str | None):
        yield "twin"


def stored(raw: bytes) -> str | dict[str, str]:
    """Bytes as JSON can hold them: text where they are UTF-8, else base64 that says so."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"encoding": "base64", "data": base64.b64encode(raw).decode("ascii")}


def restored(value: object, name: str) -> bytes:
    """The bytes that `stored` made *value* of; *name* is the field's, for the error."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, dict) and value.get("encoding") == "base64" and isinstance(value.get("data"), str):
        try:
            return base64.b64decode(value["data"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise CorpusError(f"the field {name!r} is not base64: {error}") from error
    raise CorpusError(f"the field {name!r} is neither text nor base64")


def line(row: Mapping[str, Any]) -> bytes:
    """*row* as one ASCII line: LF, VT, U+2028 and all other line ends inside of strings are escaped."""
    try:
        return json.dumps(row, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise CorpusError(f"{row.get('id', 'a row')} holds what JSON cannot: {error}") from error


def read_lines(raw: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """(place, value) of each line of JSONL text *raw*; only LF ends a line, a CR before it is forgiven."""
    for number, text in enumerate(raw.split(b"\n"), 1):
        if not text.strip():
            continue
        place = f"{name}:{number}"
        try:
            yield place, json.loads(text.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{place}: this line is not JSON: {error}") from error
