"""Always fail: rejects all; its false-pass rate is 0 and its false-fail rate 1, or the scorer is broken."""

from __future__ import annotations

from bebug.critique.critic import Critic, no_argument
from bebug.records import Change, Said, Verdict


class _AlwaysFail:
    def review(self, change: Change) -> Verdict:
        return Verdict(said=Said.FAIL)


def critic(argument: str) -> Critic:
    """The critic of `--backend always-fail`."""
    no_argument("always-fail", argument)
    return _AlwaysFail()
