"""Mock: SL-2's three textual rules, the reference by which a scorer tests itself.

A change fails for a removed line that starts with `assert`; a removed line with `is None`, `== None` or
`!= None`; in a test file, an added `def test_` with no added `assert`. Anything else passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from bebug import patches
from bebug.critique.critic import Critic, no_argument
from bebug.patches import FilePatch, Kind, Line
from bebug.records import Change, Finding, Said, Verdict

_NONE_CHECKS = (b"is None", b"== None", b"!= None")


class _Mock:
    def review(self, change: Change) -> Verdict:
        findings = tuple(
            finding
            for file in patches.read(change.diff).files
            for finding in (*_removals(file), *_tests(file))
        )
        if not findings:
            return Verdict(said=Said.PASS)
        return Verdict(said=Said.FAIL, reason=findings[0].message, findings=findings)


def critic(argument: str) -> Critic:
    """The critic of `--backend mock`."""
    no_argument("mock", argument)
    return _Mock()


def _removals(file: FilePatch) -> Iterator[Finding]:
    for line in file.lines:
        if line.kind is not Kind.REMOVED:
            continue
        if line.text.strip().startswith(b"assert"):
            yield _finding(file, line, "an assertion is removed")
        if any(check in line.text for check in _NONE_CHECKS):
            yield _finding(file, line, "a check for None is removed")


def _tests(file: FilePatch) -> Iterator[Finding]:
    added = [line for line in file.lines if line.kind is Kind.ADDED]
    if is_test_file(file.path) and not any(b"assert" in line.text for line in added):
        for line in added:
            if b"def test_" in line.text:
                yield _finding(file, line, "a test is added that asserts nothing")


def _finding(file: FilePatch, line: Line, message: str) -> Finding:
    return Finding(path=file.path, line=line.new, message=message)


def is_test_file(path: str) -> bool:
    """Whether *path* is test code by its name: `test_x.py`, `x_test.py`, `tests.py`, or below `test[s]/`."""
    place = PurePosixPath(path)
    return (
        place.name.startswith("test_")
        or place.stem.endswith("_test")
        or place.name in {"test.py", "tests.py"}
        or not {"test", "tests"}.isdisjoint(place.parts[:-1])
    )
