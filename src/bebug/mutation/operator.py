"""An operator: one kind of change, the claim it makes, and the rules that find places for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import TypeAlias, TypeVar

import libcst as cst

from bebug.errors import PluginError
from bebug.mutation.context import Context
from bebug.records import Claim

Node = TypeVar("Node", bound=cst.CSTNode)
Replacement: TypeAlias = "cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]"
Rewrite: TypeAlias = "tuple[cst.CSTNode, Replacement]"
"""What stands in the file, and what comes in its place: a node; for a statement also `cst.RemoveFromParent()`
or `cst.FlattenSentinel([...])`, several statements instead of one."""
Rule: TypeAlias = Callable[[Node, Context], Iterator[Rewrite]]

SECTIONS = {
    Claim.BREAKS: ("What it does", "Why it hides", "Seen in"),
    Claim.PRESERVES: ("What it does", "Why it is safe"),
    Claim.WEAKENS: ("What it does", "Why it hides", "Seen in"),
}


@dataclass(frozen=True, slots=True)
class Doc:
    """An operator's docstring, taken apart: "Title: sentence.", then its named sections."""

    title: str
    sentence: str
    sections: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NamedRule:
    name: str  # kebab-case
    kind: type[cst.CSTNode]
    sentence: str  # its docstring's first line, "" without one
    find: Callable[[cst.CSTNode, Context], Iterator[Rewrite]]


@dataclass(eq=False, repr=False)
class Operator:
    """One fault class (or, as a control, one safe change), made in the file that it is named after.

    *examples* give for a source all that this operator alone makes of it, in source order; *untouched* are
    sources that it makes nothing of. Both are tests and documentation. Raise *version* when the same source
    no longer gives the same mutants: it is part of every id. One that *adds* makes of a test what a change
    would add: that change starts from a tree without the test. One that is *undone* makes the tree that the
    change starts from: the change takes away what it adds.
    """

    module: str
    claim: Claim
    examples: Mapping[str, Sequence[str]]
    untouched: Sequence[str] = ()
    version: int = field(default=1, kw_only=True)
    adds: bool = field(default=False, kw_only=True)
    undone: bool = field(default=False, kw_only=True)
    rules: list[NamedRule] = field(default_factory=list, init=False)

    def __repr__(self) -> str:
        return f"<{self.claim} {self.name}>"

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2].replace("_", "-")

    @property
    def doc(self) -> Doc:
        """The docstring of the operator's file. Raises `PluginError` where a part of it is missing."""
        text = cleandoc(sys.modules[self.module].__doc__ or "")
        head, _, rest = text.partition("\n\n")
        title, colon, sentence = " ".join(head.split()).partition(": ")
        sections = _sections(rest, SECTIONS[self.claim])
        if not colon or len(sections) != len(SECTIONS[self.claim]):
            wanted = "".join(f", `{each}:`" for each in SECTIONS[self.claim])
            raise PluginError(f"the docstring of {self.module} must hold `Name: sentence.`{wanted}")
        return Doc(title, sentence, sections)

    def on(self, *kinds: type[Node]) -> Callable[[Rule[Node]], Rule[Node]]:
        """Register the decorated generator for every node of these *kinds*."""

        def register(rule: Rule[Node]) -> Rule[Node]:
            name = getattr(rule, "__name__", "rule").replace("_", "-")
            sentence = (cleandoc(rule.__doc__ or "").splitlines() or [""])[0]
            for kind in kinds:
                self.rules.append(NamedRule(name, kind, sentence, rule))  # type: ignore[arg-type]
            return rule

        return register


def _sections(text: str, names: Sequence[str]) -> dict[str, str]:
    """The parts of *text* whose first line starts with `NAME:`; what follows a blank line is remarks."""
    found: dict[str, str] = {}
    current = ""
    for line in text.splitlines():
        name, colon, rest = line.partition(":")
        if colon and name in names:
            current, found[name] = name, rest.strip()
        elif current and line.strip():
            found[current] += " " + line.strip()
        elif not line.strip():
            current = ""
    return found
