"""Replaying opens what the manifest names, and says of each label whether it was proved, and why not."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import load
from bebug.errors import CorpusError, SeedError, UsageError
from bebug.pipeline.observer import Silent
from bebug.pipeline.reopening import overrides, spec_of
from bebug.pipeline.replaying import Replay, asked_for, replay, sampled
from bebug.records import Case, Label
from bebug.verification import Limits

ROOT = Path(__file__).parent.parent.parent
SHIPPED = ROOT / "generated" / "sl2"
Edit = Callable[[dict[str, Any]], None]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "sl2"))


def edit_manifest(corpus: Path, edit: Edit) -> None:
    head = json.loads((corpus / "manifest.json").read_text("ascii"))
    edit(head)
    (corpus / "manifest.json").write_text(json.dumps(head))


def edit_cases(corpus: Path, edit: Edit) -> None:
    rows = [json.loads(line) for line in (corpus / "cases.jsonl").read_text("ascii").split("\n") if line]
    for row in rows:
        edit(row)
    (corpus / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def replayed(corpus: Path, *, seeds: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> Replay:
    return replay(corpus, names=names, seeds=seeds, jobs=2, limits=Limits(), observer=Silent())


def one(corpus: Path) -> tuple[str, ...]:
    """The id of the case with the fewest runs."""
    return tuple(case.id for case in load(corpus).cases if case.defect_class == "off-by-one")


def test_a_false_label_is_named_with_its_reason_and_the_others_are_proved(corpus: Path) -> None:
    def falsify(row: dict[str, Any]) -> None:
        if row["defect_class"] == "off-by-one":
            row["evidence"]["fail_to_pass"].append(
                "tests/test_basket.py::test_more_of_the_same_joins_its_line"
            )

    edit_cases(corpus, falsify)
    found = replayed(corpus)
    (wrong,) = found.unproved
    assert wrong.defect_class == "off-by-one"
    assert "test_more_of_the_same_joins_its_line" in wrong.why
    assert (len(found.rows), found.total) == (6, 6)
    assert ("bad", "off-by-one", 0, 1) in found.table()
    assert ("bad", "deleted-assertion", 1, 1) in found.table()


def test_another_tree_of_the_same_name_is_an_error_that_says_so(corpus: Path, tmp_path: Path) -> None:
    other = shutil.copytree(ROOT / "seeds" / "sl2", tmp_path / "other")
    (other / "kiosk" / "basket.py").write_bytes((other / "kiosk" / "basket.py").read_bytes() + b"\n")
    with pytest.raises(SeedError, match="is not the tree that the corpus was made from"):
        replayed(corpus, seeds=(f"sl2={other}",), names=one(corpus))


def test_a_tree_named_by_hand_serves_where_it_is_the_same(corpus: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(ROOT / "seeds" / "sl2", tmp_path / "moved")
    edit_manifest(corpus, lambda head: head["seeds"][0].update(source="path"))
    with pytest.raises(SeedError, match="give --seed sl2=PATH"):
        replayed(corpus, names=one(corpus))
    found = replayed(corpus, seeds=(f"sl2={moved}",), names=one(corpus))
    assert [row.why for row in found.rows] == [""]


def test_among_several_seeds_one_that_cannot_serve_leaves_the_others_proved(corpus: Path) -> None:
    def add(head: dict[str, Any]) -> None:
        head["seeds"].append({**head["seeds"][0], "name": "lost", "source": "path", "sha256": "0"})

    def move(row: dict[str, Any]) -> None:
        if row["label"] == "good":
            row["seed"].update(name="lost", sha256="0")
        else:
            keep.append(row["id"])

    keep: list[str] = []
    edit_manifest(corpus, add)
    edit_cases(corpus, move)
    found = replayed(corpus)
    assert {row.id for row in found.rows if not row.why} == set(keep)
    assert {row.why[:24] for row in found.unproved} == {"the seed cannot serve: t"}


def test_the_tests_set_aside_by_the_manifest_count_nowhere(corpus: Path) -> None:
    (name,) = one(corpus)
    case = next(case for case in load(corpus).cases if case.id == name)
    aside = case.evidence["fail_to_pass"]
    edit_manifest(corpus, lambda head: head["seeds"][0].update(set_aside=aside))
    found = replayed(corpus, names=(name,))
    assert "do not fail" in found.rows[0].why


def test_the_arguments_of_the_record_are_those_of_the_run(corpus: Path) -> None:
    (name,) = one(corpus)
    argv = ["tests/test_figures.py", "-p", "no:randomly"]
    edit_manifest(corpus, lambda head: head["seeds"][0].update(test_argv=argv))
    assert "do not fail" in replayed(corpus, names=(name,)).rows[0].why


def test_labels_that_are_only_said_are_not_replayed(tmp_path: Path) -> None:
    for file in SHIPPED.glob("*.diff"):
        shutil.copy(file, tmp_path)
        shutil.copy(file.with_suffix(".json"), tmp_path)
    with pytest.raises(CorpusError, match="names no seed"):
        replayed(tmp_path)


def test_a_case_whose_seed_the_manifest_does_not_name_is_an_error(corpus: Path) -> None:
    edit_cases(corpus, lambda row: row["seed"].update(sha256="0"))
    with pytest.raises(CorpusError, match="is not one that the manifest names"):
        replayed(corpus)


# ------------------------------------------------------------------------------------------------- choosing


def made(number: int, label: Label, name: str) -> Case:
    bad = label is Label.BAD
    return replace(
        load(SHIPPED).cases[0],
        id=f"s-{number:012x}",
        label=label,
        defect_class=name if bad else "none",
        operator=f"{name}/rule",
    )


CASES = [
    *(made(n, Label.BAD, "off-by-one") for n in range(50)),
    *(made(n, Label.BAD, "deleted-assertion") for n in range(50, 60)),
    *(made(n, Label.GOOD, "good-bugfix") for n in range(60, 90)),
    *(made(n, Label.GOOD, "flip-comparison") for n in range(90, 92)),
]


def test_a_sample_is_even_over_label_and_class_as_far_as_there_are_cases() -> None:
    counts = Counter(case.operator for case in sampled(CASES, 20, 0))
    assert counts == {
        "off-by-one/rule": 6,
        "deleted-assertion/rule": 6,
        "good-bugfix/rule": 6,
        "flip-comparison/rule": 2,
    }


def test_a_sample_depends_on_the_number_and_a_new_case_pushes_out_one_at_most() -> None:
    first = {case.id for case in sampled(CASES, 12, 1)}
    assert first == {case.id for case in sampled(CASES[::-1], 12, 1)}
    assert first != {case.id for case in sampled(CASES, 12, 2)}
    more = {case.id for case in sampled([*CASES, made(99, Label.BAD, "off-by-one")], 12, 1)}
    assert len(first - more) <= 1


def test_a_sample_of_more_than_there_are_is_all() -> None:
    assert sampled(CASES, 1000, 0) == CASES == sampled(CASES, None, 0)


def test_a_name_means_one_case() -> None:
    assert asked_for(CASES, ["s-000000000003"]) == [CASES[3]]
    assert asked_for([*CASES, made(0x30, Label.BAD, "x")], ["s-000000000003"]) == [CASES[3]]
    for name in ("s-0", "t"):
        with pytest.raises(UsageError, match=f"'{name}' is the start of"):
            asked_for(CASES, [name])


ENTRY = {"name": "toolz", "version": "1", "source": "pypi", "sha256": "00", "cwd": "."}


@pytest.mark.parametrize(
    ("change", "spec"),
    [
        ({}, "pypi:toolz==1"),
        ({"name": "ledger", "source": "builtin"}, "ledger"),
        ({"source": "git+https://host/owner/repo", "version": "abc"}, "git+https://host/owner/repo@abc"),
        (
            {"source": "git+https://host/repo", "version": "abc", "cwd": "python/lib"},
            "git+https://host/repo@abc#subdirectory=python/lib",
        ),
    ],
)
def test_where_a_seed_comes_from_is_read_off_its_entry(change: dict[str, str], spec: str) -> None:
    assert spec_of({**ENTRY, **change}) == spec


def test_a_seed_of_the_catalogue_is_had_by_its_name() -> None:
    from bebug.seeds import catalogue

    described = catalogue()["toolz"]
    assert spec_of({**ENTRY, "version": described.version, "sha256": described.sha256}) == "toolz"


@pytest.mark.parametrize("source", ["path", "git+file:repo", "builtin"])
def test_a_seed_of_this_machine_must_be_named_by_its_user(source: str) -> None:
    with pytest.raises(SeedError, match="give --seed toolz=PATH"):
        spec_of({**ENTRY, "source": source})


@pytest.mark.parametrize("word", ["toolz", "toolz=", "other=x"])
def test_a_seed_override_names_a_seed_of_the_corpus(word: str) -> None:
    with pytest.raises(UsageError, match="write NAME=PATH"):
        overrides((word,), {"toolz": ENTRY})
