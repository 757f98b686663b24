"""Why a seed cannot serve, read from the end of pytest's own output."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from bebug.errors import SeedError
from bebug.records import Ending, Run

WHAT_TO_DO = "make a .venv there with all that its tests need, or give --python"
Wording = Callable[[re.Match[str], Path], str]
KNOWN: tuple[tuple[str, Wording], ...] = (
    (
        r"No module named '?pytest'?\s*$",
        lambda found, python: (
            f"{python} has no pytest: install it there, or name another interpreter with --python"
        ),
    ),
    (
        r"unrecognized arguments: (.+)",
        lambda found, python: (
            f"pytest does not know {found[1].strip()}: the plugin for it is missing in {python}"
        ),
    ),
    (
        r"Error importing plugin \"?([\w.]+)\"?: (.+)",
        lambda found, python: (
            f"the pytest plugin {found[1]} cannot be imported in {python}: {found[2].strip()}"
        ),
    ),
    (
        r"Missing required plugins: (.+)",
        lambda found, python: f"pytest plugins are missing in {python}: {found[1].strip()}",
    ),
    (
        r"ImportError while loading conftest '([^']+)'[\s\S]*?\nE\s+(.+)",
        lambda found, python: f"{found[1]} cannot be imported: {found[2].strip()}; {WHAT_TO_DO}",
    ),
    (
        r"ERROR: (.+)",
        lambda found, python: f"pytest does not start: {found[1].strip()}",
    ),
)
ENDINGS = {
    Ending.TIMEOUT: "its tests do not end: leave out the one that hangs, or give more time with --timeout",
    Ending.CRASH: "its test process is killed by a signal before the tests are over",
    Ending.ABORTED: "its test session ends before all tests have run",
}


def cannot_start(output: str, python: Path) -> SeedError:
    """What to say where pytest gave no report at all."""
    for pattern, wording in KNOWN:
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return SeedError(wording(found, python), detail=output)
    return SeedError("pytest does not start on the untouched seed: see the end of its output", detail=output)


def of_baseline(run: Run, python: Path) -> SeedError | None:
    """What speaks against *run* as a run of the untouched seed, or None."""
    if run.ending is Ending.NOT_STARTED:
        return cannot_start(run.tail, python)
    if run.ending in ENDINGS:
        return SeedError(f"the untouched seed cannot be measured: {ENDINGS[run.ending]}", detail=run.tail)
    if not run.collected and run.collection_errors:
        named = ", ".join(run.collection_errors[:3])
        return SeedError(
            f"no test can be collected: {named} cannot be imported; {WHAT_TO_DO}", detail=run.tail
        )
    if not run.outcomes:
        return SeedError(
            "pytest collects no test: name the test files or folders after `--`", detail=run.tail
        )
    return None
