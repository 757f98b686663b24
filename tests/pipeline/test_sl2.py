"""SL-2's six cases as they ship: proved, scored as SL-2 says, read by SL-2, and the same when made again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import load
from bebug.corpus.codecs import sl2
from bebug.errors import CorpusError, Unproved
from bebug.pipeline.authoring import author
from bebug.pipeline.observer import Silent
from bebug.pipeline.rating import rate
from bebug.pipeline.replaying import replay
from bebug.records import Said
from bebug.verification import Limits

ROOT = Path(__file__).parent.parent.parent
SHIPPED = ROOT / "generated" / "sl2"
SCRIPT = ROOT / "seeds" / "authored" / "sl2.toml"
LABELS = {
    "assertion_free_test": "bad",
    "deleted_assertion": "bad",
    "dropped_null_check": "bad",
    "off_by_one": "bad",
    "good_bugfix": "good",
    "good_test": "good",
}


def pairs(folder: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """The folder as SL-2 reads it: each diff, and the JSON of the same name beside it."""
    for diff in sorted(folder.glob("*.diff")):
        yield json.loads(diff.with_suffix(".json").read_text("utf-8")), diff.read_text("utf-8")


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus made anew."""
    out = tmp_path_factory.mktemp("again") / "sl2"
    author(SCRIPT, out)
    return out


def test_mock_misses_off_by_one_and_nothing_else() -> None:
    card = rate(SHIPPED, "mock", observer=Silent())
    assert (card.false_pass.value, card.false_pass.n) == (0.25, 4)
    assert (card.false_fail.value, card.false_fail.n) == (0.0, 2)
    missed = [row for row in card.judgements if row.label == "bad" and row.verdict.said is Said.PASS]
    assert [row.defect_class for row in missed] == ["off-by-one"]


def test_the_pairs_are_sl2s() -> None:
    found = list(pairs(SHIPPED))
    assert {head["id"]: head["label"] for head, _ in found} == LABELS
    for head, diff in found:
        assert list(head) == ["id", "label", "defect_class", "description"]
        assert head["defect_class"] == ("none" if head["label"] == "good" else head["id"])
        assert diff.startswith("diff --git a/")


def test_the_pairs_are_the_cases_under_the_names_of_sl2() -> None:
    cases = {case.id: case for case in load(SHIPPED).cases}
    read = sl2.read(SHIPPED)
    assert read.warnings == ()
    assert {case.id: (case.diff, case.label, case.defect_class) for case in read.cases} == {
        name: (case.diff, case.label, case.defect_class) for name, case in cases.items()
    }
    names = load(SHIPPED).manifest["names"]
    assert sorted(names.values()) == sorted(LABELS)
    for name, case in names.items():
        assert (SHIPPED / f"{case}.diff").read_bytes() == cases[name].diff


def test_ids_name_neither_label_nor_class() -> None:
    for case in load(SHIPPED).cases:
        assert case.id.startswith("sl2-") and len(case.id) == 16
        shown = f"{case.id} {case.title} {case.body}"
        assert not any(word in shown for word in ("good", "bad", "off", "dropped", "deleted", "free"))


def test_every_label_is_proved_again_from_the_record() -> None:
    found = replay(SHIPPED, jobs=2, limits=Limits(), observer=Silent())
    assert [row.why for row in found.rows] == [""] * 6
    assert sorted({row.proof for row in found.rows}) == [
        "adds-detection",
        "detection-loss",
        "fixes",
        "tests",
    ]


def test_made_again_it_is_the_same_to_the_byte(again: Path) -> None:
    def content(folder: Path) -> dict[str, bytes]:
        files = (path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json")
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    assert content(again) == content(SHIPPED)


def test_its_manifest_differs_in_nothing_but_the_interpreter(again: Path) -> None:
    def manifest(folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
        for seed in found["seeds"]:
            del seed["python"], seed["packages"], seed["sandbox"]
        return found

    assert manifest(again) == manifest(SHIPPED)


def script(tmp_path: Path, old: str, new: str) -> Path:
    """The description with *old* replaced."""
    text = SCRIPT.read_text("utf-8")
    assert text.count(old) == 1
    file = tmp_path / "sl2.toml"
    file.write_text(text.replace(old, new), "utf-8")
    return file


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('old = "range(len(lines))"', 'old = "range(len(rows))"', "occurs 0 times"),
        ('old = "range(len(lines))"', 'old = "lines"', r"occurs \d+ times"),
        ('name = "good_test"', 'name = "off_by_one"', "two cases have one name"),
        ('name = "good_test"\nlabel = "good"', 'name = "good_test"\nlabel = "fine"', "'fine'"),
        ('proof = "fixes"', 'proof = "seems"', "'seems'"),
    ],
)
def test_a_description_that_does_not_fit_is_an_error_and_writes_nothing(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(CorpusError, match=message):
        author(script(tmp_path, old, new), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('new = "range(len(lines) + 1)"', 'new = "range(0, len(lines))"', "off_by_one: survived"),
        ("    basket.total()\n", "    assert basket.total() == 500\n", "still noticed"),
        (
            'old = "(ordered[middle - 1] + ordered[middle]) / 2"\nnew = "float(ordered[middle])"',
            'old = "float(ordered[middle])"\nnew = "0.0"',
            "good_test: the fault was noticed before",
        ),
    ],
)
def test_a_case_that_is_not_what_it_says_is_never_written(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(Unproved, match=message):
        author(script(tmp_path, old, new), tmp_path / "out")
    assert not (tmp_path / "out").exists()
