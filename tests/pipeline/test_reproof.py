"""A record that claims more, or less, than its runs show is not proved, and the reason is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import load
from bebug.mutation.diffs import unified
from bebug.pipeline.reproof import Prover
from bebug.records import Case, Label
from bebug.seeds import open_workspace
from bebug.verification import Laboratory

SHIPPED = Path(__file__).parent.parent.parent / "generated" / "sl2"
CASES = {case.operator.removeprefix("authored/"): case for case in load(SHIPPED).cases}
SPARE = "tests/test_figures.py::test_the_mean_of_some_sales"


@pytest.fixture(scope="module")
def prover() -> Iterator[Prover]:
    with open_workspace("sl2") as workspace, Laboratory(workspace) as laboratory:
        yield Prover(laboratory)


def claiming(case: Case, **changes: Any) -> Case:
    return replace(case, evidence={**case.evidence, **changes})


def unlike(case: str, key: str, *, more: bool) -> Case:
    """The case with a test too many, or one too few, under *key*."""
    tests = list(CASES[case].evidence[key])
    return claiming(CASES[case], **{key: [*tests, SPARE] if more else tests[1:]})


@pytest.mark.parametrize("name", CASES)
def test_what_ships_is_proved(prover: Prover, name: str) -> None:
    assert prover.fault(CASES[name]) is None


FALSE = {
    "names a test that does not fail": (
        unlike("off-by-one", "fail_to_pass", more=True),
        "tests that do not fail",
    ),
    "leaves out a test that fails": (
        unlike("off-by-one", "fail_to_pass", more=False),
        "fail_to_pass does not name",
    ),
    "names no test": (claiming(CASES["off-by-one"], fail_to_pass=[]), "fail_to_pass is empty"),
    "says that a failing test passes": (
        claiming(CASES["off-by-one"], pass_to_pass=CASES["off-by-one"].evidence["fail_to_pass"]),
        "tests that do not pass",
    ),
    "calls a breaking change good": (
        replace(claiming(CASES["off-by-one"], proof="preserves"), label=Label.GOOD),
        "tests fail with the diff",
    ),
    "calls a harmless change bad": (
        replace(
            CASES["off-by-one"],
            diff=CASES["off-by-one"].diff.replace(
                b"+    for i in range(len(lines) + 1)", b"+    for i in range(0, len(lines))"
            ),
        ),
        "tests that do not fail",
    ),
    "says that another test noticed the fault": (
        unlike("assertion-free-test", "killed_by", more=True),
        "that the fault does not fail",
    ),
    "weakens nothing": (
        replace(
            CASES["assertion-free-test"],
            diff=CASES["assertion-free-test"].evidence["reference_diff"].encode(),
        ),
        "still noticed, by tests/test_basket.py::test_what_is_put_back_in_part",
    ),
    "deletes a test instead of its assertion": (
        replace(
            CASES["deleted-assertion"],
            diff=CASES["deleted-assertion"]
            .diff.replace(
                b" def test_change_is_given_in_few_coins", b"-def test_change_is_given_in_few_coins"
            )
            .replace(b"     coins = change(1000, 612)", b"-    coins = change(1000, 612)")
            .replace(b"+28,6", b"+28,4"),
        ),
        "tests are lost with the diff: tests/test_receipts.py::test_change",
    ),
    "cures nothing": (unlike("good-bugfix", "fail_to_pass", more=True), "tests that are not cured"),
    "has no base to mend": (replace(CASES["good-bugfix"], base_patch=b""), "diff: the diff does not apply"),
    "cures more than it says": (
        unlike("good-bugfix", "fail_to_pass", more=False),
        "fail_to_pass is empty",
    ),
    "adds a test of what was noticed before": (
        claiming(CASES["good-test"], fault=CASES["deleted-assertion"].evidence["fault"]),
        "the fault was noticed before",
    ),
    "has a proof of no known kind": (claiming(CASES["good-test"], proof="seems"), "'seems'"),
    "lacks its evidence": (
        replace(CASES["good-test"], evidence={"proof": "adds-detection"}),
        "not as the format says",
    ),
    "changes nothing": (replace(CASES["off-by-one"], diff=b""), "diff changes nothing"),
    "does not apply": (
        replace(CASES["off-by-one"], diff=CASES["off-by-one"].diff.replace(b" rows = []", b" rows = {}")),
        "diff: the diff does not apply",
    ),
}


@pytest.mark.parametrize("what", FALSE)
def test_a_record_is_not_proved_that(prover: Prover, what: str) -> None:
    case, why = FALSE[what]
    assert why in (prover.fault(case) or "it was proved")


def test_a_change_that_no_longer_imports_is_no_proof(prover: Prover) -> None:
    before = prover.bench.read("kiosk/receipts.py")
    diff = unified("kiosk/receipts.py", before, b"import nothing_of_that_name\n" + before)
    assert "adds collection errors" in (prover.fault(replace(CASES["off-by-one"], diff=diff)) or "")


def test_a_test_that_is_set_aside_counts_nowhere(prover: Prover) -> None:
    (killer, *_) = CASES["off-by-one"].evidence["fail_to_pass"]
    blind = Prover(prover.bench, [killer])
    assert "do not fail" in (blind.fault(CASES["off-by-one"]) or "")


def test_one_run_serves_every_case_on_the_same_tree(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, runs = Prover(prover.bench), []
    run = prover.bench.run
    monkeypatch.setattr(prover.bench, "run", lambda overlay: (runs.append(overlay), run(overlay))[1])
    for _ in range(2):
        assert fresh.fault(CASES["off-by-one"]) is None
        assert fresh.fault(CASES["good-bugfix"]) is None  # what it gives is the untouched seed
    assert len(runs) == 3
