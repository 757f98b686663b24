"""Reading a corpus of any known format."""

from __future__ import annotations

from pathlib import Path

from bebug import registry
from bebug.corpus.codec import Codec
from bebug.errors import CorpusError
from bebug.records import Corpus


def load(folder: Path) -> Corpus:
    """The corpus in *folder*, by the first codec that recognises it.

    A `CorpusError` says what was looked for, or what is wrong with what was found.
    """
    _, codec = codec_of(folder)
    try:
        return codec.read(folder)
    except OSError as error:
        raise CorpusError(f"cannot read {error.filename or folder}: {error.strerror}") from error


def codec_of(folder: Path) -> tuple[str, Codec]:
    """The first codec that recognises *folder*, with its name; a `CorpusError` where none does."""
    codecs: dict[str, Codec] = registry.load("codecs")
    if not folder.is_dir():
        raise CorpusError(f"{folder} is no folder: a corpus is one, as `mutate --out` writes it")
    try:
        for name, codec in codecs.items():
            if codec.recognises(folder):
                return name, codec
    except OSError as error:
        raise CorpusError(f"cannot read {error.filename or folder}: {error.strerror}") from error
    wanted = "; ".join(f"{codec.looks_for} ({name})" for name, codec in codecs.items())
    raise CorpusError(f"{folder} holds no corpus: looked for {wanted}")
