"""A test as something that a change adds: the tree without it, from which such a change starts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from bebug.mutation.engine import Survey, surveyed
from bebug.mutation.splice import splice
from bebug.mutation.stripping import is_filler
from bebug.records import Mutant

BLANK_END = re.compile(rb"(\r\n|\r|\n)(?:[ \t\f]*(?:\r\n|\r|\n))+\Z")
"""The blank lines at the end of a file."""


@dataclass(frozen=True, kw_only=True)
class Additions:
    """The test functions of one file, each of which a change might have added."""

    raw: bytes
    survey: Survey
    functions: Mapping[tuple[int, str], cst.FunctionDef]  # by line of the `def` and dotted name

    @classmethod
    def of(cls, path: str, raw: bytes) -> Additions:
        """Read the file *path* with the bytes *raw*. Raises `Unreadable`."""
        survey = surveyed(path, raw, ())
        found = {
            (survey.source.line(survey.tree.places[node].inner_start), survey.context.function(node)): node
            for node in survey.tree.order
            if isinstance(node, cst.FunctionDef)
        }
        return cls(raw=raw, survey=survey, functions=found)

    def base(self, mutant: Mutant) -> bytes | None:
        """The file without the test that *mutant* rewrites; None where another one takes its name then.

        Its decorators and the comments above it go too, and so does a class that holds nothing else. A file
        does not end in the blank lines that stood above its last test.
        """
        site = mutant.site
        function = self.functions.get((site.start_line, site.function))
        if function is None or self._has_namesake(function):
            return None
        node: cst.CSTNode = function
        while (around := self._emptied_class(node)) is not None:
            node = around
        edit = splice(self.survey.tree, node, cst.RemoveFromParent())
        start, end = self.survey.source.span(edit.start, edit.end)
        head = self.raw[:start] + self.survey.source.encode(edit.text)
        tail = self.raw[end:]
        return head + tail if tail.strip() else BLANK_END.sub(rb"\1", head)

    def _has_namesake(self, function: cst.FunctionDef) -> bool:
        """Whether its block defines the name twice: without one definition, the other would wake."""
        name = self.survey.context.function(function)
        return sum(dotted == name for _, dotted in self.functions) > 1

    def _emptied_class(self, node: cst.CSTNode) -> cst.ClassDef | None:
        """The class around *node* that would be left with nothing to do."""
        block = self.survey.tree.parent(node)
        around = self.survey.tree.parent(block) if block is not None else None
        if not isinstance(block, cst.IndentedBlock) or not isinstance(around, cst.ClassDef):
            return None
        return around if all(each is node or is_filler(each) for each in block.body) else None
