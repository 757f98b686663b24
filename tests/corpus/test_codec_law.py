"""Every codec holds the law of codecs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug import registry
from bebug.corpus.codecs import native
from bebug.laws.codecs import check_codec, corpora
from bebug.records import Case, Corpus


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpus=corpora(), name=st.sampled_from(sorted(registry.load("codecs"))))
def test_reading_back_gives_the_same_cases_less_what_the_format_loses(corpus: Corpus, name: str) -> None:
    with TemporaryDirectory() as folder:
        check_codec(registry.pick("codecs", name), corpus, Path(folder))


def test_the_law_notices_a_codec_that_loses_more_than_it_says(
    tmp_path: Path, bad: Callable[[], Case]
) -> None:
    def forgetful(folder: Path) -> Corpus:
        corpus = native.read(folder)
        return replace(corpus, cases=tuple(replace(case, title="") for case in corpus.cases))

    corpus = Corpus(manifest={"schema_version": 1}, cases=(bad(),))
    with pytest.raises(AssertionError, match="reading back gave other cases"):
        check_codec(replace(native.codec, read=forgetful), corpus, tmp_path)
