"""Coin: rejects a change with a fixed probability, whatever it says; the floor that a critic must beat."""

from __future__ import annotations

from dataclasses import dataclass

from bebug.critique.critic import Critic
from bebug.errors import UsageError
from bebug.records import Change, Said, Verdict, digest


@dataclass(frozen=True, slots=True)
class _Coin:
    chance: float

    def review(self, change: Change) -> Verdict:
        """Thrown by the change's id, so that the same change gives the same verdict in any order."""
        thrown = int(digest("coin", change.id)[:12], 16) / 16**12
        return Verdict(said=Said.FAIL if thrown < self.chance else Said.PASS)


def critic(argument: str) -> Critic:
    """The critic of `--backend coin:P`: FAIL with probability P, a half if none is given."""
    try:
        chance = float(argument or 0.5)
    except ValueError:
        chance = -1.0
    if not 0 <= chance <= 1:
        raise UsageError(f"the critic 'coin' takes a probability from 0 to 1, not {argument!r}")
    return _Coin(chance)
