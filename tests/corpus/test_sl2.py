"""SL-2's pairs are read as they are, and written under names that no file system can trip over."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import load
from bebug.corpus.codecs import sl2
from bebug.errors import CorpusError
from bebug.laws.codecs import UNSAFE_IDS
from bebug.records import Corpus, Label

Make = Callable[..., Any]
DIFF = b"--- a/pkg/core.py\n+++ b/pkg/core.py\n@@ -10,2 +10,2 @@\n def f():\n-    return 1\n+    return 2\n"
HEAD = {"id": "one", "label": "bad", "defect_class": "off_by_one", "description": "a step too far"}


@pytest.fixture
def pair(tmp_path: Path) -> Make:
    """Write one pair named *stem*; *changes* go to its JSON."""

    def write(stem: str = "one", diff: bytes | None = DIFF, text: str | None = None, **changes: Any) -> Path:
        head = {**HEAD, "id": stem, **changes}
        (tmp_path / f"{stem}.json").write_text(json.dumps(head) if text is None else text)
        if diff is not None:
            (tmp_path / f"{stem}.diff").write_bytes(diff)
        return tmp_path

    return write


def test_a_pair_is_a_case_of_our_class_name_with_a_neutral_title(pair: Make) -> None:
    corpus = load(pair())
    (case,) = corpus.cases
    assert (case.id, case.label, case.defect_class) == ("one", Label.BAD, "off-by-one")
    assert case.description == "a step too far"
    assert case.diff == DIFF
    assert (case.path, case.span) == ("pkg/core.py", {"start_line": 11, "end_line": 11})
    assert "off" not in case.title + case.body
    assert "pkg/core.py" in case.title


def test_a_diff_without_a_git_line_is_taken_with_a_warning(pair: Make) -> None:
    assert load(pair()).warnings == ("one: the diff has no `diff --git` line",)


def test_wrong_hunk_counts_are_a_warning_that_says_which_and_how(pair: Make) -> None:
    folder = pair(
        diff=b"diff --git a/pkg/core.py b/pkg/core.py\n" + DIFF.replace(b"10,2 +10,2", b"10,7 +10,8")
    )
    (warning,) = load(folder).warnings
    assert warning == "one: the diff hunk 1 of pkg/core.py announces 7 old and 8 new lines, but has 2 and 2"


def test_a_good_case_with_a_class_and_an_unknown_key_are_warnings(pair: Make) -> None:
    corpus = load(pair(label="good", reviewer="me"))
    assert any("key 'reviewer'" in warning for warning in corpus.warnings)
    assert any("good case has the defect_class" in warning for warning in corpus.warnings)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "two"}, r"one\.json: its id is 'two', and must be the file's name, 'one'"),
        ({"label": "evil"}, r"one\.json: its label is 'evil'"),
        ({"description": None}, r"one\.json: the key 'description' is missing"),
        ({"text": "{"}, r"one\.json is not JSON"),
        ({"text": "[]"}, r"one\.json is no JSON object"),
    ],
)
def test_a_pair_that_cannot_be_read_is_an_error_that_names_it(
    pair: Make, changes: dict[str, Any], message: str
) -> None:
    folder = pair(**changes)
    with pytest.raises(CorpusError, match=message):
        load(folder)


def test_a_file_without_its_partner_is_named_either_way(pair: Make, tmp_path: Path) -> None:
    pair()
    pair("lonely", diff=None)
    with pytest.raises(CorpusError, match=r"lonely\.json has no lonely\.diff beside it"):
        load(tmp_path)
    (tmp_path / "lonely.json").unlink()
    (tmp_path / "alone.diff").write_bytes(DIFF)
    with pytest.raises(CorpusError, match=r"alone\.diff has no alone\.json beside it"):
        load(tmp_path)


def test_hidden_files_and_others_are_passed_over(pair: Make) -> None:
    folder = pair()
    (folder / "._one.diff").write_bytes(b"\0")
    (folder / "README.md").write_text("")
    assert len(load(folder).cases) == 1


def test_writing_gives_exactly_the_four_keys_and_their_class_names(tmp_path: Path, bad: Make) -> None:
    case = bad()
    sl2.write(Corpus(manifest={}, cases=(case,)), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{case.id}.diff",
        f"{case.id}.json",
    ]
    head = json.loads((tmp_path / "out" / f"{case.id}.json").read_text())
    assert head == {
        "id": case.id,
        "label": "bad",
        "defect_class": "off_by_one",
        "description": case.description,
    }
    assert (tmp_path / "out" / f"{case.id}.diff").read_bytes() == case.diff


def test_no_id_escapes_the_folder_or_meets_another_even_where_case_is_not_kept(
    tmp_path: Path, bad: Make
) -> None:
    made = tuple(replace(bad(), id=name, diff=name.encode()) for name in UNSAFE_IDS)
    sl2.write(Corpus(manifest={}, cases=made), tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    stems = [path.stem for path in (tmp_path / "out").glob("*.diff")]
    assert len({stem.casefold() for stem in stems}) == len(UNSAFE_IDS)
    assert all(stem.isascii() and len(stem) <= 100 and not stem.endswith(".") for stem in stems)
    assert not {"con", "con.txt", "nul"} & {stem.casefold() for stem in stems}
    back = {case.id: case.diff for case in load(tmp_path / "out").cases}
    assert back == {name: name.encode() for name in UNSAFE_IDS}


def test_an_index_that_gives_two_files_one_id_is_an_error(pair: Make, tmp_path: Path) -> None:
    pair("one")
    pair("two")
    (tmp_path / "ids.jsonl").write_text('{"file": "one", "id": "x"}\n{"file": "two", "id": "x"}\n')
    with pytest.raises(CorpusError, match="repeat x"):
        load(tmp_path)
    (tmp_path / "ids.jsonl").write_text('{"file": "one"}\n')
    with pytest.raises(CorpusError, match=r"ids\.jsonl:1"):
        load(tmp_path)
