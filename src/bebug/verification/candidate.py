"""Candidates: one file before and after a claimed change, as an oracle examines it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """*path* in the seed, its bytes before and after, and the first and last line concerned in `before`."""

    path: str
    before: bytes
    after: bytes
    lines: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """A test file whose test function is made to notice less.

    *original* is the pristine file, *line* where the function's `def` stands in it. The change turns *base*
    into *after*: for an edited test *base* is *original*, for an added one it lacks the test.
    """

    path: str
    original: bytes
    base: bytes
    after: bytes
    line: int

    @property
    def adds(self) -> bool:
        """Whether the change adds the test."""
        return self.base != self.original
