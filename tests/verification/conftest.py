"""Toy seeds made ready, and laboratories for them; all real runs, in this interpreter."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bebug.records import Seed, Workspace
from bebug.verification import Laboratory, Limits

DATA = Path(__file__).parent.parent / "data"
Make = Callable[..., Any]


def workspace_of(tree: Path, **seed: Any) -> Workspace:
    """A workspace of *tree* for this interpreter; *seed* overrides fields of its seed."""
    given: dict[str, Any] = {"env": {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, **seed}
    described = Seed(name=tree.name, version="1", source="path", sha256="0" * 64, licence="MIT", **given)
    python = Path(sys.executable)
    return Workspace(seed=described, tree=tree, python=python, python_version="", packages=())


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """*folder*, holding *files*."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """A maker of laboratories, closed at the module's end: from the name of a toy seed or from files."""
    numbers = itertools.count()
    with ExitStack() as stack:

        def make(
            source: str | Mapping[str, str | bytes],
            *,
            limits: Limits | None = None,
            confirm: str = "all",
            **seed: Any,
        ) -> Laboratory:
            if isinstance(source, str):
                tree = DATA / source
            else:
                tree = written(tmp_path_factory.mktemp(f"seed{next(numbers)}"), source)
            workspace = workspace_of(tree, **seed)
            return stack.enter_context(Laboratory(workspace, limits=limits, confirm=confirm))

        yield make


@pytest.fixture(scope="session")
def write() -> Make:
    """`write(folder, {name: content})` makes those files."""
    return written


@pytest.fixture(scope="session")
def workspace() -> Make:
    """`workspace(tree, **fields of the seed)` describes *tree* for this interpreter."""
    return workspace_of
