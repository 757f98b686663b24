"""JSON: SL-2's report at the top level, with intervals, classes and unanswered cases beside it."""

from __future__ import annotations

import json
from typing import Any

from bebug.records import Judgement, Said, Score, Scorecard
from bebug.scoring.confusion import Row, confusion, false_fail, false_pass

_DECIDED = (Said.PASS, Said.FAIL)


def report(scorecard: Scorecard) -> str:
    """*scorecard* as one JSON object; a rate that was not measured is null."""
    counts = confusion(scorecard.judgements)
    return json.dumps(
        {
            "backend": scorecard.backend,
            "n_cases": len(scorecard.judgements),
            "n_bad": counts.bad.n,
            "n_good": counts.good.n,
            "false_passes": scorecard.false_pass.hits,
            "false_pass_rate": scorecard.false_pass.value,
            "false_fails": scorecard.false_fail.hits,
            "false_fail_rate": scorecard.false_fail.value,
            "results": [_result(judgement) for judgement in scorecard.judgements],
            "corpus": scorecard.corpus,
            "intervals": {
                "false_pass_rate": _interval(scorecard.false_pass),
                "false_fail_rate": _interval(scorecard.false_fail),
            },
            "by_class": {name: _class(rate) for name, rate in scorecard.by_class.items()},
            "answered": {"bad": _answers(counts.bad), "good": _answers(counts.good)},
            "invalid": scorecard.invalid,
            "unanswered": [_unanswered(judgement) for judgement in _open(scorecard)],
        },
        indent=2,
    )


def _result(judgement: Judgement) -> dict[str, Any]:
    return {
        "id": judgement.id,
        "label": judgement.label.value,
        "defect_class": judgement.defect_class,
        "verdict": judgement.verdict.said.value,
        "false_pass": false_pass(judgement),
        "false_fail": false_fail(judgement),
    }


def _interval(rate: Score) -> dict[str, Any]:
    """Wilson's 95 % interval, and the number of decided cases under it."""
    return {"low": rate.low, "high": rate.high, "n": rate.n}


def _class(rate: Score) -> dict[str, Any]:
    return {"false_passes": rate.hits, "false_pass_rate": rate.value, **_interval(rate)}


def _answers(row: Row) -> dict[str, int]:
    return {"n": row.n, "decided": row.answered, "abstained": row.abstained, "invalid": row.invalid}


def _open(scorecard: Scorecard) -> list[Judgement]:
    return [judgement for judgement in scorecard.judgements if judgement.verdict.said not in _DECIDED]


def _unanswered(judgement: Judgement) -> dict[str, Any]:
    return {"id": judgement.id, "verdict": judgement.verdict.said.value, "reason": judgement.verdict.reason}
