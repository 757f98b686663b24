"""Whether there are tests, and whether pytest finds them by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.errors import SeedError
from bebug.seeds.locate import Location
from bebug.seeds.suite import arguments_of

Write = Callable[[Path, Mapping[str, str | bytes]], Path]
TEST = "def test_it():\n    pass\n"
CASE = "import unittest\n\nclass Its(unittest.TestCase):\n    def test_it(self): pass\n"


@pytest.mark.parametrize(
    ("files", "arguments"),
    [
        ({"tests/test_a.py": TEST, "tests.py": CASE}, ()),
        ({"a/b_test.py": CASE}, ()),
        ({"tests.py": CASE, "a.py": ""}, ("tests.py",)),
        ({"pkg/tests/core.py": CASE, "pkg/tests/__init__.py": ""}, ("pkg/tests/core.py",)),
        ({"testall.py": TEST}, ("testall.py",)),
        ({"checks/check_a.py": TEST, "pytest.ini": "[pytest]\npython_files = check_*.py\n"}, ()),
        ({"a.py": '""">>> 1\n1\n"""\n', "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}, ()),
    ],
)
def test_files_that_pytest_would_not_find_are_named_to_it(
    tmp_path: Path, write: Write, files: Mapping[str, str], arguments: tuple[str, ...]
) -> None:
    assert arguments_of(Location(write(tmp_path, files), ".")) == arguments


@pytest.mark.parametrize("files", [{"a.py": ""}, {"test_data.py": "x = 1\n"}, {"tests/__init__.py": ""}])
def test_a_tree_without_tests_is_refused(tmp_path: Path, write: Write, files: Mapping[str, str]) -> None:
    with pytest.raises(SeedError, match="holds no test that pytest could run"):
        arguments_of(Location(write(tmp_path, files), "."))
