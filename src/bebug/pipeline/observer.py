"""Who hears how far the work is: the pipeline tells, the command line shows."""

from __future__ import annotations

from typing import Protocol


class Observer(Protocol):
    """Told of progress. Every method may be called from any thread."""

    def note(self, text: str) -> None:
        """Something the user should know, in a line."""

    def stage(self, name: str, total: int | None) -> None:
        """A new stage begins, of *total* steps (None: unknown). *name* may end in a remark in parentheses."""

    def step(self, word: str) -> None:
        """One step of the stage is done, and *word* is how it ended."""


class Silent:
    """The observer that nobody watches."""

    def note(self, text: str) -> None: ...

    def stage(self, name: str, total: int | None) -> None: ...

    def step(self, word: str) -> None: ...
