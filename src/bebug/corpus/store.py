"""The store: one writer builds one corpus in one folder, may be killed, and goes on from there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bebug.corpus import files
from bebug.corpus.journal import Journal
from bebug.errors import CorpusError
from bebug.records import Case, Label

if sys.platform != "win32":  # where it is missing, bebug says so before it comes to this
    import fcntl


MOMENT = 2.0  # seconds to wait for a lock


def _quiet(message: str) -> None:
    """Tell nobody."""


class Store:
    """A corpus folder being written under *recipe*, a JSON object of all options that shape the result.

    While open it holds the folder's lock. A corpus that lies there stays readable and is replaced as a
    whole by `finish`. *notify* is told in a line what was found.
    """

    def __init__(
        self, folder: Path, recipe: Mapping[str, Any], *, notify: Callable[[str], None] = _quiet
    ) -> None:
        self.folder = folder
        self._recipe = recipe
        self._notify = notify

    def __enter__(self) -> Self:
        self._handle = _locked(self.folder)
        try:
            _refuse_foreign(self.folder)
            self._journal: Journal | None = Journal(self.folder / files.JOURNAL, self._recipe)
            self._tell()
        except OSError as error:
            os.close(self._handle)
            raise CorpusError(f"cannot write to {self.folder}: {error.strerror}") from error
        except BaseException:
            os.close(self._handle)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self._journal:
                self._leave(self._journal)
        finally:
            os.close(self._handle)

    def recall(self, key: str, environment: str) -> Any:
        """What `remember` kept for *key* under the same recipe and *environment* (a digest), or None."""
        return self._open.recall(key, environment)

    def remember(self, key: str, environment: str, payload: Any) -> None:
        """Keep the finished candidate *key*: *payload* is a JSON value, and safe when this returns."""
        self._open.remember(key, environment, payload)

    def forget(self, environment: str) -> None:
        """Drop what was remembered in *environment*: it turned out not to be worth keeping."""
        self._open.forget(environment)

    def finish(
        self, manifest: Mapping[str, Any], cases: Iterable[Case], rejected: Iterable[Mapping[str, Any]]
    ) -> None:
        """Write the corpus, all or nothing, and drop the journal.

        `CorpusError` where ids repeat, a twin is not mutual, or the files cannot be written.
        """
        cases = tuple(cases)
        texts = {
            files.CASES: files.cases_text(cases),
            files.REJECTED: files.rejected_text(rejected),
            files.MANIFEST: files.manifest_text(manifest),
        }
        check_twins(cases)
        journal = self._open
        files.replace_all(self.folder, texts)
        self._journal = None
        journal.remove()

    @property
    def _open(self) -> Journal:
        if self._journal is None:
            raise CorpusError(f"the corpus in {self.folder} is finished: open it anew to write another")
        return self._journal

    def _tell(self) -> None:
        if mine := self._open.count():
            self._notify(f"going on in {self.folder}: {mine} candidates are finished already")
        elif others := self._open.others():
            self._notify(
                f"starting anew in {self.folder}: {others} candidates finished there are of another recipe"
                " (kept until a corpus is finished)"
            )

    def _leave(self, journal: Journal) -> None:
        """Keep what was finished; where that is nothing, leave no trace."""
        if journal.count() or journal.others():
            journal.close()
            return
        journal.remove()
        with suppress(OSError):  # a folder that holds something stays
            self.folder.rmdir()


def check_twins(cases: Iterable[Case]) -> None:
    """Raise a `CorpusError` unless each twin is in the corpus, of the other label, and names its twin too."""
    known = {case.id: case for case in cases}
    for case in known.values():
        if case.twin is None:
            continue
        twin = known.get(case.twin)
        if twin is None or twin.twin != case.id or {case.label, twin.label} != set(Label):
            raise CorpusError(f"{case.id} names {case.twin} as its twin, which is not one")


def _locked(folder: Path) -> int:
    """An open handle on *folder*, made where it is missing, that no other process holds locked.

    What a killed run was just starting holds its lock for a moment more.
    """
    deadline = time.monotonic() + MOMENT
    try:
        while True:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                while not _taken(handle, late=time.monotonic() > deadline):
                    time.sleep(0.05)
                if folder.exists() and os.path.samestat(os.fstat(handle), folder.stat()):
                    return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)  # the last writer removed it as empty, just now
    except BlockingIOError as error:
        raise CorpusError(
            f"another bebug is writing to {folder}: wait for it, or name another folder"
        ) from error
    except OSError as error:
        raise CorpusError(f"cannot write to {folder}: {error.strerror}") from error


def _refuse_foreign(folder: Path) -> None:
    for part in folder.glob(f".*{files.TEMPORARY}"):
        if part.name in {f".{name}{files.TEMPORARY}" for name in files.ALL}:  # a killed writer's
            part.unlink()
    names = [path.name for path in folder.iterdir()]
    if names and files.JOURNAL not in names and not files.is_ours(folder):
        raise CorpusError(
            f"{folder} holds {min(names)!r} and no corpus of bebug: name another folder; this stays as it is"
        )


def _taken(handle: int, *, late: bool) -> bool:
    """Whether the lock could be had; where it is *late*, a `BlockingIOError` says that it could not."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if late:
            raise
        return False
    return True
