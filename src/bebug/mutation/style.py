"""How a file is written where the language leaves a choice, for what is spliced in to look like the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import libcst as cst

from bebug.mutation.context import Context

SUBSCRIPTS = (cst.Index, cst.Slice)
SIMPLE = (cst.Name, cst.BaseNumber, cst.BaseString)
BLANK, NONE = cst.SimpleWhitespace(" "), cst.SimpleWhitespace("")


@dataclass(frozen=True, slots=True)
class Style:
    """*tight*: sums are written `n+1`; *tight_index*: they are in subscripts; *black*: slices are spaced as
    black and ruff do it, `xs[i + 1 : n]` but `xs[i:n]`."""

    tight: bool
    tight_index: bool
    black: bool


@lru_cache(maxsize=1)
def style(context: Context) -> Style:
    """The style of the file of *context*: what most of it does; where no slice tells, its quotes do."""
    sums: Counter[tuple[bool, bool]] = Counter()  # (in a subscript, tight)
    slices: Counter[bool] = Counter()
    quotes: Counter[str] = Counter()
    for node in context.within(context.module):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add | cst.Subtract):
            inside = any(isinstance(each, SUBSCRIPTS) for each in context.ancestors(node))
            sums[inside, is_tight(node.operator)] += 1
        elif isinstance(node, cst.Slice) and is_complex(node):
            slices[any(each != NONE.value for each in blanks(node))] += 1
        elif isinstance(node, cst.SimpleString) and '"' not in node.raw_value:
            quotes[node.quote[0]] += 1
    tight = sums[False, True] + sums[True, True] > sums[False, False] + sums[True, False]
    told = sums[True, True] + sums[True, False]
    tight_index = sums[True, True] > sums[True, False] if told else tight
    open_slices = slices[True] >= slices[False] if slices else bool(quotes['"']) and not quotes["'"]
    return Style(tight=tight, tight_index=tight_index, black=open_slices and not tight_index)


def is_tight(operator: cst.Add | cst.Subtract) -> bool:
    return operator.whitespace_before.empty and operator.whitespace_after.empty


def is_complex(node: cst.Slice) -> bool:
    """Whether a bound of *node* is more than a name, a literal or a sign before one, as black sees it."""
    return any(each is not None and not is_simple(each) for each in (node.lower, node.upper, node.step))


def is_simple(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
        node = node.expression
    return isinstance(node, SIMPLE)


def blanks(node: cst.Slice) -> Iterator[str]:
    """What stands between a bound of *node* and the colon beside it."""
    colon = node.first_colon
    for bound, blank in ((node.lower, colon.whitespace_before), (node.upper, colon.whitespace_after)):
        if bound is not None and isinstance(blank, cst.SimpleWhitespace):
            yield blank.value


def spaced(node: cst.Slice) -> cst.Slice:
    """*node* with blanks around its colons as black puts them."""
    around = BLANK if is_complex(node) else NONE
    before, between, behind = (around if each else NONE for each in (node.lower, node.upper, node.step))
    changed = node.with_changes(
        first_colon=node.first_colon.with_changes(whitespace_before=before, whitespace_after=between)
    )
    if not isinstance(node.second_colon, cst.Colon):
        return changed
    second = node.second_colon.with_changes(whitespace_before=between, whitespace_after=behind)
    return changed.with_changes(second_colon=second)
