"""The seeds travel with bebug: they lie in the wheel, and an installed bebug finds them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import uv

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this bebug, built from a copy of what goes into it."""
    source = tmp_path_factory.mktemp("source")
    for name in ("src", "seeds"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    (source / "README.md").write_text("bebug\n")
    command = [
        uv.find_uv_bin(),
        "build",
        "--quiet",
        "--wheel",
        "--python",
        sys.executable,
        "--out-dir",
        str(source / "out"),
    ]
    subprocess.run([*command, str(source)], check=True, cwd=source)
    (made,) = (source / "out").glob("*.whl")
    return made


@pytest.mark.network
def test_every_seed_lies_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for file in (ROOT / "seeds").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
            assert f"bebug/_seeds/{file.relative_to(ROOT / 'seeds').as_posix()}" in packed


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
    assert said[0] == said[1]
