"""The shape of a critic: a change in, a verdict out."""

from __future__ import annotations

from typing import Protocol

from bebug.errors import UsageError
from bebug.records import Change, Verdict


class Critic(Protocol):
    """Whoever judges changes. The law `bebug.laws.critics.check_critic` holds for each.

    `review` returns one verdict or raises a `CriticError`; any other `BebugError` ends the whole judging
    (a missing tool, a missing key). It sees a `Change`, which holds neither label nor class.
    """

    def review(self, change: Change) -> Verdict: ...


def no_argument(name: str, argument: str) -> None:
    """Refuse the ARGUMENT of `--backend NAME:ARGUMENT` for a critic that takes none."""
    if argument:
        raise UsageError(f"the critic {name!r} takes no argument, but was given {argument!r}")
