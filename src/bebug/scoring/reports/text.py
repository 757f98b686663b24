"""Text: the headline rates, a line for each class, and every verdict that was wrong."""

from __future__ import annotations

from collections.abc import Iterator

from bebug.records import Judgement, Said, Score, Scorecard
from bebug.scoring.confusion import Row, confusion, false_fail, false_pass


def report(scorecard: Scorecard) -> str:
    """*scorecard* as lines of plain text."""
    return "\n".join(_lines(scorecard))


def _lines(scorecard: Scorecard) -> Iterator[str]:
    counts = confusion(scorecard.judgements)
    named = f"{_printable(scorecard.backend)} on {_printable(scorecard.corpus)}"
    yield f"{named}: {len(scorecard.judgements)} cases"
    yield ""
    yield _headline("false pass", scorecard.false_pass, "bad cases passed", counts.bad)
    yield _headline("false fail", scorecard.false_fail, "good cases failed", counts.good)
    if scorecard.by_class:
        yield from _classes(scorecard)
    yield from _listed("Passed, but bad:", [j for j in scorecard.judgements if false_pass(j)])
    yield from _listed("Failed, but good:", [j for j in scorecard.judgements if false_fail(j)])
    yield from _unanswered(scorecard)
    yield ""
    yield "Rates are of the cases decided; intervals are Wilson's at 95 %, the cases taken as independent."


def _headline(name: str, rate: Score, what: str, row: Row) -> str:
    text = f"{name}  {_rate(rate)}  ({rate.hits} of {rate.n} {what}"
    if row.abstained or row.invalid:
        text += f"; {row.n} in all, {row.invalid} INVALID, {row.abstained} ABSTAIN"
    return text + ")"


def _classes(scorecard: Scorecard) -> Iterator[str]:
    names = {name: _printable(name) for name in scorecard.by_class}
    width = max(len("class"), *map(len, names.values()))
    yield ""
    yield f"{'class':{width}}  {'passed':>7}  {'of':>5}  false pass"
    for name, rate in scorecard.by_class.items():
        yield f"{names[name]:{width}}  {rate.hits:7}  {rate.n:5}  {_rate(rate)}"


def _listed(heading: str, judgements: list[Judgement]) -> Iterator[str]:
    if judgements:
        yield ""
        yield heading
        for judgement in judgements:
            yield f"  {_printable(judgement.id)}  {_printable(judgement.defect_class)}"


def _unanswered(scorecard: Scorecard) -> Iterator[str]:
    undecided = [j for j in scorecard.judgements if j.verdict.said in (Said.INVALID, Said.ABSTAIN)]
    if undecided:
        yield ""
        yield "Not decided:"
        for judgement in undecided:
            verdict = judgement.verdict
            yield f"  {_printable(judgement.id)}  {verdict.said}  {_printable(verdict.reason)}".rstrip()


def _rate(rate: Score) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "not measured"
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def _printable(text: str) -> str:
    """*text* without control characters, which a foreign corpus could use to rewrite the screen."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
