"""SL-2's six cases, written anew with wrong hunk counts, score 1/4 and 0/2 with mock."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bebug import registry
from bebug.corpus import load
from bebug.critique.judge import judge
from bebug.records import Scorecard
from bebug.scoring.scorecard import rate

SIX = {
    "off_by_one": (
        "shop/totals.py",
        "@@ -4,9 +4,9 @@ def total(prices):\n"
        " def total(prices):\n     result = 0\n"
        "-    for i in range(len(prices)):\n+    for i in range(len(prices) + 1):\n"
        "         result += prices[i]\n     return result\n",
    ),
    "dropped_null_check": (
        "shop/users.py",
        "@@ -10,6 +10,5 @@\n"
        " def greeting(user):\n-    if user is None:\n-        return 'Welcome'\n"
        "     return f'Hello {user.name}'\n",
    ),
    "assertion_free_test": (
        "tests/test_cart.py",
        "@@ -1,3 +1,12 @@\n from shop.cart import Cart\n \n+\n+def test_add():\n+    cart = Cart()\n"
        "+    cart.add('tea', 2)\n",
    ),
    "deleted_assertion": (
        "tests/test_totals.py",
        "@@ -3,8 +3,6 @@\n def test_total():\n     found = total([1, 2])\n-    assert found == 3\n",
    ),
    "good_bugfix": (
        "shop/stats.py",
        "@@ -1,2 +1,9 @@\n def mean(values):\n+    if not values:\n+        return 0.0\n"
        "     return sum(values) / len(values)\n",
    ),
    "good_test": (
        "tests/test_stats.py",
        "@@ -1,1 +1,9 @@\n from shop.stats import mean\n+\n+\n"
        "+def test_mean():\n+    assert mean([2, 4]) == 3\n",
    ),
}


@pytest.fixture
def six(tmp_path: Path) -> Path:
    for name, (path, hunk) in SIX.items():
        good = name.startswith("good")
        head = {
            "id": name,
            "label": "good" if good else "bad",
            "defect_class": "none" if good else name,
            "description": f"the case {name}",
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(head))
        (tmp_path / f"{name}.diff").write_text(f"--- a/{path}\n+++ b/{path}\n{hunk}")
    return tmp_path


def scored(folder: Path, backend: str) -> Scorecard:
    cases = load(folder).cases
    return rate(judge(registry.pick("critics", backend)(""), cases), backend=backend, corpus="six")


def test_each_wrong_hunk_count_is_a_warning_and_no_more(six: Path) -> None:
    corpus = load(six)
    assert len(corpus.cases) == 6
    assert sum("announces" in warning for warning in corpus.warnings) == 6
    assert sum("`diff --git`" in warning for warning in corpus.warnings) == 6


def test_mock_misses_off_by_one_alone(six: Path) -> None:
    card = scored(six, "mock")
    assert (card.false_pass.value, card.false_fail.value) == (0.25, 0.0)
    assert (card.false_pass.hits, card.false_pass.n) == (1, 4)
    assert (card.false_fail.hits, card.false_fail.n) == (0, 2)


def test_the_json_report_is_sl2s(six: Path) -> None:
    found = json.loads(registry.pick("reports", "json")(scored(six, "mock")))
    expected = {
        "backend": "mock",
        "n_cases": 6,
        "n_bad": 4,
        "n_good": 2,
        "false_passes": 1,
        "false_pass_rate": 0.25,
        "false_fails": 0,
        "false_fail_rate": 0.0,
    }
    assert {key: found[key] for key in expected} == expected
    assert [row["id"] for row in found["results"] if row["false_pass"]] == ["off_by_one"]
    assert not [row for row in found["results"] if row["false_fail"]]
    assert list(found["results"][0]) == ["id", "label", "defect_class", "verdict", "false_pass", "false_fail"]
    assert {row["id"]: row["verdict"] for row in found["results"]} == {
        "off_by_one": "PASS",
        "dropped_null_check": "FAIL",
        "assertion_free_test": "FAIL",
        "deleted_assertion": "FAIL",
        "good_bugfix": "PASS",
        "good_test": "PASS",
    }


@pytest.mark.parametrize(
    ("backend", "passes", "fails"), [("always-pass", 1.0, 0.0), ("always-fail", 0.0, 1.0)]
)
def test_the_sanity_critics_score_what_theory_says(
    six: Path, backend: str, passes: float, fails: float
) -> None:
    card = scored(six, backend)
    assert (card.false_pass.value, card.false_fail.value) == (passes, fails)
