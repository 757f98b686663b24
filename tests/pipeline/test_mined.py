"""Mining remembers: a file that did not change gives what it gave, without being parsed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.mutation.arid import ARID
from bebug.mutation.engine import Mined, mine
from bebug.mutation.operator import Operator
from bebug.pipeline.mined import remembered
from bebug.registry import load
from bebug.seeds import mined_folder

SEEDS = Path(__file__).parents[2] / "seeds"
LARGEST = [
    max(tree.rglob("*.py"), key=lambda file: (file.stat().st_size, file.name))
    for tree in sorted(SEEDS.glob("*/"))
    if tree.name != "authored"
]
ALL = [each for name in ("operators", "controls", "faults") for each in load(name).values()]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def asked(
    raw: bytes, made: Callable[[], Mined], operators: list[Operator] = ALL, path: str = "a.py"
) -> Mined:
    return remembered("toy", path, raw, operators, (), made)


def never() -> Mined:
    raise AssertionError("it is mined again")


def once(raw: bytes, operators: list[Operator] = ALL) -> Mined:
    return asked(raw, lambda: mine("a.py", raw, operators), operators)


@pytest.mark.parametrize("file", LARGEST, ids=lambda path: path.relative_to(SEEDS).as_posix())
def test_what_is_remembered_is_what_was_mined(file: Path) -> None:
    raw = file.read_bytes()
    first = once(raw)
    again = asked(raw, never)
    assert again == first
    assert [each.key for each in again.mutants] == [each.key for each in first.mutants]


def test_other_bytes_operators_paths_and_rules_are_mined_anew() -> None:
    raw = b"def f(n):\n    return n < 1\n"
    once(raw)
    with pytest.raises(AssertionError):
        asked(raw + b"\n", never)
    with pytest.raises(AssertionError):
        asked(raw, never, ALL[:-1])
    with pytest.raises(AssertionError):
        asked(raw, never, path="b.py")
    with pytest.raises(AssertionError):
        remembered("toy", "a.py", raw, ALL, list(ARID)[:1], never)


@pytest.mark.parametrize("damage", [b"", b"no record", b"\xff\xfe", b"0" * 64 + b"\n{}"])
def test_a_damaged_record_is_made_anew(damage: bytes) -> None:
    raw = b"def f(n):\n    return n < 1\n"
    first = once(raw)
    (record,) = mined_folder("toy").iterdir()
    record.write_bytes(damage)
    assert once(raw) == first
    assert asked(raw, never) == first


def test_where_nothing_can_be_kept_nothing_is_lost(cache: Path) -> None:
    raw = b"def f(n):\n    return n < 1\n"
    cache.mkdir()
    (cache / "mined").write_bytes(b"")  # no folder can be made there
    assert once(raw) == once(raw) == mine("a.py", raw, ALL)
