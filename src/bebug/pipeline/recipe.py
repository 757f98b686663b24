"""The recipe: every option that decides what a corpus holds, and none that does not."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bebug.errors import UsageError
from bebug.mutation.arid import ARID
from bebug.mutation.operator import Operator
from bebug.records import Claim
from bebug.registry import load


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What to plant, where, and how much of it. The number of workers and the folder are not part of it."""

    classes: tuple[str, ...]
    seeds: tuple[str, ...]
    limit: int | None = None  # at most so many bad cases for each class and seed
    rng: int = 0
    paths: tuple[str, ...] = ()  # globs of files to plant in
    controls: bool = True
    keep_arid: tuple[str, ...] = ()  # names of arid rules that are turned off
    pytest_args: tuple[str, ...] = ()  # for every seed, after its own
    confirm: str = "all"  # of CONFIRMATIONS: which cases take a run in a process of its own
    witness: bool = True  # whether inputs are searched for that tell a change from its base
    accept: tuple[str, ...] = ("tests",)  # with "witness": an input is proof enough where no test notices
    control_tier: str = "G2"  # the least evidence for a change that claims to preserve

    def __post_init__(self) -> None:
        for name in self.keep_arid:
            if name not in ARID:
                raise UsageError(f"there is no arid rule {name!r}; known: {', '.join(sorted(ARID))}")

    def as_json(self) -> dict[str, Any]:
        """The recipe as the manifest keeps it."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The fault classes asked for, by name."""
        known = load("operators")
        return tuple(known[name] for name in self.classes if name in known)

    @property
    def faults(self) -> tuple[Operator, ...]:
        """What proves that a weakened test lost something: the internal set, and the source classes too."""
        source = [each for each in load("operators").values() if each.claim is Claim.BREAKS]
        return (*load("faults").values(), *source)

    @property
    def preserving(self) -> tuple[Operator, ...]:
        """The controls to plant: those named as a class, else all of them, unless controls are off."""
        known = load("controls")
        named = tuple(known[name] for name in self.classes if name in known)
        return named or (tuple(known.values()) if self.controls else ())


def classes(names: tuple[str, ...]) -> tuple[str, ...]:
    """The classes that *names* mean, sorted: `all` is every fault class; an unknown one is a `UsageError`."""
    faults, controls = load("operators"), load("controls")
    chosen: set[str] = set()
    for name in names:
        if name == "all":
            chosen.update(faults)
        elif name in faults or name in controls:
            chosen.add(name)
        else:
            known = ", ".join([*faults, *controls])
            raise UsageError(f"there is no class {name!r}; known: all, {known}")
    return tuple(sorted(chosen))
