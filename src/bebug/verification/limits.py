"""How long and how large a test run may become."""

from __future__ import annotations

from dataclasses import dataclass

GIB = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run: wall seconds, and bytes of address space for each of its processes.

    A run may take `floor + factor x` the slowest whole run of the untouched seed, so that a test has *floor*
    seconds or more before it counts as hanging; *timeout* takes the formula's place. Before there is a
    baseline, a run may take *unmeasured* seconds.
    """

    floor: float = 10.0
    factor: float = 4.0
    timeout: float | None = None
    unmeasured: float = 900.0
    memory: int = 4 * GIB

    def seconds(self, slowest: float | None) -> float:
        """The wall limit of a run, from the slowest run of the untouched seed."""
        if slowest is None:
            return self.unmeasured
        return self.floor + self.factor * slowest if self.timeout is None else self.timeout
