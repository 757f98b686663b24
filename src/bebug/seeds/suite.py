"""Whether a tree has tests at all, and which files pytest has to be told of because of their names."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from bebug.errors import SeedError
from bebug.seeds.locate import Location
from bebug.seeds.metadata import pytest_settings, text_of, words
from bebug.seeds.sources import TEST_FOLDERS, matches_any
from bebug.seeds.tree import entries

USUAL = ("test_*.py", "*_test.py")
UNUSUAL = ("tests.py", "test.py", "*_tests.py", "tests_*.py", "test*.py", "*Test.py", "*Tests.py")
IS_TEST = re.compile(r"^\s*(async\s+)?def test|^class \w*Test|\bTestCase\b", re.MULTILINE)


def arguments_of(location: Location) -> tuple[str, ...]:
    """The arguments by which pytest finds the tests at *location*: none where it finds them by itself.

    `SeedError`, to be told of a seed by name, where there is no test.
    """
    settings = pytest_settings(location.chain)
    patterns = words(settings, "python_files") or USUAL
    folder = location.folder
    files = {path: entry for path, entry in entries(folder) if path.endswith(".py") and entry.is_file()}
    if any(option.startswith("--doctest") for option in words(settings, "addopts")):
        return ()
    for path in files:
        if matches_any(path.rpartition("/")[2], patterns) and IS_TEST.search(text_of(folder / path)):
            return ()
    odd = [path for path in files if _may_be_test(path) and IS_TEST.search(text_of(folder / path))]
    if not odd:
        raise SeedError("holds no test that pytest could run")
    return tuple(odd)


def _may_be_test(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(TEST_FOLDERS.intersection(parts[:-1])) or matches_any(parts[-1], UNUSUAL)
