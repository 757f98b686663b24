"""Well-known helpers of tests that projects use without saying so: read from imports, marks and fixtures."""

from __future__ import annotations

import re
from pathlib import Path

from bebug.seeds.metadata import text_of
from bebug.seeds.tree import entries

IMPORTED = {
    "aiohttp": "aiohttp",
    "anyio": "anyio",
    "attr": "attrs",
    "attrs": "attrs",
    "bs4": "beautifulsoup4",
    "dateutil": "python-dateutil",
    "ddt": "ddt",
    "dirty_equals": "dirty-equals",
    "docutils": "docutils",
    "faker": "faker",
    "flaky": "flaky",
    "freezegun": "freezegun",
    "httpx": "httpx",
    "hypothesis": "hypothesis",
    "inline_snapshot": "inline-snapshot",
    "jinja2": "jinja2",
    "jsonschema": "jsonschema",
    "lxml": "lxml",
    "mock": "mock",
    "nose": "nose",
    "numpy": "numpy",
    "packaging": "packaging",
    "parameterized": "parameterized",
    "psutil": "psutil",
    "pyfakefs": "pyfakefs",
    "pytest_asyncio": "pytest-asyncio",
    "pytz": "pytz",
    "requests": "requests",
    "requests_mock": "requests-mock",
    "responses": "responses",
    "setuptools": "setuptools",
    "six": "six",
    "sortedcontainers": "sortedcontainers",
    "testfixtures": "testfixtures",
    "testtools": "testtools",
    "time_machine": "time-machine",
    "trio": "trio",
    "typing_extensions": "typing-extensions",
    "unittest_expander": "unittest-expander",
    "vcr": "vcrpy",
    "yaml": "pyyaml",
}
"""Module → distribution. A fixed table: a name that is only guessed might belong to a stranger."""

MARKED = {
    "asyncio": "pytest-asyncio",
    "benchmark": "pytest-benchmark",
    "django_db": "pytest-django",
    "flaky": "pytest-rerunfailures",
    "freeze_time": "pytest-freezer",
    "timeout": "pytest-timeout",
    "trio": "pytest-trio",
    "vcr": "pytest-recording",
    "xdist_group": "pytest-xdist",
}
FIXTURES = {
    "benchmark": "pytest-benchmark",
    "datadir": "pytest-datadir",
    "freezer": "pytest-freezer",
    "httpserver": "pytest-httpserver",
    "mocker": "pytest-mock",
    "requests_mock": "requests-mock",
    "respx_mock": "respx",
    "snapshot": "syrupy",
    "subtests": "pytest-subtests",
}

TESTS = re.compile(r"(.*/)?(tests?|testing)/.*\.py|(.*/)?(test_[^/]*|[^/]*_tests?|tests?|conftest)\.py")
IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)
MARK = re.compile(r"\bmark\.(\w+)")
ARGUMENTS = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+\(([^)]*)\)", re.MULTILINE)
FIXTURE = re.compile(
    r"@(?:pytest\.)?fixture\b[^\n]*\n(?:[ \t]*@[^\n]*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)"
)


def libraries_of(folder: Path) -> tuple[str, ...]:
    """The distributions of well-known helpers that the test files below *folder* use, sorted."""
    files = [(path, entry) for path, entry in entries(folder) if path.endswith(".py") and entry.is_file()]
    own = {part for path, _ in files for part in (path.removesuffix(".py").split("/"))}
    texts = [text_of(Path(entry.path)) for path, entry in files if TESTS.fullmatch(path)]
    made = {name for text in texts for name in FIXTURE.findall(text)}
    found: set[str] = set()
    for text in texts:
        found |= {IMPORTED[name] for name in IMPORT.findall(text) if name in IMPORTED and name not in own}
        if "pytest" in text:
            found |= {MARKED[name] for name in MARK.findall(text) if name in MARKED}
        for arguments in ARGUMENTS.findall(text):
            wanted = re.findall(r"\w+", arguments)
            found |= {FIXTURES[name] for name in wanted if name in FIXTURES and name not in made}
    return tuple(sorted(found))
