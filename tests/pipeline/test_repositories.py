"""Repositories as people leave them: installed in place, compiled before, under git, with odd files."""

from __future__ import annotations

import importlib.util
import json
import os
import py_compile
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.mutation.diffs import unified
from bebug.pipeline.observer import Silent
from bebug.pipeline.proving import Proof, prove
from bebug.verification import Limits

CORE = b"def below(i, n):\r\n    return i < n\r\n\r\n\r\ndef above(i, n):\r\n    return i > n\r\n"
EDGES = "def least(xs):\n    return xs[0] < 1\n"
TESTS = """\
import pathlib
import subprocess

from shelf.core import above, below
from shelf.edges import least

ROOT = pathlib.Path(__file__).parent.parent


def test_below():
    assert below(1, 2) and not below(2, 2)


def test_above():
    assert above(2, 1)


def test_least():
    assert least([0]) and not least([1])


def test_version():
    done = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean checkout with CRLF in its tree alone, installed in place into its own `.venv`, run before."""
    repo = tmp_path_factory.mktemp("repo") / "shelf"
    files = {
        ".gitattributes": b"*.py text eol=crlf\n",
        ".gitignore": b".venv/\n__pycache__/\n",
        "pyproject.toml": (
            b'[project]\nname = "shelf"\nversion = "1"\n[tool.pytest.ini_options]\n'
            b'addopts = "-p no:hypothesispytest -p no:anyio"\n'  # slow to load
        ),
        "src/shelf/__init__.py": b"",
        "src/shelf/core.py": CORE,
        "src/shelf/edges.py": EDGES.replace("\n", "\r\n").encode(),
        "tests/test_core.py": TESTS.encode(),
    }
    for name, content in files.items():
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_bytes(content)
    clean = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        subprocess.run(git, cwd=repo, env=clean, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", repo / ".venv"], check=True)
    (site,) = (repo / ".venv" / "lib").glob("python*/site-packages")
    borrowed = Path(pytest.__file__).parent.parent
    (site / "installed.pth").write_text(f"{repo / 'src'}\n{borrowed}\n")
    compiled(repo / "src" / "shelf" / "core.py", py_compile.PycInvalidationMode.UNCHECKED_HASH)
    compiled(repo / "src" / "shelf" / "edges.py", py_compile.PycInvalidationMode.TIMESTAMP)
    return repo


def compiled(file: Path, mode: py_compile.PycInvalidationMode) -> None:
    cached = importlib.util.cache_from_source(str(file))
    py_compile.compile(str(file), cfile=cached, doraise=True, invalidation_mode=mode)


def verdict(repo: Path, *edits: tuple[str, bytes, bytes]) -> Proof:
    diff = b""
    for name, old, new in edits:
        path = f"src/shelf/{name}"
        before = (repo / path).read_bytes()
        assert before.count(old) == 1
        diff += unified(path, before, before.replace(old, new))
    return prove(str(repo), diff, python=None, pytest_args=(), limits=Limits(), observer=Silent())


def test_what_is_edited_is_what_runs_and_not_what_is_installed_or_compiled(repository: Path) -> None:
    """The second edit keeps the size of its file, which is all that Python looks at besides its time."""
    proof = verdict(repository, ("core.py", b"i < n", b"i <= n"), ("edges.py", b"xs[0] < 1", b"xs[0] > 1"))
    failing = ("tests/test_core.py::test_below", "tests/test_core.py::test_least")
    assert (proof.verdict, proof.fail_to_pass) == ("killed", failing)


def test_a_test_that_wants_a_clean_checkout_makes_no_harmless_edit_bad(repository: Path) -> None:
    proof = verdict(repository, ("core.py", b"    return i > n", b"    return n < i  # the same"))
    assert (proof.verdict, proof.fail_to_pass) == ("survived", ())
    assert proof.set_aside == ("tests/test_core.py::test_version",)


# --------------------------------------------------------------------------------- odd files beside good ones

ODD = {
    "shop/bytes.py": b"# caf\xe9\ndef over(a, b):\n    return a > b\n",
    "shop/blob.py": b"\x00\x01\x02PNG\x00 i < n",
    "shop/two.py": b"print 'i < n'\n",
    "shop/half.py": b"def over(a, b):\n    return a >\n",
    "shop/{{name}}.py": b"import {{name}}\n\nover = lambda a, b: a > b\n",
    "shop/long.py": b"TOTAL = " + b" + ".join(b"%d" % n for n in range(2500)) + b"\n",
    "shop/empty.py": b"",
    "shop/blank.py": b"\n  \n\n",
    "shop/comment.py": b"# if i < n: xs[0]\n",
    "shop/docs.py": b'"""if i < n: xs[0]"""\n',
    "shop/newer.py": b"def over(a, b):\n    return a > b\n\n\nbreak\n",
}
UNREADABLE = {"bytes", "blob", "two", "half", "{{name}}", "long"}


def rows(corpus: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (corpus / name).read_text("ascii").split("\n") if line]


def test_files_that_cannot_be_read_are_named_and_the_others_planted_in(
    tmp_path: Path, built: Callable[..., Any], write_shop: Callable[[Path], Path]
) -> None:
    repo = write_shop(tmp_path / "shop")
    for name, content in ODD.items():
        (repo / name).write_bytes(content)
    summary = built(repo, tmp_path / "out", names=("off-by-one",), jobs=1, controls=False)
    assert {Path(path).stem for path in summary.unreadable} == UNREADABLE
    assert all(reason and reason.isprintable() for reason in summary.unreadable.values())
    assert {row["path"] for row in rows(tmp_path / "out", "cases.jsonl")} == {"shop/shelf.py"}
    told = {(row["path"], row["reason"]) for row in rows(tmp_path / "out", "rejected.jsonl")}
    assert {each for each in told if each[0] != "shop/shelf.py"} == {("shop/newer.py", "no_tests")}
