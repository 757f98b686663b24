"""A small repository: faults that its tests notice, and one that none of them does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.pipeline.building import Summary, build
from bebug.pipeline.observer import Silent
from bebug.pipeline.recipe import Recipe, classes
from bebug.verification import Limits

SHOP = '''\
"""A shelf of things."""


def below(i, n):
    return i < n


def label(name, default="nobody"):
    if name is None:
        return default
    return name.title()


def total(prices):
    result = 0
    for i in range(len(prices)):
        result += prices[i]
    return result


def unwatched(i):
    return i <= 7
'''

TESTS = """\
from shop.shelf import below, label, total, unwatched


def test_below():
    assert below(1, 2) and not below(2, 2)


def test_label():
    assert label("ann") == "Ann"


def test_label_of_nobody():
    assert label(None) == "nobody"


def test_total():
    assert total([1, 2, 3]) == 6


def test_unwatched():
    assert unwatched(1)
"""


def write_shop(folder: Path) -> Path:
    """The repository, below *folder*."""
    (folder / "shop").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "shop"\nversion = "1"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
        'addopts = "-p no:hypothesispytest -p no:anyio"\n'  # our interpreter's plugins are slow to load
    )
    (folder / "shop" / "__init__.py").write_text("")
    (folder / "shop" / "shelf.py").write_text(SHOP)
    (folder / "tests" / "test_shelf.py").write_text(TESTS)
    return folder


Build = Callable[..., Summary]
WriteShop = Callable[[Path], Path]


SOURCE = ("dropped-null-check", "off-by-one")


def built(
    seed: Path,
    out: Path,
    *,
    jobs: int = 2,
    names: tuple[str, ...] = SOURCE,
    sandbox: str = "auto",
    **options: Any,
) -> Summary:
    """Build a corpus of *seed* with the interpreter of this test run."""
    recipe, limits = Recipe(classes=classes(names), seeds=(str(seed),), **options), Limits(sandbox=sandbox)
    return build(recipe, out, jobs=jobs, python=Path(sys.executable), limits=limits, observer=Silent())


@pytest.fixture(scope="session", name="built")
def built_() -> Build:
    return built


@pytest.fixture(scope="session", name="write_shop")
def write_shop_() -> WriteShop:
    return write_shop


@pytest.fixture(scope="session")
def shop_source() -> bytes:
    return SHOP.encode()


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_shop(tmp_path_factory.mktemp("repo") / "shop")


@pytest.fixture(scope="session")
def corpus(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of both source classes over the shop."""
    out = tmp_path_factory.mktemp("corpus") / "all"
    built(shop, out)
    return out
