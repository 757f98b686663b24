"""Weakened tests: bad only where a fault shows what is no longer noticed, and plain pytest sees it too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bebug.errors import NothingFound

Row = dict[str, Any]

CORE = '''\
"""Small things, each of which one test looks at."""


def below(i, n):
    return i < n


def size(xs):
    return len(xs) + 1


def queue():
    return [3, 2, 1]


def area(a, b):
    if a < 0:
        raise ValueError("negative")
    return a * b


def half(n):
    return n / 2


def name(given):
    return given.title()


def keys(n):
    return [str(each) for each in range(n)]


def third(n):
    return n / 3
'''

CASES = """\
import unittest

import pytest

from pkg.core import area, below, half, keys, name, queue, size, third


def test_below():
    r = below(2, 2)
    assert r is False
    assert below(1, 2)


def test_size():
    n = size([1])
    assert n == 2
    assert n == 2


def test_walrus():
    assert (n := len(queue())) == 3
    assert n > 2


def test_pop():
    xs = queue()
    assert xs.pop() == 1
    assert xs.pop() == 2


def test_area_of_less_than_nothing():
    with pytest.raises(ValueError):
        area(-1, 2)


@pytest.mark.parametrize("n", [2, 4, "six"][:2], ids=["two [2]", "4 :: ü"])
def test_half(n):
    assert half(n) * 2 == n
    assert isinstance(half(n), float)


class TestName(unittest.TestCase):
    def test_name(self):
        self.assertEqual(name("ann"), "Ann")


class Base:
    def test_keys(self):
        assert keys(self.n) == self.keys


class TestNone(Base):
    n, keys = 0, []


class TestTwo(Base):
    n, keys = 2, ["0", "1"]


@pytest.fixture
def scale():
    read = []
    yield read
    if read != [0]:
        raise RuntimeError(f"off by {read}")


def test_third(scale):
    scale.append(third(0))
    assert third(9) == 3


def test_always_runs():
    assert pytest
