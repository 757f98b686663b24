"""Judgements in short hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bebug.records import Judgement, Label, Said, Verdict


@pytest.fixture
def judged() -> Callable[..., list[Judgement]]:
    """Judgements from words such as `bad:PASS` or `bad:FAIL:dropped-null-check`, named c0, c1 and so on."""

    def make(*words: str) -> list[Judgement]:
        made = []
        for number, word in enumerate(words):
            label, said, *kind = word.split(":")
            name = kind[0] if kind else "off-by-one" if label == "bad" else "none"
            verdict = Verdict(said=Said(said), reason=f"because {number}")
            made.append(Judgement(id=f"c{number}", label=Label(label), defect_class=name, verdict=verdict))
        return made

    return make
