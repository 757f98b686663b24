"""What the tests of seeds share: a cache of their own, small repositories, and an sdist made by hand."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.seeds import SeedFile

Write = Callable[[Path, Mapping[str, str | bytes]], Path]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of one test, and no seed folder but the shipped one."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(folder))
    monkeypatch.delenv("BEBUG_SEEDS", raising=False)
    return folder


@pytest.fixture
def write() -> Write:
    """Write files (path → content) into a folder."""

    def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write_files


@pytest.fixture
def repository(tmp_path: Path, write: Write) -> Path:
    """A repository with one module and one test."""
    return write(
        tmp_path / "shop",
        {
            "pyproject.toml": '[project]\nname = "My.Shop"\nversion = "2.1"\nlicense = "MIT"\n',
            "shop/__init__.py": "",
            "shop/till.py": "def total(prices):\n    return sum(prices)\n",
            "tests/test_till.py": "from shop.till import total\n\n"
            "def test_total():\n    assert total([1, 2]) == 3\n",
        },
    )


BACKEND = """
import os

def prepare_metadata_for_build_wheel(folder, settings=None):
    os.mkdir(os.path.join(folder, "tiny-1.0.dist-info"))
    with open(os.path.join(folder, "tiny-1.0.dist-info", "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
    return "tiny-1.0.dist-info"

def build_wheel(folder, settings=None, metadata=None):
    raise NotImplementedError
"""
TINY = {
    "PKG-INFO": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
    "pyproject.toml": '[build-system]\nrequires = []\nbackend-path = ["."]\nbuild-backend = "backend"\n'
    '[project]\nname = "tiny"\nversion = "1.0"\n',
    "backend.py": BACKEND,
    "tiny/__init__.py": "def half(n):\n    return n // 2\n",
    "tests/test_half.py": "from tiny import half\n\ndef test_half():\n    assert half(4) == 2\n",
}


def tarred(target: Path, members: Mapping[str, str]) -> str:
    with tarfile.open(target, "w:gz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content.encode()))
    return hashlib.sha256(target.read_bytes()).hexdigest()


@pytest.fixture
def tar_up() -> Callable[[Path, Mapping[str, str]], str]:
    """Write a .tar.gz with the given members; gives its SHA-256."""
    return tarred


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SeedFile:
    """A seed whose sdist lies in a folder that pip is told to take for the whole index: no network."""
    index = tmp_path / "index"
    index.mkdir()
    sha256 = tarred(index / "tiny-1.0.tar.gz", {f"tiny-1.0/{name}": text for name, text in TINY.items()})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    return SeedFile(
        name="tiny",
        file=tmp_path / "seeds" / "tiny.toml",
        version="1.0",
        source="pypi",
        licence="MIT",
        summary="Halves numbers",
        sdist="tiny-1.0.tar.gz",
        sha256=sha256,
        requirements=("pytest==9.2.0",),
        pytest=("tests",),
        sources=("tiny/*.py",),
        tests=("tests/**",),
    )
