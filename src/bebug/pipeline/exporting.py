"""Exporting: a corpus in another format, and what of it that format cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bebug import __version__
from bebug.corpus import licences
from bebug.corpus.manifest import build
from bebug.corpus.reading import codec_of
from bebug.errors import UsageError
from bebug.records import Corpus
from bebug.registry import pick


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written where; *loses* names the fields of a case that are not in it."""

    folder: Path
    source: str
    target: str
    cases: int
    loses: tuple[str, ...]
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The object that `bebug export --json` prints."""
        return {
            "out": str(self.folder),
            "from": self.source,
            "to": self.target,
            "cases": self.cases,
            "loses": list(self.loses),
            "warnings": list(self.warnings),
        }


def export(folder: Path, to: str, out: Path) -> Exported:
    """Write the corpus in *folder* to the new or empty folder *out* in the format *to*."""
    target = pick("codecs", to)
    name, codec = codec_of(folder)
    if name == to:
        raise UsageError(f"{folder} is in the format {to} already: there is nothing to turn into it")
    corpus = codec.read(folder)
    if not corpus.cases:
        raise UsageError(f"{folder} holds no case: nothing to export")
    target.write(described(corpus, out, name), out)
    licences.store(out, licences.read(folder))
    return Exported(
        folder=out,
        source=name,
        target=to,
        cases=len(corpus.cases),
        loses=target.loses,
        warnings=corpus.warnings,
    )


def described(corpus: Corpus, out: Path, source: str) -> Corpus:
    """*corpus* with a whole manifest, where its own format has none."""
    if "counts" in corpus.manifest:
        return corpus
    made = build(
        name=out.resolve().name,
        version=__version__,
        recipe={"exported": {"name": corpus.manifest.get("name"), "format": source}},
        seeds=(),
        cases=corpus.cases,
        rejected=(),
    )
    return Corpus(manifest=made, cases=corpus.cases, warnings=corpus.warnings)
