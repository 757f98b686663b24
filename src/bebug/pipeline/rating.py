"""Rating: a critic asked about every case of a corpus, and the scores of what it said."""

from __future__ import annotations

from pathlib import Path

from bebug.corpus import load
from bebug.critique.judge import judge
from bebug.errors import UsageError
from bebug.pipeline.observer import Observer
from bebug.records import Scorecard
from bebug.registry import pick
from bebug.scoring.scorecard import rate as scores


def rate(folder: Path, backend: str, *, observer: Observer) -> Scorecard:
    """Ask the critic named by *backend* (`NAME` or `NAME:ARGUMENT`) about the corpus in *folder*."""
    name, _, argument = backend.partition(":")
    critic = pick("critics", name)(argument)
    corpus = load(folder)
    if not corpus.cases:
        raise UsageError(f"{folder} holds no case: nothing to score")
    for warning in corpus.warnings:
        observer.note(warning)
    observer.stage(f"asking {backend}", len(corpus.cases))
    judgements = judge(critic, corpus.cases, lambda judgement: observer.step(judgement.verdict.said.value))
    return scores(judgements, backend=backend, corpus=str(corpus.manifest.get("name", folder.name)))
