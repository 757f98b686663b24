"""Every example in every operator's, control's and fault's own table, whoever drops a file in."""

from __future__ import annotations

import pytest

from bebug.mutation.docs import section
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.records import Claim
from bebug.registry import load

MEMBERS = {**load("operators"), **load("controls"), **load("faults")}
EXAMPLES = [
    pytest.param(operator, before, afters, id=f"{name}-{before!r}")
    for name, operator in MEMBERS.items()
    for before, afters in operator.examples.items()
]
UNTOUCHED = [
    pytest.param(operator, source, id=f"{name}-{source!r}")
    for name, operator in MEMBERS.items()
    for source in operator.untouched
]


@pytest.mark.parametrize(("operator", "before", "afters"), EXAMPLES)
def test_an_example_gives_exactly_what_its_table_says(
    operator: Operator, before: str, afters: list[str]
) -> None:
    mined = mine("example.py", before.encode(), [operator])
    assert [mutant.apply(before.encode()).decode() for mutant in mined.mutants] == list(afters)
    assert not mined.failed


@pytest.mark.parametrize(("operator", "source"), UNTOUCHED)
def test_what_a_table_calls_untouched_is_left_alone(operator: Operator, source: str) -> None:
    mined = mine("example.py", source.encode(), [operator])
    assert [mutant.note for mutant in mined.mutants] == []
    assert not mined.failed


@pytest.mark.parametrize("name", MEMBERS)
def test_a_table_is_there_and_every_rule_appears_in_it(name: str) -> None:
    operator = MEMBERS[name]
    assert operator.name == name
    assert operator.untouched, "say what is left alone, too"
    fired = {
        mutant.site.rule
        for before in operator.examples
        for mutant in mine("example.py", before.encode(), [operator]).mutants
    }
    assert fired == {rule.name for rule in operator.rules}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_docstring_holds_all_its_parts_and_every_rule_says_what_it_does(name: str) -> None:
    operator = MEMBERS[name]
    assert operator.doc.sentence.endswith(".")
    assert all(operator.doc.sections.values())
    assert all(rule.sentence for rule in operator.rules)
    assert f"## {name}" in section(operator)


def test_operators_claim_to_break_and_controls_to_preserve() -> None:
    assert {operator.claim for operator in load("operators").values()} == {Claim.BREAKS, Claim.WEAKENS}
    assert {fault.claim for fault in load("faults").values()} == {Claim.BREAKS}
    assert {control.claim for control in load("controls").values()} == {Claim.PRESERVES}
