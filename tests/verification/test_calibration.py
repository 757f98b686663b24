"""Proving the instrument: canaries and edits that change nothing."""

from __future__ import annotations

import os
import py_compile
from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.errors import SeedError
from bebug.records import Status
from bebug.verification import Idle, Laboratory, Limits, judge
from bebug.verification.calibration import module_names

Make = Callable[..., Laboratory]
CORE = "def below(i, n):\n    return i < n\n"
TEST = "from pkg.core import below\ndef test_below():\n    assert below(1, 2) and not below(2, 2)\n"
INI = {"pytest.ini": "[pytest]\npythonpath = .\n"}
FILES = {**INI, "pkg/__init__.py": "", "pkg/core.py": CORE, "test_core.py": TEST}


def test_a_file_that_runs_is_not_idle_and_one_that_nothing_runs_is(laboratory: Make) -> None:
    bench = laboratory({**FILES, "pkg/lonely.py": "x = 1\n", "pkg/newer.py": "def f(:\n"})
    found = bench.calibrate(["pkg/core.py", "pkg/lonely.py", "pkg/newer.py", "pkg/core.py"])
    nothing = Idle(reason="nothing in the suite executes it", elsewhere=False)
    assert found.idle == {"pkg/lonely.py": nothing, "pkg/newer.py": nothing}
    assert (found.set_aside, found.source_readers) == ((), ())
    assert bench.idle("pkg/lonely.py") == nothing and bench.idle("pkg/core.py") is None


def test_a_file_that_only_a_subprocess_runs_is_not_idle(laboratory: Make) -> None:
    test = (
        "import subprocess, sys\n"
        "def test_cli():\n    assert subprocess.run([sys.executable, '-m', 'pkg.tool']).returncode == 3\n"
    )
    bench = laboratory({**FILES, "pkg/tool.py": "import sys\nsys.exit(3)\n", "test_cli.py": test})
    assert bench.calibrate(["pkg/tool.py"]).idle == {}


def test_an_installed_copy_is_found_out(laboratory: Make, tmp_path: Path) -> None:
    installed = tmp_path / "site" / "shadowed"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text("")
    (installed / "core.py").write_text(CORE)
    files = {
        "lib/shadowed/__init__.py": "",
        "lib/shadowed/core.py": CORE,
        "conftest.py": f"import sys\nsys.path.insert(0, {str(tmp_path / 'site')!r})\n",
        "test_core.py": TEST.replace("pkg", "shadowed"),
    }
    bench = laboratory(files, limits=Limits(sandbox="limits"))
    found = bench.calibrate(["lib/shadowed/core.py"]).idle["lib/shadowed/core.py"]
    assert found.elsewhere
    assert (
        found.reason
        == f"not loaded from the work copy: tests import {os.path.realpath(installed / 'core.py')}"
    )


def test_a_compiled_twin_is_found_out(laboratory: Make, tmp_path: Path) -> None:
    """A finder that prefers what lies compiled beside the source, as extension modules do."""
    (tmp_path / "core.py").write_text(CORE)
    py_compile.compile(str(tmp_path / "core.py"), cfile=str(tmp_path / "core.bin"), doraise=True)
    loader = (
        "import importlib.util, pathlib, sys\n"
        "from importlib.machinery import SourcelessFileLoader\n"
        "class Finder:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name == 'pkg.core':\n"
        "            twin = str(pathlib.Path(__file__).parent / 'pkg' / 'core.bin')\n"
        "            loader = SourcelessFileLoader(name, twin)\n"
        "            return importlib.util.spec_from_file_location(name, twin, loader=loader)\n"
        "sys.meta_path.insert(0, Finder)\n"
    )
    files = {**FILES, "conftest.py": loader, "pkg/core.bin": (tmp_path / "core.bin").read_bytes()}
    found = laboratory(files).calibrate(["pkg/core.py"]).idle["pkg/core.py"]
    assert found == Idle(reason="not loaded from the work copy: tests import pkg/core.bin", elsewhere=True)


