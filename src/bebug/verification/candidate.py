"""Candidates: one file before and after a claimed change, as an oracle examines it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A fault that both versions of a file can have: those with it, and its lines in that before."""

    name: str
    lines: tuple[int, int]
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """*path* in the seed, its bytes before and after, and the first and last line concerned in `before`.

    *faults* gives faults of the function concerned, where one asks what tests notice in both versions.
    """

    path: str
    before: bytes
    after: bytes
    lines: tuple[int, int]
    faults: Callable[[], tuple[Planted, ...]] = tuple


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
