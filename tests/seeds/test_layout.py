"""Source roots and generated files, read off what an installation holds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.seeds.interpreter import Interpreter, ask
from bebug.seeds.layout import completed, layout_of

Write = Callable[[Path, Mapping[str, str | bytes]], Path]


def silent(line: str) -> None:
    """No progress wanted."""


@pytest.fixture
def installed(tmp_path: Path, write: Write) -> Callable[[Mapping[str, str]], Interpreter]:
    """An environment in which a distribution `thing` is installed with the given files."""

    def make(files: Mapping[str, str]) -> Interpreter:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
        (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
        info = {"thing-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: thing\nVersion: 1\n"}
        record = "".join(f"{name},,\n" for name in (*files, *info, "../../../bin/thing"))
        write(site, {**files, **info, "thing-1.dist-info/RECORD": record})
        return ask(tmp_path / "env" / "bin" / "python")

    return make


Installed = Callable[[Mapping[str, str]], Interpreter]


def test_a_folder_of_another_name_than_src_becomes_a_source_root(
    tmp_path: Path, write: Write, installed: Installed
) -> None:
    names = ["lib/thing/__init__.py", "lib/thing/a.py", "build/lib/thing/__init__.py", "build/lib/thing/a.py"]
    tree = write(tmp_path / "tree", dict.fromkeys([*names, "python/other.py", "tests/a.py"], ""))
    files = dict.fromkeys(["thing/__init__.py", "thing/a.py", "other.py", "__pycache__/other.pyc"], "")
    found = layout_of(installed(files), "thing", tree, (".",))
    assert found.roots == (".", "lib", "python")
    assert found.generated == {}
    assert completed(found, tree, ["k", "thing"], ask(Path(sys.executable)), silent) == tree


def test_what_only_the_build_makes_is_added_to_a_copy(
    tmp_path: Path, write: Write, installed: Installed
) -> None:
    tree = write(tmp_path / "tree", dict.fromkeys(["src/thing/__init__.py", "src/thing/fast.py"], ""))
    compiled = {"thing/fast.cpython-311.so": "twin", "thing/only.cpython-311.so": "alone"}
    files = {
        "thing/__init__.py": "",
        "thing/fast.py": "",
        "thing/_version.py": "v",
        "thing/new/x.py": "",
        **compiled,
    }
    interpreter = installed(files)
    found = layout_of(interpreter, "thing", tree, (".", "src"))
    assert set(found.generated) == {"src/thing/_version.py", "src/thing/only.cpython-311.so"}
    said: list[str] = []
    origin = completed(found, tree, ["k", "thing"], interpreter, said.append)
    assert origin != tree
    assert (origin / "src" / "thing" / "_version.py").read_text() == "v"
    assert (origin / "src" / "thing" / "only.cpython-311.so").read_text() == "alone"
    assert not (tree / "src" / "thing" / "_version.py").exists()
    assert "made by the build, and added to the tree: src/thing/_version.py" in said[0]
    assert completed(found, tree, ["k", "thing"], interpreter, silent) == origin


def test_a_project_that_is_not_installed_says_nothing_about_its_layout(tmp_path: Path, write: Write) -> None:
    tree = write(tmp_path / "tree", {"lib/thing.py": ""})
    for name in ("thing-that-is-not-installed", ""):
        found = layout_of(ask(Path(sys.executable)), name, tree, (".", "src"))
        assert (found.roots, found.generated) == ((".", "src"), {})
