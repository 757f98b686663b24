"""What any runner offers: one run of a seed's tests over changed files, its outcome a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bebug.records import Files, Run


class Runner(Protocol):
    """Runs tests; `jobs` threads may call it at once."""

    def run(
        self,
        overlay: Files,
        *,
        tests: Sequence[str] | None = None,
        stop_at_first: bool = False,
        shuffle: int | None = None,
        contexts: bool = False,
    ) -> Run:
        """Run the suite, or exactly *tests*, over the pristine tree with *overlay* laid over it.

        *stop_at_first* ends the run at the first failing test. *shuffle* draws another order from that
        number. *contexts* records which test reaches which line.
        """
        ...
