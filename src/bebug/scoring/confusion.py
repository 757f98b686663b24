"""Confusion: how often each word fell on each label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from bebug.records import Judgement, Label, Said


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The verdicts on the cases of one label, by word."""

    passed: int
    failed: int
    abstained: int
    invalid: int

    @property
    def n(self) -> int:
        """All cases."""
        return self.answered + self.abstained + self.invalid

    @property
    def answered(self) -> int:
        """The cases that the critic decided: neither ABSTAIN nor INVALID."""
        return self.passed + self.failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    bad: Row
    good: Row


def confusion(judgements: Iterable[Judgement]) -> Confusion:
    """Count *judgements* by label and word."""
    counts = Counter((judgement.label, judgement.verdict.said) for judgement in judgements)
    return Confusion(bad=_row(counts, Label.BAD), good=_row(counts, Label.GOOD))


def false_pass(judgement: Judgement) -> bool:
    """A bad change that was approved."""
    return judgement.label is Label.BAD and judgement.verdict.said is Said.PASS


def false_fail(judgement: Judgement) -> bool:
    """A good change that was rejected."""
    return judgement.label is Label.GOOD and judgement.verdict.said is Said.FAIL


def _row(counts: Counter[tuple[Label, Said]], label: Label) -> Row:
    return Row(
        passed=counts[label, Said.PASS],
        failed=counts[label, Said.FAIL],
        abstained=counts[label, Said.ABSTAIN],
        invalid=counts[label, Said.INVALID],
    )
