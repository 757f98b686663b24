"""Mining: every mutant that the chosen operators find in a seed's files, in source order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bebug.mutation.arid import ARID
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.mutation.sources import Unreadable
from bebug.pipeline.mined import remembered
from bebug.pipeline.observer import Observer
from bebug.records import Claim, Mutant, Workspace, digest
from bebug.seeds import source_files, test_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What was found in a seed: *mutants* in source order, and what was left out and why."""

    files: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    faults: tuple[Mutant, ...] = ()  # to prove weakened tests by; never cases themselves
    unreadable: dict[str, str]  # path → reason
    skipped: dict[str, int]  # arid rule → places
    failed: dict[str, int]  # operator/rule → rewrites that could not be written

    def of(self, operator: str) -> tuple[Mutant, ...]:
        """The mutants of one class, in source order."""
        return tuple(mutant for mutant in self.mutants if mutant.site.operator == operator)

    @property
    def sources(self) -> tuple[str, ...]:
        """The source files that a mutant or a fault is in, sorted."""
        planted = (mutant for mutant in self.mutants if mutant.claim is not Claim.WEAKENS)
        return tuple(sorted({each.site.path for each in (*planted, *self.faults)}))


def survey(
    workspace: Workspace,
    operators: Sequence[Operator],
    *,
    faults: Sequence[Operator] = (),
    globs: Sequence[str],
    keep_arid: Sequence[str],
    observer: Observer,
) -> Field:
    """Mine *workspace* once with all *operators*: those that weaken tests in tests, the rest in source.

    *faults* are mined, in all of its source, where an operator needs them.
    """
    weakening = [each for each in operators if each.claim is Claim.WEAKENS]
    planting = [each for each in operators if each.claim is not Claim.WEAKENS]
    miner = Miner(workspace, observer)
    sources = source_files(workspace, globs=globs)
    tests = test_files(workspace, globs=globs) if weakening else ()
    everywhere = source_files(workspace) if weakening else ()
    observer.stage("mining", len(sources) * bool(planting) + len(tests) + len(everywhere))
    mutants = miner.mine(sources, planting, keep_arid) if planting else []
    mutants += miner.mine(
        tests, weakening, list(ARID)
    )  # what is unproductive in a product is not in its tests
    counted = Counter(miner.skipped)
    shots = miner.mine(everywhere, faults, list(ARID))
    return Field(
        files=tuple(dict.fromkeys((*(sources if planting else ()), *tests))),
        mutants=tuple(mutants),
        faults=tuple(shots),
        unreadable=miner.unreadable,
        skipped=dict(sorted(counted.items())),
        failed=dict(sorted(miner.failed.items())),
    )


class Miner:
    """Mines files of one seed and keeps account of what was left out."""

    def __init__(self, workspace: Workspace, observer: Observer) -> None:
        self._workspace, self._observer = workspace, observer
        self.unreadable: dict[str, str] = {}
        self.skipped: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()

    def mine(
        self, files: Sequence[str], operators: Sequence[Operator], keep_arid: Sequence[str]
    ) -> list[Mutant]:
        """The mutants that *operators* make of *files*, in source order."""
        found: list[Mutant] = []
        for path in files:
            raw = (self._workspace.tree / path).read_bytes()
            try:
                mined = remembered(
                    self._workspace.seed.name,
                    path,
                    raw,
                    operators,
                    keep_arid,
                    partial(mine, path, raw, operators, keep_arid=frozenset(keep_arid)),
                )
            except Unreadable as why:
                self.unreadable[path] = str(why)
                self._observer.step("unreadable")
            else:
                found += mined.mutants
                self.skipped.update(mined.skipped)
                self.failed.update(mined.failed)
                self._observer.step("read")
        return found


def drawn(mutants: Sequence[Mutant], rng: int) -> list[Mutant]:
    """*mutants* in the order in which the number *rng* draws them.

    The rank of a mutant depends on its own key alone: a new file or operator changes no other one's rank
    against the rest, which one shared generator could not promise.
    """
    return sorted(mutants, key=lambda mutant: digest(str(rng), mutant.key))
