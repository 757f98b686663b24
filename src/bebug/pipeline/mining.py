"""Mining: every mutant that the chosen operators find in a seed's files, in source order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.mutation.sources import Unreadable
from bebug.pipeline.observer import Observer
from bebug.records import Mutant, Workspace, digest
from bebug.seeds import source_files


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """What was found in a seed: *mutants* in source order, and what was left out and why."""

    files: tuple[str, ...]
    mutants: tuple[Mutant, ...]
    unreadable: dict[str, str]  # path → reason
    skipped: dict[str, int]  # arid rule → places
    failed: dict[str, int]  # operator/rule → rewrites that could not be written

    def of(self, operator: str) -> tuple[Mutant, ...]:
        """The mutants of one class, in source order."""
        return tuple(mutant for mutant in self.mutants if mutant.site.operator == operator)


def survey(
    workspace: Workspace,
    operators: Sequence[Operator],
    *,
    globs: Sequence[str],
    keep_arid: Sequence[str],
    observer: Observer,
) -> Field:
    """Mine every source file of *workspace* once with all *operators*."""
    files = source_files(workspace, globs=globs)
    mutants: list[Mutant] = []
    unreadable: dict[str, str] = {}
    skipped: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    observer.stage("mining", len(files))
    for path in files:
        try:
            mined = mine(
                path, (workspace.tree / path).read_bytes(), operators, keep_arid=frozenset(keep_arid)
            )
        except Unreadable as why:
            unreadable[path] = str(why)
            observer.step("unreadable")
        else:
            mutants += mined.mutants
            skipped.update(mined.skipped)
            failed.update(mined.failed)
            observer.step("read")
    return Field(
        files=files,
        mutants=tuple(mutants),
        unreadable=unreadable,
        skipped=dict(sorted(skipped.items())),
        failed=dict(sorted(failed.items())),
    )


def drawn(mutants: Sequence[Mutant], rng: int) -> list[Mutant]:
    """*mutants* in the order in which the number *rng* draws them.

    The rank of a mutant depends on its own key alone: a new file or operator changes no other one's rank
    against the rest, which one shared generator could not promise.
    """
    return sorted(mutants, key=lambda mutant: digest(str(rng), mutant.key))
