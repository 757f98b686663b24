"""Reports say the same as the scorecard, in words and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bebug import registry
from bebug.records import Judgement
from bebug.scoring.scorecard import rate

Make = Callable[..., list[Judgement]]


def text(judgements: list[Judgement], backend: str = "mock") -> str:
    return str(registry.pick("reports", "text")(rate(judgements, backend=backend, corpus="toy")))


def parsed(judgements: list[Judgement]) -> Any:
    return json.loads(registry.pick("reports", "json")(rate(judgements, backend="mock", corpus="toy")))


MIXED = ("bad:PASS", "bad:FAIL", "bad:FAIL", "bad:FAIL:dropped-null-check", "good:FAIL", "good:PASS")


def test_the_text_gives_rates_with_interval_and_n_classes_and_each_wrong_verdict(judged: Make) -> None:
    assert text(judged(*MIXED)).split("\n") == [
        "mock on toy: 6 cases",
        "",
        "false pass  25.0% (4.6% to 69.9%)  (1 of 4 bad cases passed)",
        "false fail  50.0% (9.5% to 90.5%)  (1 of 2 good cases failed)",
        "",
        "class                passed     of  false pass",
        "dropped-null-check        0      1  0.0% (0.0% to 79.3%)",
        "off-by-one                1      3  33.3% (6.1% to 79.2%)",
        "",
        "Passed, but bad:",
        "  c0  off-by-one",
        "",
        "Failed, but good:",
        "  c4  none",
        "",
        "Rates are of the cases decided; intervals are Wilson's at 95 %, the cases taken as independent.",
    ]


def test_what_was_not_measured_is_said_and_never_zero(judged: Make) -> None:
    found = text(judged("bad:FAIL"))
    assert "false fail  not measured  (0 of 0 good cases failed)" in found
    data = parsed(judged("bad:FAIL"))
    assert data["false_fail_rate"] is None
    assert data["intervals"]["false_fail_rate"] == {"low": None, "high": None, "n": 0}


def test_undecided_cases_are_counted_apart_with_their_reasons(judged: Make) -> None:
    made = judged("bad:FAIL", "bad:INVALID", "good:ABSTAIN", "good:PASS")
    found = text(made)
    assert "(0 of 1 bad cases passed; 2 in all, 1 INVALID, 0 ABSTAIN)" in found
    assert "(0 of 1 good cases failed; 2 in all, 0 INVALID, 1 ABSTAIN)" in found
    assert "Not decided:\n  c1  INVALID  because 1\n  c2  ABSTAIN  because 2" in found
    data = parsed(made)
    assert data["invalid"] == 1
    assert data["answered"]["bad"] == {"n": 2, "decided": 1, "abstained": 0, "invalid": 1}
    assert data["unanswered"] == [
        {"id": "c1", "verdict": "INVALID", "reason": "because 1"},
        {"id": "c2", "verdict": "ABSTAIN", "reason": "because 2"},
    ]
    assert (data["n_cases"], data["n_bad"], data["n_good"]) == (4, 2, 2)


def test_the_json_has_sl2s_keys_first_and_ours_after(judged: Make) -> None:
    data = parsed(judged(*MIXED))
    assert list(data)[:9] == [
        *("backend", "n_cases", "n_bad", "n_good", "false_passes", "false_pass_rate", "false_fails"),
        *("false_fail_rate", "results"),
    ]
    assert (data["false_passes"], data["false_pass_rate"]) == (1, 0.25)
    assert (data["false_fails"], data["false_fail_rate"]) == (1, 0.5)
    assert data["results"][0] == {
        "id": "c0",
        "label": "bad",
        "defect_class": "off-by-one",
        "verdict": "PASS",
        "false_pass": True,
        "false_fail": False,
    }
    assert data["results"][4]["false_fail"] is True
    assert data["by_class"]["off-by-one"]["false_passes"] == 1
    assert data["by_class"]["off-by-one"]["n"] == 3
    assert data["intervals"]["false_pass_rate"]["high"] == pytest.approx(0.6993581574175982)


def test_text_of_a_foreign_corpus_cannot_write_to_the_terminal(judged: Make) -> None:
    (made,) = judged("bad:PASS")
    hostile = replace(made, id="\x1b[2Jx\ny", defect_class="\u202ex")
    found = text([hostile], backend="b\x07")
    assert all(line.isprintable() for line in found.split("\n"))
    assert r"\x1b[2Jx\ny" in found


def test_a_report_of_nothing_is_still_a_report() -> None:
    assert "not measured" in text([])
    assert parsed([])["results"] == []
