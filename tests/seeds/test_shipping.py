"""The seeds travel with bebug: byte by byte in the sdist and the wheel, and an installed bebug finds them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import uv

from bebug.seeds import catalogue

ROOT = Path(__file__).resolve().parents[2]
FLATFILE = ROOT / "seeds" / "flatfile"


def shipped() -> dict[str, bytes]:
    """The files of the seeds by their path below `seeds/`, less what a run of their tests leaves behind."""
    folder = ROOT / "seeds"
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.match("*.pyc") and ".pytest_cache" not in file.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of this bebug, built from a copy of what goes into it, and its wheel."""
    source = tmp_path_factory.mktemp("source")
    left_out = shutil.ignore_patterns("__pycache__", ".pytest_cache")
    for name in ("src", "seeds"):
        shutil.copytree(ROOT / name, source / name, ignore=left_out)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    (source / "README.md").write_text("bebug\n")
    command = [uv.find_uv_bin(), "build", "--quiet", "--python", sys.executable]
    subprocess.run([*command, "--out-dir", str(source / "out"), str(source)], check=True, cwd=source)
    return source / "out"


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (made,) = built.glob("*.whl")
    return made


def test_at_least_25_projects_from_pypi_and_5_of_our_own_are_described() -> None:
    sources = [seed.source for seed in catalogue().values() if seed.file.parent == ROOT / "seeds"]
    assert sources.count("pypi") >= 25
    assert sources.count("builtin") >= 5


def test_each_seed_of_our_own_has_its_licence_beside_it() -> None:
    for seed in catalogue().values():
        if seed.source == "builtin":
            licence = (seed.folder / "LICENSE").read_text()
            assert licence.startswith(f"{seed.licence} License\n\nCopyright (c) 2026 The "), seed.name


def test_the_odd_bytes_of_flatfile_are_as_its_readme_says() -> None:
    """By a plain look at the bytes; git and editors must leave them alone."""
    read = {path.relative_to(FLATFILE).as_posix(): path.read_bytes() for path in FLATFILE.rglob("*.py")}
    assert (FLATFILE / ".gitattributes").read_bytes() == b"* -text\n"
    assert {name: re.sub(rb"\r\n", b"", raw).count(b"\n") for name, raw in read.items() if b"\r" in raw} == {
        "flatfile/fields.py": 0,
        "tests/test_fields.py": 0,
        "tests/test_dialect.py": 0,
        "flatfile/writer.py": 60,
        "tests/test_writer.py": 74,
    }
    assert not any(re.search(rb"\r(?!\n)", raw) for raw in read.values())
    assert {name for name, raw in read.items() if raw.startswith(b"\xef\xbb\xbf")} == {
        "flatfile/dialect.py",
        "tests/test_dialect.py",
    }
    assert {name for name, raw in read.items() if raw.startswith(b"# -*- coding: latin-1 -*-\n")} == {
        "flatfile/layout.py",
        "tests/test_layout.py",
    }
    for name in ("flatfile/layout.py", "tests/test_layout.py"):
        assert "§".encode("latin-1") in read[name]
        with pytest.raises(UnicodeDecodeError):
            read[name].decode("utf-8")
    tabbed = {"flatfile/reader.py", "tests/test_reader.py"}
    assert {name for name, raw in read.items() if b"\n\t" in raw} == tabbed
    assert not any(b"\n " in read[name] for name in tabbed)
    assert {name for name, raw in read.items() if b"\n\x0c\n" in raw} == tabbed
    assert {name for name, raw in read.items() if not raw.endswith(b"\n")} == {
        "flatfile/codes.py",
        "flatfile/reader.py",
        "tests/test_codes.py",
    }
    assert read["tests/test_codes.py"].endswith(b"3  ")


@pytest.mark.network
def test_every_seed_lies_in_the_wheel_byte_by_byte(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        for path, raw in shipped().items():
            assert f"bebug/_seeds/{path}" in names
            assert packed.read(f"bebug/_seeds/{path}") == raw, path


@pytest.mark.network
def test_every_seed_lies_in_the_sdist_byte_by_byte(built: Path, tmp_path: Path) -> None:
    (made,) = built.glob("*.tar.gz")
    with tarfile.open(made) as packed:
        packed.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    for path, raw in shipped().items():
        assert (top / "seeds" / path).read_bytes() == raw, path


@pytest.mark.network
def test_an_installed_bebug_finds_the_same_seeds_with_the_same_digests(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    code = (
        "from bebug.seeds import catalogue\nfrom bebug.seeds.tree import tree_digest\n"
        "for seed in catalogue().values():\n"
        "    print(seed.name, seed.sha256 or tree_digest(seed.folder))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for path in (tmp_path / "site", ROOT / "src")
    ]
    assert "toolz" in said[0]
    assert "flatfile" in said[0]
    assert said[0] == said[1]
