"""A candidate: one file before and after a claimed change, as an oracle examines it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """*path* in the seed, its bytes before and after, and the first and last line concerned in `before`."""

    path: str
    before: bytes
    after: bytes
    lines: tuple[int, int]