def test_a_canary_that_is_swallowed_does_not_make_a_loaded_file_idle(laboratory: Make) -> None:
    optional = "try:\n    import pkg.fast\nexcept Exception:\n    pass\ndef test_it(): pass\n"
    bench = laboratory({**FILES, "pkg/fast.py": "x = 1\n", "test_fast.py": optional})
    assert bench.calibrate(["pkg/fast.py"]).idle == {}


def test_a_test_that_fails_only_once_is_flaky_and_no_reader(laboratory: Make, tmp_path: Path) -> None:
    test = (
        "import pathlib, pkg.core\n"
        f"COUNT = pathlib.Path({str(tmp_path / 'count')!r})\n"
        "def test_moody():\n"
        "    if '#' in pathlib.Path(pkg.core.__file__).read_text():\n"
        "        first = not COUNT.exists()\n"
        "        COUNT.touch()\n"
        "        assert not first\n"
    )
    bench = laboratory({**FILES, "test_moody.py": test}, limits=Limits(sandbox="limits"))
    found = bench.calibrate(["pkg/core.py"])
    assert (found.set_aside, found.source_readers) == (("test_moody.py::test_moody",), ())
    assert found.notes == ("set aside, passing only now and then: test_moody.py::test_moody",)


READERS = """
import inspect, pathlib
import pkg.core as core

def test_source():
    assert inspect.getsource(core.below) == "def below(i, n):\\n    return i < n\\n"

def test_lines():
    assert len(pathlib.Path(core.__file__).read_text().splitlines()) == 2

def test_behaviour():
    assert core.below(1, 2) and core.below.__code__.co_firstlineno == 1
"""


def test_tests_that_look_at_the_source_are_found(laboratory: Make) -> None:
    bench = laboratory({**FILES, "test_src.py": READERS})
    found = bench.calibrate(["pkg/core.py"])
    assert found.set_aside == ("test_src.py::test_lines",)
    assert found.source_readers == ("test_src.py::test_source",)
    assert "test_src.py::test_lines" in bench.set_aside
    assert set(bench.current.green) == {
        "test_core.py::test_below",
        "test_src.py::test_source",
        "test_src.py::test_behaviour",
    }
    assert bench.source_readers == {"test_src.py::test_source"}
    assert any("test_lines" in note for note in found.notes)
    comment = {"pkg/core.py": CORE.encode() + b"# nothing\n"}
    assert judge(bench.current, bench.run(comment)).status is Status.SURVIVED


def test_a_suite_that_checks_its_files_before_it_starts_cannot_serve(laboratory: Make) -> None:
    guard = "import pathlib\nassert len((pathlib.Path(__file__).parent / 'pkg/core.py').read_bytes()) == 34\n"
    assert len(CORE) == 34
    bench = laboratory({**FILES, "conftest.py": guard})
    with pytest.raises(SeedError, match=r"a comment in pkg/core\.py keeps the suite from running"):
        bench.calibrate(["pkg/core.py"])


def test_nothing_to_calibrate_is_nothing_found(laboratory: Make) -> None:
    assert laboratory(FILES).calibrate([]).idle == {}


def test_names_of_a_module_begin_at_roots_and_at_its_package(tmp_path: Path) -> None:
    for folder in ("src/pkg/sub", "lib"):
        (tmp_path / folder).mkdir(parents=True)
    for package in ("src/pkg", "src/pkg/sub"):
        (tmp_path / package / "__init__.py").touch()
    assert module_names(tmp_path, "src/pkg/sub/m.py", [".", "src"]) == ["src.pkg.sub.m", "pkg.sub.m"]
    assert module_names(tmp_path, "src/pkg/__init__.py", ["."]) == ["src.pkg", "pkg"]
    assert module_names(tmp_path, "lib/m.py", ["other"]) == ["m"]
