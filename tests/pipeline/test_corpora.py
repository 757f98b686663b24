"""Corpora merged, split and exported: nothing is lost on the way, and what cannot be joined is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import licences, load, whole
from bebug.corpus.codecs import sl2
from bebug.corpus.manifest import build, canary, seed_entry
from bebug.corpus.whole import Whole
from bebug.errors import CorpusError, UsageError
from bebug.laws.codecs import check_codec
from bebug.pipeline.exporting import export
from bebug.pipeline.merging import merge
from bebug.pipeline.splitting import split
from bebug.records import Baseline, Case, Label, Seed
from bebug.registry import load as open_set

DIFF = b"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
Write = Callable[..., Path]


def case(seed: str, number: int, label: Label = Label.BAD, **more: Any) -> Case:
    bad = label is Label.BAD
    made = Case(
        id=f"{seed}-{number:012x}",
        label=label,
        track="source" if bad else "control",
        defect_class="off-by-one" if bad else "none",
        operator="off-by-one/step" if bad else "good-bugfix/step",
        title="Change x.py",
        body="A small change.",
        description="what is wrong",
        seed={"name": seed, "version": "1", "source": "pypi", "sha256": f"sha of {seed}"},
        base_patch=b"",
        diff=DIFF,
        path="x.py",
        span={"start_line": 1, "end_line": 1},
        function="",
        twin=None,
        evidence={"proof": "tests" if bad else "fixes", "fail_to_pass": ["t.py::test_x"]},
    )
    return replace(made, **more)


def twins(seed: str, number: int) -> list[Case]:
    bad, good = case(seed, number), case(seed, number + 1, Label.GOOD)
    return [replace(bad, twin=good.id), replace(good, twin=bad.id)]


def entry(name: str, *, aside: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    seed = Seed(name=name, version="1", source="pypi", sha256=f"sha of {name}", licence="MIT")
    base = Baseline(
        green=("t.py::test_x",),
        set_aside=aside,
        order_dependent=(),
        collection_errors=(),
        collected=1,
        durations={},
        seconds=1.0,
    )
    return {**seed_entry(seed, base, python="3.11.7", packages=("pytest==9.2.0",)), **more}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a corpus of *cases* with a rejected row, a licence and an entry for each of its seeds."""

    def run(name: str, cases: list[Case], entries: list[dict[str, Any]] | None = None) -> Path:
        seeds = sorted({case.seed["name"] for case in cases})
        rejected = [{"id": f"{seed}-none", "seed": seed, "reason": "survived"} for seed in seeds]
        made = build(
            name=name,
            version="0",
            recipe={"seeds": seeds, "rng": 0},
            seeds=entries or [entry(seed) for seed in seeds],
            cases=cases,
            rejected=rejected,
        )
        texts = {seed: {"LICENSE": f"of {seed}\n".encode()} for seed in seeds}
        whole.write(Whole(manifest=made, cases=cases, rejected=rejected, licences=texts), tmp_path / name)
        return tmp_path / name

    return run


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def by_id(cases: Iterable[Case]) -> dict[str, Case]:
    return {case.id: case for case in cases}


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("ascii"))
    return found


# --------------------------------------------------------------------------------------------------- merge


def test_merging_is_the_same_to_the_byte_in_any_order_and_grouping(tmp_path: Path, write: Write) -> None:
    parts = [write(name, twins(name, 0)) for name in ("one", "two", "three")]
    first = tmp_path / "1" / "all"
    merge(parts, first)
    merge(parts[::-1], tmp_path / "2" / "all")
    merge([parts[1], parts[0]], tmp_path / "pair")
    merge([parts[2], tmp_path / "pair", parts[0]], tmp_path / "3" / "all")
    assert content(first) == content(tmp_path / "2" / "all") == content(tmp_path / "3" / "all")


def test_a_merged_corpus_holds_all_that_its_parts_held(tmp_path: Path, write: Write) -> None:
    one, two = write("one", twins("one", 0)), write("two", [case("two", 7)])
    merge([one, two], tmp_path / "all")
    found, head = load(tmp_path / "all"), manifest(tmp_path / "all")
    assert by_id(found.cases) == by_id([*load(one).cases, *load(two).cases])
    assert found.warnings == ()
    assert [seed["name"] for seed in head["seeds"]] == ["one", "two"]
    assert head["counts"]["label"] == {"bad": 2, "good": 1}
    assert head["rejections"] == {"survived": 2}
    assert head["canary"] == canary(head["corpus_rev"])
    told = {origin["canary"] for origin in head["recipe"]["merged"]}
    assert told == {manifest(one)["canary"], manifest(two)["canary"]}
    assert [origin["recipe"]["seeds"] for origin in head["recipe"]["merged"]] == [["one"], ["two"]]
    assert licences.read(tmp_path / "all") == {
        "one": {"LICENSE": b"of one\n"},
        "two": {"LICENSE": b"of two\n"},
    }


