"""The journal: what a build has finished so far, on disk after each step, so that a killed build goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from bebug.corpus.files import TEMPORARY
from bebug.errors import CorpusError
from bebug.records import digest

_APPLICATION_ID = 0x62656275  # "bebu", in SQLite's own header: a journal is told from any other database
_SCHEMA = f"""
    PRAGMA application_id = {_APPLICATION_ID};
    CREATE TABLE finished (
        recipe TEXT, environment TEXT, key TEXT, payload TEXT, digest TEXT,
        PRIMARY KEY (recipe, environment, key)
    );
"""


class Journal:
    """Payloads by recipe, environment and key in one SQLite file. Any thread may call.

    SQLite's rollback journal is kept on: it costs under a millisecond a step, survives a kill, and damage
    to it is noticed, where a torn write-ahead log is cut off in silence.
    """

    def __init__(self, path: Path, recipe: Mapping[str, Any]) -> None:
        self.path = path
        self._recipe = digest(_json(recipe, sort_keys=True))
        self._lock = Lock()
        with self._errors_told():
            if not path.exists():
                _create(path)
            self._base = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._check()
        except CorpusError:
            self._base.close()
            raise

    def recall(self, key: str, environment: str) -> Any:
        """The payload finished under *key* in *environment*, or None."""
        where = (self._recipe, environment, key)
        found = self._one(
            "SELECT payload, digest FROM finished WHERE recipe = ? AND environment = ? AND key = ?", *where
        )
        if found is None:
            return None
        payload, seal = found
        if digest(*where, payload) != seal:
            raise self._damaged("a record does not match its digest")
        return json.loads(payload)

    def remember(self, key: str, environment: str, payload: Any) -> None:
        """Keep *payload*, a JSON value; it is on disk when this returns."""
        where, text = (self._recipe, environment, key), _json(payload)
        row = (*where, text, digest(*where, text))
        with self._lock, self._errors_told():
            self._base.execute("INSERT OR REPLACE INTO finished VALUES (?, ?, ?, ?, ?)", row)

    def forget(self, environment: str) -> None:
        """Drop what was finished in *environment*."""
        with self._lock, self._errors_told():
            where = (self._recipe, environment)
            self._base.execute("DELETE FROM finished WHERE recipe = ? AND environment = ?", where)

    def count(self) -> int:
        """How many candidates of this recipe are finished."""
        return self._number("SELECT count(*) FROM finished WHERE recipe = ?", self._recipe)

    def others(self) -> int:
        """How many finished candidates of other recipes lie here."""
        return self._number("SELECT count(*) FROM finished WHERE recipe <> ?", self._recipe)

    def close(self) -> None:
        with self._lock:
            self._base.close()

    def remove(self) -> None:
        """Close the journal and delete it."""
        self.close()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise CorpusError(f"cannot remove {self.path}: {error.strerror}") from error

    def _check(self) -> None:
        if self._number("PRAGMA application_id") != _APPLICATION_ID:
            raise self._damaged("it is no journal of bebug, or was cut off")
        verdict = self._one("PRAGMA quick_check(1)")
        if verdict != ("ok",):
            raise self._damaged(str(verdict))
        self._number("SELECT count(*) FROM finished")

    def _number(self, query: str, *values: str) -> int:
        row = self._one(query, *values)
        return int(row[0]) if row else 0

    def _one(self, query: str, *values: str) -> tuple[Any, ...] | None:
        with self._lock, self._errors_told():
            row: tuple[Any, ...] | None = self._base.execute(query, values).fetchone()
            return row

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise CorpusError(f"cannot use {self.path}: {error}; what is in it is kept") from error
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> CorpusError:
        return CorpusError(f"{self.path} is damaged ({why}): move it away to start this corpus anew")


def _json(value: Any, *, sort_keys: bool = False) -> str:
    """*value* as JSON text. Keys keep their order unless sorted: a resumed build gives the same bytes."""
    try:
        return json.dumps(value, sort_keys=sort_keys, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise CorpusError(f"this cannot be kept as JSON: {error}") from error


def _create(path: Path) -> None:
    """A new journal, whole at once: one that is empty or cut off is thus never the trace of a kill."""
    part = path.with_name(f".{path.name}{TEMPORARY}")
    part.unlink(missing_ok=True)
    base = sqlite3.connect(part, isolation_level=None)
    try:
        base.executescript(_SCHEMA)
    finally:
        base.close()
    part.replace(path)
