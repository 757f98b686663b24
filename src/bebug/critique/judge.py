"""Judging: each case's change goes to the critic, and what it said is put beside the label."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bebug.critique.critic import Critic
from bebug.errors import BebugError, CriticError
from bebug.records import Case, Change, Judgement, Said, Verdict


def _quiet(judgement: Judgement) -> None:
    """Tell nobody."""


def judge(
    critic: Critic, cases: Iterable[Case], notify: Callable[[Judgement], None] = _quiet
) -> tuple[Judgement, ...]:
    """One judgement for each of *cases*, in their order; *notify* is told each as it comes.

    A critic that gives no usable answer on a change yields INVALID with the reason: never an approval, never
    the end of the run. Errors other than `CriticError` that say the critic cannot work at all are raised.
    """
    judgements = []
    for case in cases:
        verdict = ask(critic, case.change)
        judgement = Judgement(id=case.id, label=case.label, defect_class=case.defect_class, verdict=verdict)
        notify(judgement)
        judgements.append(judgement)
    return tuple(judgements)


def ask(critic: Critic, change: Change) -> Verdict:
    """What *critic* says of *change*; INVALID where it says nothing usable."""
    try:
        verdict: object = critic.review(change)
    except CriticError as error:
        return Verdict(said=Said.INVALID, reason=error.message or "the critic gave no reason")
    except BebugError:
        raise
    except Exception as error:  # a critic may be anyone's code: its bug costs one answer, not the run
        return Verdict(said=Said.INVALID, reason=f"the critic failed: {type(error).__name__}: {error}"[:500])
    if isinstance(verdict, Verdict) and verdict.said in list(Said):
        return verdict
    return Verdict(said=Said.INVALID, reason=f"the critic answered with {verdict!r:.200}, not with a verdict")
