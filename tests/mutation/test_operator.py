"""An operator's own facts: name, docstring, rules; and the pages made of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import libcst as cst
import pytest

from bebug.errors import PluginError
from bebug.mutation.arid import ARID
from bebug.mutation.context import Context
from bebug.mutation.docs import page, section
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim
from bebug.registry import load

DOC = """Swapped words: one word
for another.

What it does: swaps
    two words.
Why it hides: they | look alike.
Seen in: prose.

A remark that is no part of it.
"""


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> Operator:
    module = ModuleType("outside.swapped_words", DOC)
    monkeypatch.setitem(sys.modules, "outside.swapped_words", module)
    made = Operator(
        "outside.swapped_words", claim=Claim.BREAKS, examples={"a | b": ["b | b"]}, untouched=["`"], version=3
    )

    @made.on(cst.BinaryOperation, cst.Comparison)
    def repeat_the_right(node: cst.BinaryOperation, context: Context) -> Iterator[Rewrite]:
        """The right word comes twice."""
        if isinstance(node, cst.BinaryOperation):
            yield node.left, node.right

    return made


def test_a_docstring_is_taken_apart(operator: Operator) -> None:
    assert operator.name == "swapped-words"
    assert operator.doc.title == "Swapped words"
    assert operator.doc.sentence == "one word for another."
    assert operator.doc.sections == {
        "What it does": "swaps two words.",
        "Why it hides": "they | look alike.",
        "Seen in": "prose.",
    }


@pytest.mark.parametrize("missing", ["What it does:", "Why it hides:", "Seen in:", "Swapped words:"])
def test_a_docstring_that_lacks_a_part_is_named(operator: Operator, missing: str) -> None:
    sys.modules[operator.module].__doc__ = DOC.replace(missing, "")
    with pytest.raises(PluginError, match=r"outside\.swapped_words"):
        assert operator.doc


def test_a_control_says_why_it_is_safe() -> None:
    for control in load("controls").values():
        assert list(control.doc.sections) == ["What it does", "Why it is safe"]


def test_an_operator_from_outside_mines_like_any_other(operator: Operator) -> None:
    (mutant,) = mine("x.py", b"a | b", [operator]).mutants
    assert mutant.apply(b"a | b") == b"b | b"
    assert mutant.operator_version == 3
    assert (mutant.site.operator, mutant.site.rule) == ("swapped-words", "repeat-the-right")


def test_a_raised_version_gives_other_ids(operator: Operator) -> None:
    (before,) = mine("x.py", b"a | b", [operator]).mutants
    operator.version = 4
    (after,) = mine("x.py", b"a | b", [operator]).mutants
    assert before.key != after.key


def test_a_section_shows_rules_and_table_and_escapes_what_a_table_cannot_hold(operator: Operator) -> None:
    text = section(operator)
    assert "## swapped-words" in text
    assert text.count("- `repeat-the-right`: The right word comes twice.") == 1
    assert "| `a \\| b` | `b \\| b` |" in text
    assert "Untouched: `` ` ``" in text


def test_the_page_has_every_operator_control_fault_and_arid_rule() -> None:
    text = page(load("operators"), load("controls"), load("faults"))
    for name in (*load("operators"), *load("controls")):
        assert f"\n## {name}\n" in text
    for name in load("faults"):
        assert f"\n| `{name}` | " in text
    for name in ARID:
        assert f"- `{name}`: " in text
    assert all(line == line.rstrip() for line in text.split("\n"))
