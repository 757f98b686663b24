"""Auditing and balancing: unsound cases are named, and labels that can be guessed are refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from bebug.cli import main
from bebug.corpus import load, whole
from bebug.corpus.manifest import build
from bebug.corpus.whole import Whole
from bebug.errors import Leaking, NothingFound, UnsoundCorpus
from bebug.pipeline.auditing import audit, unsound
from bebug.pipeline.balancing import balance
from bebug.pipeline.observer import Silent
from bebug.records import Case, Label

ROOT = Path(__file__).parent.parent.parent


def case(number: int, bad: bool, *, old: str, new: str, seed: str = "one") -> Case:
    diff = f"diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-{old}\n+{new}\n"
    proof = {"proof": "tests", "signature": {"exception": "E"}} if bad else {"proof": "fixes", "tier": "G1"}
    return Case(
        id=f"{seed}-{number:012x}",
        label=Label.BAD if bad else Label.GOOD,
        track="source" if bad else "control",
        defect_class="off-by-one" if bad else "none",
        operator="off-by-one/step" if bad else "good-bugfix/step",
        title="Change x.py",
        body="A small change.",
        description="what is wrong",
        seed={"name": seed, "version": "1", "source": "pypi", "sha256": f"sha of {seed}"},
        base_patch=b"",
        diff=diff.encode(),
        path="x.py",
        span={"start_line": 1, "end_line": 1},
        function=f"f{number}",
        twin=None,
        evidence={**proof, "fail_to_pass": [f"t.py::test_{number}"]},
    )


def pair(number: int, **more: str) -> list[Case]:
    bad, good = case(2 * number, True, **more), case(2 * number + 1, False, **more)
    return [replace(bad, twin=good.id), replace(good, twin=bad.id)]


def written(cases: Sequence[Case], folder: Path) -> Path:
    seeds = sorted({case.seed["name"] for case in cases})
    manifest = build(
        name="made",
        version="1",
        recipe={},
        seeds=[
            {"name": name, "version": "1", "source": "pypi", "sha256": f"sha of {name}"} for name in seeds
        ],
        cases=cases,
        rejected=(),
    )
    whole.write(Whole(manifest=manifest, cases=sorted(cases, key=lambda each: each.id)), folder)
    return folder


@pytest.mark.parametrize("name", ["example", "sl2"])
def test_the_corpora_that_come_along_are_sound(name: str) -> None:
    assert list(unsound(load(ROOT / "generated" / name).cases)) == []


FAULTY = {
    "has another title": lambda bad, good: [replace(bad, title="Fix it"), good],
    "has the same label": lambda bad, good: [bad, replace(good, label=Label.BAD, defect_class="off-by-one")],
    "is not in the corpus": lambda bad, good: [bad],
    "changes nothing": lambda bad, good: [replace(bad, diff=b""), good],
    "does not touch x.py": lambda bad, good: [replace(bad, diff=bad.diff.replace(b"x.py", b"y.py")), good],
    "lacks fail_to_pass": lambda bad, good: [replace(bad, evidence={"proof": "tests"}), good],
    "holds the word 'off-by-one'": lambda bad, good: [
        replace(bad, body="An off-by-one change."),
        replace(good, body="An off-by-one change."),
    ],
    "a bad case without a class": lambda bad, good: [replace(bad, defect_class="none"), good],
}


@pytest.mark.parametrize("why", FAULTY)
def test_what_is_wrong_with_a_case_is_named(why: str) -> None:
    found = [reason for _, reason in unsound(FAULTY[why](*pair(1, old="a < b", new="a <= b")))]
    assert any(why in reason for reason in found), found


def test_a_sound_pair_has_no_fault() -> None:
    assert list(unsound(pair(1, old="a < b", new="a <= b"))) == []


def leaking() -> list[Case]:
    """Cases of six seeds: half of the bad ones stretch a range, as no good one does."""
    cases = []
    for number in range(240):
        bad, seed = number % 2 == 0, f"seed{number % 6}"
        told = number % 4 == 0
        new = "range(n + 1)" if told else f"y{number % 5}"
        cases.append(case(number, bad, old="range(n)" if told else "y", new=new, seed=seed))
    return cases


def test_labels_that_can_be_guessed_are_refused_with_what_gives_them_away(tmp_path: Path) -> None:
    folder = written(leaking(), tmp_path / "made")
    found = audit(folder, observer=Silent())
    assert ("off-by-one", "tokens") in {(name, leak.shortcut) for name, leak in found.leaking}
    run = CliRunner().invoke(main, ["audit", str(folder)])
    assert run.exit_code == Leaking.exit_code and "LEAKS" in run.output and "bebug balance" in run.output
    assert CliRunner().invoke(main, ["audit", str(folder), "--allow-leaks"]).exit_code == 0
    assert CliRunner().invoke(main, ["audit", str(folder), "--no-shortcuts"]).exit_code == 0


def test_an_unsound_corpus_is_refused(tmp_path: Path) -> None:
    bad = case(1, True, old="a", new="b")
    folder = written([replace(bad, evidence={"proof": "tests"})], tmp_path / "made")
    run = CliRunner().invoke(main, ["audit", str(folder), "--no-shortcuts", "--json"])
    assert run.exit_code == UnsoundCorpus.exit_code and "lacks fail_to_pass" in run.output


def test_a_balanced_part_is_drawn_on_which_nothing_guesses(tmp_path: Path) -> None:
    folder = written(leaking(), tmp_path / "made")
    found = balance(folder, tmp_path / "part", observer=Silent())
    assert 0 < found.cases < found.before
    again = audit(tmp_path / "part", observer=Silent())
    assert not again.leaking and again.cases == found.cases
    assert all(leak.auc is not None for leak in again.leaks["off-by-one"])


def test_of_a_class_that_is_left_out_no_good_case_stays(tmp_path: Path) -> None:
    tests = []
    for number in range(1000, 1015):
        bad, good = pair(number, old="assert x", new="x", seed=f"seed{number % 6}")
        bad = replace(bad, track="test", defect_class="deleted-assertion")
        good = replace(good, diff=good.diff.replace(b"-assert x\n+x\n", b"-x\n+assert x\n"))
        fault = {"proof": "adds-detection", "fault": {"diff": ""}, "killed_by": ["t"], "tier": "G1"}
        tests += [bad, replace(good, evidence=fault)]
    folder = written([*leaking(), *tests], tmp_path / "made")
    found = balance(folder, tmp_path / "part", observer=Silent())
    left = load(tmp_path / "part").cases
    assert found.dropped == ["deleted-assertion"] and len(left) == found.cases
    assert {case.evidence["proof"] for case in left} == {"tests", "fixes"}


def test_balancing_is_the_same_each_time(tmp_path: Path) -> None:
    folder = written(leaking(), tmp_path / "made")
    for name in ("one", "two"):
        balance(folder, tmp_path / name / "part", observer=Silent())
    one, two = ((tmp_path / name / "part" / "cases.jsonl").read_bytes() for name in ("one", "two"))
    assert one == two


def test_nothing_to_balance_is_an_error(tmp_path: Path) -> None:
    folder = written(pair(1, old="a < b", new="a <= b"), tmp_path / "made")
    with pytest.raises(NothingFound):
        balance(folder, tmp_path / "part", observer=Silent())


def test_cases_that_the_same_tests_notice_in_one_function_are_told(tmp_path: Path) -> None:
    first, second = case(1, True, old="a", new="b"), case(2, True, old="a", new="c")
    second = replace(second, function=first.function, evidence=first.evidence)
    folder = written([first, second], tmp_path / "made")
    run = CliRunner().invoke(main, ["audit", str(folder), "--no-shortcuts", "--json"])
    assert json.loads(run.output)["near_duplicates"] == [[first.id, second.id]]
