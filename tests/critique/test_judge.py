"""Judging puts a verdict beside each label, and never turns silence into approval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields

import pytest

from bebug.critique.critics import coin
from bebug.critique.judge import judge
from bebug.errors import BebugError, CriticError, MachineError, UsageError
from bebug.records import Case, Change, Judgement, Label, Said, Verdict

Make = Callable[..., Case]


@dataclass
class Broken:
    """A critic that raises *error* on every change."""

    error: BaseException

    def review(self, change: Change) -> Verdict:
        raise self.error


@dataclass
class Spy:
    seen: list[object] = field(default_factory=list)

    def review(self, change: Change) -> Verdict:
        self.seen.append(change)
        return Verdict(said=Said.ABSTAIN, reason="only watching")


class Sloppy:
    def review(self, change: Change) -> str:
        return "PASS"


def test_each_case_gets_one_judgement_in_order_and_is_told_of(case: Make) -> None:
    told: list[Judgement] = []
    made = [case("a"), case("b", Label.GOOD)]
    judged = judge(Spy(), made, told.append)
    assert [(one.id, one.label, one.defect_class) for one in judged] == [
        ("a", Label.BAD, "off-by-one"),
        ("b", Label.GOOD, "none"),
    ]
    assert all(one.verdict == Verdict(said=Said.ABSTAIN, reason="only watching") for one in judged)
    assert told == list(judged)


def test_a_critic_is_shown_a_change_and_nothing_that_gives_the_label_away(case: Make) -> None:
    spy = Spy()
    judge(spy, [case("ledger-bad-off-by-one"), case("g", Label.GOOD)])
    assert [type(seen) for seen in spy.seen] == [Change, Change]
    assert {field.name for field in fields(Change)} == {"id", "title", "body", "diff"}
    assert "bad" not in repr(spy.seen[0])
    assert "off" not in repr(spy.seen[0])


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (CriticError("529 overloaded"), "529 overloaded"),
        (CriticError(""), "the critic gave no reason"),
        (ValueError("boom"), "the critic failed: ValueError: boom"),
        (RecursionError("deep"), "the critic failed: RecursionError: deep"),
    ],
)
def test_no_answer_is_invalid_with_its_reason_and_the_rest_goes_on(
    case: Make, error: Exception, reason: str
) -> None:
    judged = judge(Broken(error), [case("a"), case("b", Label.GOOD)])
    assert [one.verdict for one in judged] == [Verdict(said=Said.INVALID, reason=reason)] * 2


def test_an_answer_that_is_no_verdict_is_invalid(case: Make) -> None:
    (one,) = judge(Sloppy(), [case("a")])  # type: ignore[arg-type]
    assert one.verdict.said is Said.INVALID
    assert "'PASS', not with a verdict" in one.verdict.reason


@pytest.mark.parametrize("error", [MachineError("no ruff here"), UsageError("no key")])
def test_a_critic_that_cannot_work_at_all_ends_the_judging(case: Make, error: BebugError) -> None:
    with pytest.raises(type(error)):
        judge(Broken(error), [case("a")])


def test_an_interrupt_is_no_verdict(case: Make) -> None:
    with pytest.raises(KeyboardInterrupt):
        judge(Broken(KeyboardInterrupt()), [case("a")])


def test_the_order_of_cases_changes_no_verdict(case: Make) -> None:
    made = [case(str(n)) for n in range(50)]
    forward, backward = judge(coin.critic(""), made), judge(coin.critic(""), made[::-1])
    assert forward == backward[::-1]