def test_a_case_of_both_is_written_once_and_one_that_differs_is_named(tmp_path: Path, write: Write) -> None:
    one, two = write("one", [case("s", 1), case("s", 2)]), write("two", [case("s", 2), case("s", 3)])
    assert len(merge([one, two], tmp_path / "all").cases) == 3
    other = write("other", [case("s", 2, description="something else")])
    with pytest.raises(CorpusError, match=r"s-000000000002 is in .*one and in .*other.*description differs"):
        merge([one, other], tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [({"sha256": "of another tree"}, "sha256"), ({"test_argv": ["-k", "x"]}, "test_argv")],
)
def test_a_seed_of_one_name_that_is_another_is_refused(
    tmp_path: Path, write: Write, change: dict[str, Any], named: str
) -> None:
    one = write("one", [case("s", 1)])
    two = write("two", [case("s", 2)], [entry("s", **change)])
    with pytest.raises(CorpusError, match=rf"the seed s of .*one and that of .*two differ in {named}"):
        merge([one, two], tmp_path / "all")


def test_a_test_set_aside_in_one_part_counts_nowhere_unless_it_carries_a_proof(
    tmp_path: Path, write: Write
) -> None:
    one = write("one", [case("s", 1)], [entry("s", aside=("t.py::test_flaky",))])
    two = write("two", [case("s", 2)], [entry("s", aside=("t.py::test_slow",))])
    merge([one, two], tmp_path / "all")
    assert manifest(tmp_path / "all")["seeds"][0]["set_aside"] == ["t.py::test_flaky", "t.py::test_slow"]
    spoilt = write("spoilt", [case("s", 3)], [entry("s", aside=("t.py::test_x",))])
    with pytest.raises(CorpusError, match=r"t\.py::test_x counts nowhere .* proof of s-000000000001"):
        merge([one, spoilt], tmp_path / "none")


def test_nothing_is_written_over_another_corpus(tmp_path: Path, write: Write) -> None:
    one, two = write("one", [case("one", 1)]), write("two", [case("two", 1)])
    before = content(two)
    with pytest.raises(CorpusError, match="is not empty"):
        merge([one, two], two)
    assert content(two) == before


def test_a_corpus_of_another_format_is_told_how_to_become_ours(tmp_path: Path, write: Write) -> None:
    one = write("one", [case("one", 1)])
    export(one, "sl2", tmp_path / "pairs")
    with pytest.raises(CorpusError, match=r"bebug export .*pairs --to native"):
        merge([one, tmp_path / "pairs"], tmp_path / "all")


# --------------------------------------------------------------------------------------------------- split


def test_no_seed_stands_on_both_sides_and_nothing_is_lost(tmp_path: Path, write: Write) -> None:
    cases = [case for n in range(6) for at in range(n + 1) for case in twins(f"s{n}", 2 * at)]
    source = write("source", cases)
    for rng in range(5):
        out = tmp_path / f"split-{rng}"
        split(source, out, ratio=0.7, rng=rng)
        train, test = load(out / "train"), load(out / "test")
        assert by_id([*train.cases, *test.cases]) == by_id(cases)
        sides = [{case.seed["name"] for case in part.cases} for part in (train, test)]
        assert not sides[0] & sides[1] and all(sides)
        assert train.warnings == test.warnings == ()
        assert 0.65 <= len(train.cases) / len(cases) <= 0.75
        for part, names in zip((out / "train", out / "test"), sides, strict=True):
            assert {seed["name"] for seed in manifest(part)["seeds"]} == names
            assert set(licences.read(part)) == names
            assert manifest(part)["recipe"]["split"]["of"]["canary"] == manifest(source)["canary"]
            assert manifest(part)["rejections"] == {"survived": len(names)}


def test_a_split_depends_on_the_number_alone(tmp_path: Path, write: Write) -> None:
    source = write("source", [case(f"s{n}", 1) for n in range(12)])
    for out, rng in (("a", 1), ("b", 1), ("c", 2)):
        split(source, tmp_path / out, rng=rng)
    assert content(tmp_path / "a") == content(tmp_path / "b") != content(tmp_path / "c")


def test_one_tree_under_two_names_stays_together(tmp_path: Path, write: Write) -> None:
    entries = [entry("one"), entry("two"), entry("twin", sha256="sha of one")]
    source = write("source", [case("one", 1), case("two", 1), case("twin", 1)], entries)
    for rng in range(8):
        parts = split(source, tmp_path / str(rng), ratio=0.5, rng=rng)
        sides = [{seed["name"] for seed in part.seeds} for part in parts.values()]
        assert {"one", "twin"} in sides and {"two"} in sides


