"""The law of codecs: reading back what was written gives the same cases, less what the format loses."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from bebug.corpus import manifest, rows
from bebug.corpus.codec import Codec
from bebug.records import Case, Corpus, Label

UNSAFE_IDS = (
    *(
        "../up",
        "/etc/x",
        "a/b",
        "a:b",
        "a\\b",
        "..",
        ".",
        "CON",
        "con.txt",
        "nul",
        "trailing.",
        "blank ",
        "-n",
    ),
    *(
        "A",
        "a",
        "\u00e9",
        "e\u0301",
        "x" * 300,
        "new\nline",
        "nul\0byte",
        "\u2028",
        "😀",
        "%2e",
        "ids",
        "\x1b[2J",
    ),
)


def check_codec(codec: Codec, corpus: Corpus, folder: Path) -> None:
    """Hold *codec* to its law on *corpus*, writing below the empty *folder*; else an AssertionError."""
    first, second = folder / "first", folder / "second"
    codec.write(corpus, first)
    if corpus.cases:
        assert codec.recognises(first), f"{codec.looks_for}: not recognised after writing"
        back = codec.read(first)
        assert _kept(back, codec) == _kept(corpus, codec), "reading back gave other cases"
        codec.write(back, second)
        assert _kept(codec.read(second), codec) == _kept(back, codec), "a second round gave other cases"
    strays = {path.name for path in folder.iterdir()} - {"first", "second"}
    assert not strays, f"written outside of the folder: {strays}"


def corpora() -> st.SearchStrategy[Corpus]:
    """Corpora of up to six cases with odd ids, odd text and diffs of any bytes."""
    cases = st.lists(_cases(), max_size=6, unique_by=lambda case: case.id)
    return cases.map(_corpus)


def _corpus(cases: list[Case]) -> Corpus:
    head = {"schema_version": manifest.SCHEMA_VERSION, "name": "law", "corpus_rev": manifest.revision(cases)}
    return Corpus(manifest=head, cases=tuple(cases))


def _kept(corpus: Corpus, codec: Codec) -> list[dict[str, Any]]:
    """The cases as rows, sorted by id, without the fields that the format cannot hold."""
    found = []
    for case in sorted(corpus.cases, key=lambda case: case.id):
        row = rows.to_row(case)
        found.append({name: value for name, value in row.items() if name not in codec.loses})
    return found


def _cases() -> st.SearchStrategy[Case]:
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
    words = st.text(string.ascii_lowercase + "-", min_size=1, max_size=12)
    patches = st.binary(max_size=200) | texts.map(str.encode)
    return st.builds(
        Case,
        id=st.sampled_from(UNSAFE_IDS) | words | texts.filter(bool),
        label=st.sampled_from(Label),
        track=words,
        defect_class=words,
        operator=words,
        title=texts,
        body=texts,
        description=texts,
        seed=st.fixed_dictionaries({"name": texts, "version": texts, "source": words, "sha256": words}),
        base_patch=patches,
        diff=patches,
        path=texts,
        span=st.fixed_dictionaries({"start_line": st.integers(0, 10**6), "end_line": st.integers(0, 10**6)}),
        function=texts,
        twin=st.none() | words,
        evidence=st.dictionaries(words, st.none() | st.integers() | st.lists(texts, max_size=3), max_size=3),
    )
