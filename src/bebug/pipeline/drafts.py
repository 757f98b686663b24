"""Drafts: what a mutant becomes as a change, with the tree that it starts from, and its good twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from bebug.mutation.addition import Additions
from bebug.mutation.diffs import spans, unified
from bebug.mutation.operator import Operator
from bebug.pipeline.likewise import planted_likewise
from bebug.records import Claim, Mutant
from bebug.registry import load
from bebug.verification import Candidate, Laboratory, Planted, Weakening


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A diff, the diff that makes its base of the pristine seed, and the lines that it touches."""

    base_patch: bytes
    diff: bytes
    span: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One file in three states: pristine, as the change finds it (*base*), and as it leaves it (*after*).

    *undone*: the change goes the other way, from *after* back to the pristine file.
    """

    path: str
    pristine: bytes
    base: bytes
    after: bytes
    undone: bool = False

    @property
    def adds(self) -> bool:
        """Whether the change adds a test that its base lacks."""
        return self.base != self.pristine

    @property
    def patch(self) -> Patch:
        """The change itself."""
        return self.twin if self.undone else self._patch(b"", self.base, self.after)

    @property
    def twin(self) -> Patch:
        """The change that mends: it undoes this one, or adds the pristine test where this one adds a test."""
        if self.adds:
            return self._patch(b"", self.base, self.pristine)
        return self._patch(unified(self.path, self.base, self.after), self.after, self.pristine)

    def _patch(self, upon: bytes, old: bytes, new: bytes) -> Patch:
        first = unified(self.path, self.pristine, self.base) if self.adds else b""
        span = spans(old, new)[1]
        return Patch(
            base_patch=first + upon, diff=unified(self.path, old, new), span=(span.start_line, span.end_line)
        )


def drafted(laboratory: Laboratory, mutant: Mutant) -> Draft | None:
    """The draft that *mutant* makes; None where the seed cannot be had without the test that it adds."""
    path = mutant.site.path
    pristine = laboratory.read(path)
    base: bytes | None = pristine
    if mutant.claim is Claim.WEAKENS and load("operators")[mutant.site.operator].adds:
        base = _additions(path, pristine).base(mutant)
    if base is None:
        return None
    control = load("controls").get(mutant.site.operator)
    undone = control is not None and control.undone
    return Draft(path=path, pristine=pristine, base=base, after=mutant.apply(pristine), undone=undone)


@lru_cache(maxsize=8)
def _additions(path: str, raw: bytes) -> Additions:
    return Additions.of(path, raw)


def candidate(mutant: Mutant, draft: Draft, faults: Sequence[Operator]) -> Candidate | Weakening:
    """What an oracle examines of *draft*; *faults* are what a control must leave as noticeable as before."""
    site = mutant.site
    if mutant.claim is Claim.WEAKENS:
        return Weakening(
            path=site.path,
            original=draft.pristine,
            base=draft.base,
            after=draft.after,
            line=site.start_line,
        )
    return Candidate(
        path=site.path,
        before=draft.base,
        after=draft.after,
        lines=(site.start_line, site.end_line),
        faults=partial(rivals, draft, site.function, faults),
    )


def rivals(draft: Draft, function: str, faults: Sequence[Operator]) -> tuple[Planted, ...]:
    """Faults of *function* that the tree has before and after the change that *draft* is."""
    found = planted_likewise(draft.path, function, draft.base, draft.after, faults)
    if not draft.undone:
        return found
    return tuple(replace(each, before=each.after, after=each.before) for each in found)
