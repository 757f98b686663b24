"""The shape of a codec: one corpus format, read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bebug.records import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """One corpus format. The law `bebug.laws.codecs.check_codec` holds for each.

    *looks_for* says by which files it knows a folder; *recognises* may be generous, as *read* raises a
    `CorpusError` that names what is wrong. *write* takes a new or empty folder. *loses* names the fields of
    a case that the format cannot hold.
    """

    looks_for: str
    recognises: Callable[[Path], bool]
    read: Callable[[Path], Corpus]
    write: Callable[[Corpus, Path], None]
    loses: tuple[str, ...] = ()
