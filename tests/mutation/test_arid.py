"""Unproductive places: each rule skips and counts, can be turned off, and reaches no further than it says."""

from __future__ import annotations

import pytest

from bebug.mutation.arid import ARID
from bebug.mutation.engine import mine
from bebug.registry import load

OPERATORS = list(load("operators").values())

PLACES = {
    "logging": [
        "import logging\nlogging.info('%s', xs[0])",
        "self.logger.debug(f'{xs[0]}')",
        "_log.warning(len(xs) > 1)",
        "import warnings\nwarnings.warn(xs[0])",
        "from warnings import warn\nwarn(xs[0])",
    ],
    "printing": [
        "print(xs[0])",
        "import sys\nsys.stderr.write(xs[0])",
        "from pprint import pprint\npprint(xs[1:])",
    ],
    "repr": ["class A:\n    def __repr__(self):\n        return f'{self.xs[0]}' if self.n < 3 else ''"],
    "timing": [
        "import time\nif time.time() > end: f()",
        "from time import monotonic as now\nx = now() - start < 5",
        "import time\ntime.sleep(xs[0])",
    ],
    "main-guard": ["if __name__ == '__main__':\n    f(sys.argv[1])", "if '__main__' == __name__: f(xs[0])"],
    "version-check": [
        "import sys\nif sys.version_info >= (3, 12): f()",
        "import sys\nx = sys.version_info[0]",
        "x = np.__version__ < '2'",
    ],
    "cache": ["if self._cache is None:\n    self._cache = {}", "x = len(cache) > limit"],
    "capacity-hint": ["f(maxsize=xs[0])", "def f(buffer_size=xs[0]): pass", "chunk_size = n or 8192"],
    "feature-flag": ["if feature_flags.get('x') is not None:\n    f()"],
    "assertion": ["assert i < n"],
    "error-message": ["raise ValueError(f'{xs[0]}')"],
}


@pytest.mark.parametrize(("name", "source"), [(name, each) for name, all_ in PLACES.items() for each in all_])
def test_an_arid_place_is_skipped_and_counted_and_kept_on_request(name: str, source: str) -> None:
    mined = mine("x.py", source.encode(), OPERATORS)
    assert [mutant.note for mutant in mined.mutants] == []
    assert mined.skipped[name] > 0
    kept = mine("x.py", source.encode(), OPERATORS, keep_arid=frozenset(ARID))
    assert len(kept.mutants) == sum(mined.skipped.values())
    assert not kept.skipped


def test_every_rule_has_places_and_a_reason() -> None:
    assert set(PLACES) == set(ARID)
    assert all(rule.reason.endswith(".") for rule in ARID.values())


@pytest.mark.parametrize(
    "source",
    [
        "logbook.entries(xs[0])",
        "catalog.info(xs[0])",
        "def print(x): pass\nprint(xs[0])",
        "class A:\n    def __str__(self):\n        return self.xs[0]",
        "x = timeout > 5",
        "if __name__ == '__main__':\n    pass\nelse:\n    f(xs[0])",
        "x = version_of(y) > 5",
        "if cachet > 5: f()",
        "raised = xs[0]",
    ],
)
def test_what_only_looks_like_an_arid_place_is_planted_in(source: str) -> None:
    mined = mine("x.py", source.encode(), OPERATORS)
    assert mined.mutants
    assert not mined.skipped


TYPING = """from __future__ import annotations
from typing import TYPE_CHECKING, Annotated, Literal, Protocol, TypeVar, overload
import typing as t

if TYPE_CHECKING:
    LIMIT = Literal[1, 2, 3]
    if 1 < 2:
        from collections.abc import Sequence
else:
    LIVE = xs[0]

Alias = Literal[1]
Other = t.Annotated[int, xs[1]]
T = TypeVar("T", bound=xs[0])


class Sized(Protocol):
    size: int = xs[0]

    def grow(self, by: int = xs[1]) -> int | None: ...

    def real(self) -> int:
        return self.xs[2]


@overload
def get(x: None, d: int = xs[3]) -> None: ...
@t.overload
def get(x: int, d: int = xs[4]) -> int: ...
def get(x: "Literal[1] | xs[5]", d: xs[6] = ys[7]) -> zs[8]:
    y: xs[9] = 1
    return d
"""


def test_what_never_runs_is_never_planted_in() -> None:
    mined = mine("x.py", TYPING.encode(), OPERATORS, keep_arid=frozenset(ARID))
    assert {mutant.site.text for mutant in mined.mutants} == {"xs[0]", "self.xs[2]", "ys[7]"}
    assert {mutant.site.start_line for mutant in mined.mutants} == {10, 23, 30}
    assert not mined.skipped


def test_patterns_of_a_match_are_left_alone_and_guards_are_not() -> None:
    source = b"""match m:
    case {"k": "a" | "b" as k, "n": int(n)} if n >= 0:
        pass
    case [1, -1, 2, x]:
        pass
    case None:
        pass
    case str() | bytes():
        pass
"""
    mined = mine("x.py", source, OPERATORS)
    assert [mutant.note for mutant in mined.mutants] == ["`n >= 0` became `n > 0`"]