"""


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repo") / "things"
    for path, text in {"pkg/__init__.py": "", "pkg/core.py": CORE, "tests/test_core.py": CASES}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (folder / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-p no:hypothesispytest -p no:anyio"\n'
    )
    return folder


@pytest.fixture(scope="module")
def weakened(repo: Path, built: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("weakened") / "things"
    built(repo, out, names=("assertion-free-test", "deleted-assertion"))
    return out


def rows(corpus: Path, name: str = "cases.jsonl") -> list[Row]:
    return [json.loads(line) for line in (corpus / name).read_text("ascii").split("\n") if line]


def outcomes(repo: Path, folder: Path, *patches: str) -> dict[str, str]:
    """What a plain pytest says of each test after *patches*."""
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(repo, tree)
    for patch in filter(None, patches):
        subprocess.run(["git", "apply", "-"], cwd=tree, input=patch.encode(), check=True)
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    xml = folder / "out.xml"
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={xml}"]
    subprocess.run(argv, cwd=tree, env=env, capture_output=True)
    return dict(read_junit(xml))


def read_junit(xml: Path) -> list[tuple[str, str]]:
    found = []
    for case in ElementTree.parse(xml).iter("testcase"):
        classes = case.get("classname", "").partition("test_core")[2].strip(".")
        parts = ["tests/test_core.py", *filter(None, [classes]), case.get("name", "")]
        found.append(("::".join(parts), "failed" if len(case) else "passed"))
    return found


def failing(found: dict[str, str]) -> set[str]:
    return {test for test, word in found.items() if word != "passed"}


def bad(corpus: Path, operator: str) -> list[Row]:
    return [row for row in rows(corpus) if row["label"] == "bad" and row["operator"].startswith(operator)]


def test_each_weakened_test_is_green_and_misses_a_fault_that_was_noticed(
    repo: Path, weakened: Path, tmp_path: Path
) -> None:
    cases = [row for row in rows(weakened) if row["label"] == "bad"]
    assert {row["defect_class"] for row in cases} == {"assertion-free-test", "deleted-assertion"}
    for row in cases:
        fault = row["evidence"]["fault"]["diff"]
        assert row["track"] == "test"
        assert not failing(outcomes(repo, tmp_path, row["base_patch"], row["diff"]))
        caught = failing(outcomes(repo, tmp_path, fault))
        assert caught == set(row["evidence"]["killed_by"]) != set()
        assert not failing(outcomes(repo, tmp_path, row["base_patch"], row["diff"], fault))


def test_each_twin_adds_what_notices_that_fault(repo: Path, weakened: Path, tmp_path: Path) -> None:
    cases = {row["id"]: row for row in rows(weakened)}
    twins = [row for row in cases.values() if row["operator"].startswith("good-test/")]
    assert len(twins) == sum(row["label"] == "bad" for row in cases.values())
    for row in twins:
        fault = row["evidence"]["fault"]["diff"]
        assert row["evidence"]["proof"] == "adds-detection"
        assert (row["title"], row["body"]) == tuple(cases[row["twin"]][key] for key in ("title", "body"))
        assert not failing(outcomes(repo, tmp_path, row["base_patch"], fault))
        assert failing(outcomes(repo, tmp_path, row["base_patch"], row["diff"], fault)) == set(
            row["evidence"]["killed_by"]
        )


def test_an_added_test_without_assertions_starts_from_a_seed_without_it(
    repo: Path, weakened: Path, tmp_path: Path
) -> None:
    cases = bad(weakened, "assertion-free-test")
    assert cases
    for row in cases:
        name = row["function"].rpartition(".")[2]
        before = outcomes(repo, tmp_path, row["base_patch"])
        assert not any(f"::{name}" in test for test in before)
        after = outcomes(repo, tmp_path, row["base_patch"], row["evidence"]["reference_diff"])
        assert after == outcomes(repo, tmp_path)


def test_one_of_two_equal_assertions_is_no_loss(weakened: Path) -> None:
    assert not [
        row for row in bad(weakened, "deleted-assertion/delete-the") if row["function"] == "test_size"
    ]
    left_out = [row for row in rows(weakened, "rejected.jsonl") if row["function"] == "test_size"]
    assert "no_loss_shown" in {row["reason"] for row in left_out}


def test_a_test_whose_fixture_still_raises_does_not_pass_for_one_without_assertions(weakened: Path) -> None:
    assert not [row for row in bad(weakened, "assertion-free-test") if row["function"] == "test_third"]
    assert [row for row in bad(weakened, "deleted-assertion") if row["function"] == "test_third"]
    details = [row.get("detail", "") for row in rows(weakened, "rejected.jsonl")]
    assert any("still asserts" in detail for detail in details), details


def test_an_assertion_that_does_work_is_not_deleted_from_under_the_test(weakened: Path) -> None:
    for row in bad(weakened, "deleted-assertion"):
        if row["function"] == "test_pop":  # taking the first pop away would break the second one
            assert "-    assert xs.pop() == 1\n     assert xs.pop() == 2" not in row["diff"]
        if row["function"] == "test_walrus":  # the name must stay bound for the second assertion
            assert "n > 2" not in row["diff"] or "-    assert n > 2" in row["diff"]


def test_every_style_of_test_is_weakened(weakened: Path) -> None:
    functions = {row["function"] for row in rows(weakened) if row["label"] == "bad"}
    assert {"test_below", "test_half", "test_area_of_less_than_nothing", "TestName.test_name"} <= functions
    assert "Base.test_keys" in functions  # one function, inherited by two classes


def test_a_seed_in_which_no_fault_can_be_planted_has_a_reason_for_each_test(
    built: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/core.py").write_text("THING = object\n")
    (tmp_path / "repo/pytest.ini").write_text("[pytest]\n")
    (tmp_path / "repo/test_core.py").write_text(
        "from core import THING\n\n\ndef test_a():\n    assert THING()\n"
    )
    with pytest.raises(NothingFound) as error:
        built(tmp_path / "repo", tmp_path / "out", names=("assertion-free-test",))
    assert error.value.reasons == {"no_loss_shown": 1}


@pytest.mark.slow
def test_the_same_bytes_come_with_one_worker_and_an_empty_cache(
    repo: Path,
    weakened: Path,
    built: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(tmp_path / "cache"))
    built(repo, tmp_path / "things", names=("assertion-free-test", "deleted-assertion"), jobs=1)
    for name in ("cases.jsonl", "rejected.jsonl", "manifest.json"):
        assert (tmp_path / "things" / name).read_bytes() == (weakened / name).read_bytes()
