"""The native format says what it cannot read, by file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import Store, load
from bebug.corpus.codecs import native
from bebug.errors import CorpusError

Make = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, bad: Make, finish: Make) -> Path:
    finish(tmp_path / "c", [bad(n) for n in range(3)], ({"id": "r", "reason": "survived"},))
    return tmp_path / "c"


def edit(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_finished_corpus_is_read_without_a_doubt(folder: Path, bad: Make) -> None:
    corpus = load(folder)
    assert {case.id: case for case in corpus.cases} == {bad(n).id: bad(n) for n in range(3)}
    assert corpus.warnings == ()
    assert corpus.manifest["counts"]["label"] == {"bad": 3}
    assert corpus.manifest["rejections"] == {"survived": 1}


def test_crlf_and_blank_lines_are_forgiven(folder: Path) -> None:
    path = folder / "cases.jsonl"
    before = load(folder).cases
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert load(folder).cases == before


def test_a_bad_line_is_named_by_file_and_number(folder: Path) -> None:
    path = folder / "cases.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id": "x"}\n')
    with pytest.raises(CorpusError, match=r"cases\.jsonl:4: the field 'label' is missing"):
        load(folder)


def test_a_repeated_id_is_named(folder: Path) -> None:
    path = folder / "cases.jsonl"
    first = path.read_bytes().split(b"\n")[0]
    path.write_bytes(path.read_bytes() + first + b"\n")
    with pytest.raises(CorpusError, match=json.loads(first)["id"]):
        load(folder)


def test_cases_edited_by_hand_are_read_with_a_warning(folder: Path) -> None:
    path = folder / "cases.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    corpus = load(folder)
    assert len(corpus.cases) == 2
    assert "was edited" in corpus.warnings[0]


def test_an_unfinished_corpus_says_so(tmp_path: Path) -> None:
    with Store(tmp_path / "c", {}) as store:
        store.remember("k", "env", 1)
    with pytest.raises(CorpusError, match=r"unfinished; give its command again"):
        load(tmp_path / "c")


def test_a_missing_file_of_a_corpus_is_named(folder: Path) -> None:
    (folder / "cases.jsonl").unlink()
    with pytest.raises(CorpusError, match=r"cannot read .*cases\.jsonl: No such file"):
        load(folder)


def test_a_corpus_of_a_newer_format_is_refused(folder: Path) -> None:
    edit(folder / "manifest.json", schema_version=99)
    with pytest.raises(CorpusError, match="schema version 99: a newer bebug"):
        load(folder)


@pytest.mark.parametrize("text", ["{", "[]", '{"schema_version": "1"}', "{}"])
def test_a_manifest_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(CorpusError, match=r"manifest\.json is"):
        load(folder)


def test_rejected_candidates_can_be_read(folder: Path) -> None:
    assert native.read_rejected(folder) == ({"id": "r", "reason": "survived"},)
    (folder / "rejected.jsonl").write_text("3\n")
    with pytest.raises(CorpusError, match=r"rejected\.jsonl:1"):
        native.read_rejected(folder)


def test_a_corpus_is_not_written_over_anything(folder: Path) -> None:
    with pytest.raises(CorpusError, match="not empty"):
        native.write(load(folder), folder)


def test_what_is_no_corpus_is_told_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("")
    with pytest.raises(
        CorpusError, match=r"looked for .*cases\.jsonl \(native\); .*\.diff and \.json \(sl2\)"
    ):
        load(tmp_path)
    with pytest.raises(CorpusError, match="is no folder"):
        load(tmp_path / "missing")
