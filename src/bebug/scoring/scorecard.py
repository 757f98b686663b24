"""The scorecard: judgements in, the two headline rates and the rate of each class out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from bebug.records import Judgement, Label, Scorecard
from bebug.scoring.confusion import confusion
from bebug.scoring.intervals import score


def rate(judgements: Iterable[Judgement], *, backend: str, corpus: str) -> Scorecard:
    """The scores of the critic *backend* on *corpus*; the order of *judgements* does not matter.

    Rates are over the cases that the critic decided. An INVALID or ABSTAIN is neither pass nor fail: over
    all cases it would make a critic that answers nothing look like one that lets nothing through.
    """
    ordered = tuple(sorted(judgements, key=lambda judgement: judgement.id))
    counts = confusion(ordered)
    classes = defaultdict(list)
    for judgement in ordered:
        if judgement.label is Label.BAD:
            classes[judgement.defect_class].append(judgement)
    by_class = {name: confusion(members).bad for name, members in sorted(classes.items())}
    return Scorecard(
        backend=backend,
        corpus=corpus,
        judgements=ordered,
        false_pass=score(counts.bad.passed, counts.bad.answered),
        false_fail=score(counts.good.failed, counts.good.answered),
        by_class={name: score(row.passed, row.answered) for name, row in by_class.items()},
        invalid=counts.bad.invalid + counts.good.invalid,
    )
