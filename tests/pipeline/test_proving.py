"""One verdict for one diff: what the tests say of it, and an error where they cannot say anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.errors import SeedError, UsageError
from bebug.mutation.diffs import unified
from bebug.pipeline.observer import Silent
from bebug.pipeline.proving import Proof, prove
from bebug.verification import Limits

WriteShop = Callable[[Path], Path]


def verdict(repo: Path, diff: bytes, sandbox: str = "auto") -> Proof:
    return prove(
        str(repo),
        diff,
        python=Path(sys.executable),
        pytest_args=(),
        limits=Limits(sandbox=sandbox),
        observer=Silent(),
    )


def edit(repo: Path, path: str, old: bytes, new: bytes) -> bytes:
    before = (repo / path).read_bytes()
    assert before.count(old) == 1
    return unified(path, before, before.replace(old, new))


def test_a_fault_is_killed_and_the_first_failure_is_told(shop: Path) -> None:
    proof = verdict(shop, edit(shop, "shop/shelf.py", b"i < n", b"i <= n"))
    assert (proof.verdict, proof.fail_to_pass) == ("killed", ("tests/test_shelf.py::test_below",))
    assert proof.failure is not None and proof.failure.exception == "AssertionError"


def test_a_test_that_passes_every_other_time_does_not_make_a_harmless_change_bad(
    tmp_path: Path, write_shop: WriteShop
) -> None:
    repo, count = write_shop(tmp_path / "shop"), tmp_path / "count"
    (repo / "tests" / "test_odd.py").write_text(
        f"import pathlib\n\nCOUNT = pathlib.Path({str(count)!r})\n\n"
        "def test_odd():\n"
        "    n = int(COUNT.read_text()) if COUNT.exists() else 0\n"
        "    COUNT.write_text(str(n + 1))\n"
        "    assert n % 2 == 0\n"
    )
    proof = verdict(
        repo, edit(repo, "shop/shelf.py", b"A shelf of things.", b"A shelf of many things."), "limits"
    )
    assert proof.verdict == "survived"
    assert proof.set_aside == ("tests/test_odd.py::test_odd",)


def test_a_file_that_this_python_cannot_compile_is_run_by_no_test(
    tmp_path: Path, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "shop" / "old.py").write_text("print 'python 2'\n")
    proof = verdict(repo, edit(repo, "shop/old.py", b"python 2", b"python two"))
    assert proof.verdict == "no_tests"
    assert "shop/old.py" in proof.notes[-1]


def test_a_file_that_nothing_loads_survives_with_a_note(tmp_path: Path, write_shop: WriteShop) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "shop" / "idle.py").write_text("LIMIT = 1\n")
    proof = verdict(repo, edit(repo, "shop/idle.py", b"1", b"2"))
    assert proof.verdict == "survived"
    assert any("shop/idle.py" in note for note in proof.notes)


def test_no_verdict_where_the_tests_load_the_module_from_elsewhere(
    tmp_path: Path, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    twin = write_shop(tmp_path / "installed")
    (repo / "tests" / "conftest.py").write_text(f"import sys\nsys.path.insert(0, {str(twin)!r})\n")
    with pytest.raises(SeedError, match=r"shop/shelf\.py"):
        verdict(repo, edit(repo, "shop/shelf.py", b"i < n", b"i <= n"), "limits")


@pytest.mark.parametrize("diff", [b"", b"not a diff\n", b"--- a/shop/shelf.py\n+++ b/shop/shelf.py\n"])
def test_what_is_no_diff_is_refused(shop: Path, diff: bytes) -> None:
    with pytest.raises(UsageError):
        verdict(shop, diff)


def test_a_diff_that_is_in_the_tree_already_is_proved_against_the_tree_without_it(
    tmp_path: Path, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    diff = edit(repo, "shop/shelf.py", b"i < n", b"i <= n")
    edited = (repo / "shop" / "shelf.py").read_bytes().replace(b"i < n", b"i <= n")
    (repo / "shop" / "shelf.py").write_bytes(edited)
    proof = verdict(repo, diff)
    assert (proof.verdict, proof.fail_to_pass) == ("killed", ("tests/test_shelf.py::test_below",))
    assert "in the tree already" in proof.notes[0]
    assert (repo / "shop" / "shelf.py").read_bytes() == edited


LOCK = """
import pathlib

LOCK = pathlib.Path({path!r})


def test_lock():
    assert not LOCK.exists()
    LOCK.write_text("mine")
    assert below(1, 2) and not below(2, 2)
    LOCK.unlink()
"""


def test_no_verdict_where_a_failing_test_leaves_something_behind(
    tmp_path: Path, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    lock = LOCK.format(path=str(tmp_path / "lock"))
    (repo / "tests" / "test_lock.py").write_text("from shop.shelf import below\n" + lock)
    with pytest.raises(SeedError, match="leave something behind"):
        verdict(repo, edit(repo, "shop/shelf.py", b"i < n", b"i <= n"), "limits")
