"""What every operator and control must keep to, whatever it does: checked on any source that one likes."""

from __future__ import annotations

from bebug.mutation.diffs import spans, unified
from bebug.mutation.engine import Draft, Survey, mine, surveyed
from bebug.mutation.operator import Operator
from bebug.mutation.twin import difference, stretch
from bebug.records import Mutant


def check_operator(operator: Operator, path: str, raw: bytes, *, most: int | None = None) -> int:
    """Hold *operator* to its laws on the file *path* with the bytes *raw*; how many mutants were checked.

    *most*: check so many at most, spread evenly. Raises `AssertionError` with a diff; `Unreadable`.
    The laws: a mutant parses and compiles · it differs in syntax that bears meaning · it is the tree that the
    rule meant · the splice equals LibCST's own rendering of that tree · nothing outside its statement changes
    · mining twice gives the same in the same order · taking the edit back gives the file · keys are unique.
    """
    survey = surveyed(path, raw, [operator])
    mutants = [survey.mutant(draft) for draft in survey.drafts]
    again = mine(path, raw, [operator]).mutants
    assert tuple(mutants) == again, f"{operator.name} on {path}: mining twice gives different mutants"
    keys = {mutant.key for mutant in mutants}
    assert len(keys) == len(mutants), f"{operator.name} on {path}: two mutants share a key"
    every = max(1, len(mutants) // most) if most else 1
    chosen = list(zip(survey.drafts, mutants, strict=True))[::every][:most]
    for draft, mutant in chosen:
        broken = broken_law(survey, draft, mutant)
        shown = unified(path, raw, mutant.apply(raw)).decode("utf-8", "replace")
        assert not broken, f"{operator.name}/{draft.rule} on {path}: {broken}\n{shown}"
    return len(chosen)


def broken_law(survey: Survey, draft: Draft, mutant: Mutant) -> str:
    """Which law *mutant* breaks, in words; "" if none."""
    raw = survey.source.raw
    after = mutant.apply(raw)
    return (
        difference(survey, draft) or site_law(survey, draft, mutant, after) or revert_law(mutant, raw, after)
    )


def site_law(survey: Survey, draft: Draft, mutant: Mutant, after: bytes) -> str:
    """The edit lies within the statement that holds the node, its comments and the blank lines around it."""
    start, end = stretch(survey, draft)
    text, raw, (edit,) = survey.tree.text, survey.source.raw, mutant.edits
    if draft.edit.start < start or text[end : draft.edit.end].strip():
        return "the edit leaves the statement that holds its site"
    kept = len(raw) - (edit.end - edit.start)
    if len(after) != kept + len(edit.text) or not after.startswith(raw[: edit.start]):
        return "the edit changes bytes outside its range"
    first, last = survey.source.line(start), survey.source.line(max(start, end - 1))
    if not first <= mutant.site.start_line <= mutant.site.end_line <= max(last, mutant.site.start_line):
        return "the site names lines outside its statement"
    return ""


def revert_law(mutant: Mutant, raw: bytes, after: bytes) -> str:
    """Taking the edit back gives the file, to the byte."""
    (edit,) = mutant.edits
    back = after[: edit.start] + raw[edit.start : edit.end] + after[edit.start + len(edit.text) :]
    if back != raw:
        return "taking the edit back does not give the file"
    return "" if spans(raw, after) else "no line differs"
