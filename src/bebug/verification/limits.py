"""How long and how large a test run may become, and how far it may reach."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

GIB = 1 << 30
SPARE = 2  # seconds of processor time that the kernel grants beyond our own limit: ours is to come first


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run: what the kernel enforces for each process, and what bebug looks after.

    A run may take `floor + factor x` the slowest whole run of the untouched seed, so that a test has *floor*
    seconds or more before it counts as hanging; *timeout* takes the formula's place. Before there is a
    baseline, a run may take *unmeasured* seconds. All its processes together may take *processor* times
    these seconds on each core, and be no more than *processes* at a time. A run that becomes too much in any
    of these ways has timed out.

    Each process may have *memory* bytes of address space, and write no file of more than *file_size* bytes.
    *sandbox* names the tier of isolation that runs are held in; `auto` is the strongest that works here.
    """

    floor: float = 10.0
    factor: float = 4.0
    timeout: float | None = None
    unmeasured: float = 900.0
    processor: float = 1.0
    processes: int = 256
    memory: int = 4 * GIB
    file_size: int = GIB
    sandbox: str = "auto"

    def seconds(self, slowest: float | None) -> float:
        """The wall limit of a run, from the slowest run of the untouched seed."""
        if slowest is None:
            return self.unmeasured
        return self.floor + self.factor * slowest if self.timeout is None else self.timeout

    def processor_seconds(self, seconds: float) -> float:
        """The processor time that a run of *seconds* at most may take."""
        return self.processor * seconds * (os.cpu_count() or 1)

    def resources(self, seconds: float) -> dict[str, int]:
        """What each process of a run of *seconds* at most is limited to: by the names of `prlimit`.

        Processor time is there for what outlives bebug and its helper.
        """
        return {
            "core": 0,
            "as": self.memory,
            "fsize": self.file_size,
            "cpu": math.ceil(self.processor_seconds(seconds)) + SPARE,
        }
