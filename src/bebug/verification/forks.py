"""What forks of collected sessions say of changes: many are asked about at once, and the answers kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from bebug.records import Files, digest
from bebug.verification.cold import Shot
from bebug.verification.events import Hit

HOT = "hot"
COLD = "cold"  # of a hit: a fork cannot tell
SAMPLE = 8  # one of so many changes that forks alone would settle is looked at again


class Forks:
    """Answers by the key of a shot. *fire* runs shots in one session; see `ColdRunner.shoot`."""

    def __init__(self, fire: Callable[[Sequence[Shot]], Mapping[str, Hit]]) -> None:
        self._fire = fire
        self._hits: dict[str, Hit] = {}
        self.doubted = ""
        """Why forks settle nothing here; "" while they may."""

    def ask(self, shots: Iterable[Shot]) -> None:
        """Fire those of *shots* that were not fired before, in one session."""
        new = {shot.key: shot for shot in shots if shot.key not in self._hits}
        if new:
            self._hits.update(self._fire(list(new.values())))

    def said(self, key: str) -> Hit | None:
        """What came of the shot *key*; None where it was not fired, or a fork cannot tell."""
        hit = self._hits.get(key)
        return None if hit is None or hit.status == COLD else hit


def key_of(overlay: Files) -> str:
    """The key of a shot over *overlay*: whatever is changed alike is the same shot."""
    return digest(*(part for path, content in sorted(overlay.items()) for part in (path, content or b"")))


def sampled(key: str) -> bool:
    """Whether *key* is of the sample, which depends on nothing else."""
    return int(digest("sample", key), 16) % SAMPLE == 0