def test_two_seeds_are_one_on_each_side_whatever_the_ratio(tmp_path: Path, write: Write) -> None:
    source = write("source", [case("one", 1), case("two", 1)])
    for ratio in (0.01, 0.5, 0.99):
        parts = split(source, tmp_path / str(ratio), ratio=ratio)
        assert [len(part.cases) for part in parts.values()] == [1, 1]


def test_one_seed_cannot_be_split(tmp_path: Path, write: Write) -> None:
    with pytest.raises(CorpusError, match="cases of one seed only"):
        split(write("source", twins("one", 0)), tmp_path / "out")
    with pytest.raises(UsageError, match="--ratio"):
        split(tmp_path / "source", tmp_path / "out", ratio=1.0)
    assert not (tmp_path / "out").exists()


def test_the_parts_of_a_split_merge_into_the_same_cases(tmp_path: Path, write: Write) -> None:
    source = write("source", [case(f"s{n}", 1) for n in range(5)])
    split(source, tmp_path / "out")
    merge([tmp_path / "out" / "test", tmp_path / "out" / "train"], tmp_path / "again")
    for name in ("cases.jsonl", "rejected.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (source / name).read_bytes()


# -------------------------------------------------------------------------------------------------- export


def test_an_export_says_what_it_cannot_hold_and_takes_the_licences_along(
    tmp_path: Path, write: Write
) -> None:
    source = write("source", twins("one", 0))
    found = export(source, "sl2", tmp_path / "pairs")
    assert (found.cases, found.source, found.target) == (2, "native", "sl2")
    assert "evidence" in found.loses and "diff" not in found.loses
    assert (tmp_path / "pairs" / "licences" / "one" / "LICENSE").read_bytes() == b"of one\n"
    kept = [(case.id, case.diff, case.label, case.defect_class) for case in load(source).cases]
    assert kept == [
        (case.id, case.diff, case.label, case.defect_class) for case in load(tmp_path / "pairs").cases
    ]


def test_every_codec_keeps_its_law_on_what_was_exported(tmp_path: Path, write: Write) -> None:
    source = write("source", twins("one", 0))
    for name, codec in open_set("codecs").items():
        (tmp_path / name).mkdir()
        check_codec(codec, load(source), tmp_path / name)


def test_pairs_with_wrong_hunk_counts_become_a_whole_corpus_and_are_told(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs"
    pairs.mkdir()
    head = {"id": "off_by_one", "label": "bad", "defect_class": "off_by_one", "description": "one too far"}
    (pairs / "off_by_one.json").write_text(json.dumps(head))
    (pairs / "off_by_one.diff").write_bytes(b"--- a/x.py\n+++ b/x.py\n@@ -1,9 +1,9 @@\n-a\n+b\n")
    found = export(pairs, "native", tmp_path / "ours")
    assert any("announces 9 old and 9 new lines" in warning for warning in found.warnings)
    corpus = load(tmp_path / "ours")
    assert [case.id for case in corpus.cases] == ["off_by_one"]
    assert corpus.manifest["counts"]["class"] == {"off-by-one": 1}
    assert whole.read(tmp_path / "ours").rejected == ()
    export(tmp_path / "ours", "sl2", tmp_path / "back")
    for name in ("off_by_one.json", "off_by_one.diff"):
        written, original = (tmp_path / "back" / name).read_bytes(), (pairs / name).read_bytes()
        assert (json.loads(written) == head) if name.endswith("json") else written == original


def test_a_manifest_may_name_the_files_and_the_ids_come_back(tmp_path: Path, write: Write) -> None:
    source = write("source", [case("one", 1), case("one", 2)])
    head = manifest(source)
    head["names"] = {"one-000000000001": "off_by_one"}
    (source / "manifest.json").write_text(json.dumps(head))
    export(source, "sl2", tmp_path / "pairs")
    assert sorted(path.stem for path in (tmp_path / "pairs").glob("*.diff")) == [
        "off_by_one",
        "one-000000000002",
    ]
    assert [case.id for case in sl2.read(tmp_path / "pairs").cases] == [
        "one-000000000001",
        "one-000000000002",
    ]


def test_there_is_nothing_to_export_to_the_same_format(tmp_path: Path, write: Write) -> None:
    with pytest.raises(UsageError, match="in the format native already"):
        export(write("source", [case("one", 1)]), "native", tmp_path / "out")
    with pytest.raises(UsageError, match="known: native, sl2"):
        export(tmp_path / "source", "sl3", tmp_path / "out")
