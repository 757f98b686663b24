"""The commands for corpora as a user gives them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bebug.cli import main
from bebug.corpus.reading import load

ROOT = Path(__file__).parent.parent.parent
SL2, EXAMPLE = ROOT / "generated" / "sl2", ROOT / "generated" / "example"


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def off_by_one() -> str:
    lines = (SL2 / "cases.jsonl").read_text("ascii").split("\n")
    return next(row["id"] for row in map(json.loads, lines[:-1]) if row["defect_class"] == "off-by-one")


def test_replay_prints_a_table_and_ends_with_0_where_all_is_proved() -> None:
    result = run("replay", SL2, "--case", off_by_one())
    assert result.exit_code == 0, result.output
    assert "1 of 1 labels proved again (6 in the corpus)" in result.stdout
    assert "off-by-one       1      1" in result.stdout


def test_replay_ends_with_17_where_a_label_is_not_proved(tmp_path: Path) -> None:
    corpus = shutil.copytree(SL2, tmp_path / "sl2")
    text = (corpus / "cases.jsonl").read_text("ascii")
    assert text.count("range(len(lines) + 1)") == 2  # in the diff and in the description
    (corpus / "cases.jsonl").write_text(text.replace("range(len(lines) + 1)", "range(0, len(lines))"))
    result = run("replay", corpus, "--case", off_by_one())
    assert result.exit_code == 17
    assert f"NOT PROVED {off_by_one()} bad" in result.stdout
    assert "1 of 1 labels were not proved again" in result.stderr
    told = run("replay", corpus, "--case", off_by_one(), "--json")
    found = json.loads(told.stdout)
    assert (told.exit_code, found["tried"], found["proved"]) == (17, 1, 0)
    assert "do not fail" in found["results"][0]["why"]


def test_replay_draws_a_sample_of_a_corpus_that_mutate_made() -> None:
    found = json.loads(run("replay", EXAMPLE, "--sample", "4", "--json").stdout)
    cases = len(load(EXAMPLE).cases)
    assert (found["cases"], found["tried"], found["proved"]) == (cases, 4, 4)
    assert [row["tried"] for row in found["table"]].count(1) == 4  # four kinds, one of each


def test_merge_split_and_export_say_what_they_wrote(tmp_path: Path) -> None:
    merged, parts, pairs = tmp_path / "all", tmp_path / "parts", tmp_path / "pairs"
    result = run("merge", EXAMPLE, SL2, "--out", merged)
    assert result.exit_code == 0, result.output
    ours = len(load(EXAMPLE).cases)
    assert f"{ours + 6} cases" in result.stdout and f"of 2 seeds: {merged}" in result.stdout
    rows = json.loads(run("split", merged, "--out", parts, "--json").stdout)
    assert [(row["part"], row["cases"], row["seeds"]) for row in rows] == [
        ("train", ours, ["ledger"]),
        ("test", 6, ["sl2"]),
    ]
    result = run("export", parts / "test", "--to", "sl2", "--out", pairs)
    assert "sl2 cannot hold: track, operator" in result.stdout
    assert sorted(path.name for path in pairs.glob("*.diff")) == sorted(
        path.name for path in SL2.glob("*.diff")
    )
    for folder in (parts / "test", pairs, SL2):
        report = json.loads(run("score", folder, "--backend", "mock", "--json").stdout)
        assert (report["false_pass_rate"], report["false_fail_rate"]) == (0.25, 0.0)


WRONG: list[tuple[Sequence[str | Path], int, str]] = [
    (["replay", "not-there"], 12, "not-there"),
    (["replay", SL2, "--case", "sl3"], 2, "sl3"),
    (["replay", SL2, "--seed", "other=."], 2, "sl2"),
    (["merge", SL2, "not-there", "--out", "out"], 12, "not-there"),
    (["split", SL2, "--out", "out"], 12, "one seed"),
    (["split", SL2, "--out", "out", "--ratio", "2"], 2, "--ratio"),
    (["export", SL2, "--to", "nothing", "--out", "out"], 2, "sl2"),
    (["export", SL2, "--to", "sl2", "--out", "."], 12, "is not empty"),
]


@pytest.mark.parametrize(("words", "code", "named"), WRONG)
def test_what_is_wrong_is_told_in_a_line_that_names_it(
    words: Sequence[str | Path], code: int, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("")
    result = run(*words)
    assert result.exit_code == code, result.output
    assert named in result.stderr
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
