"""Private copies, and what is left of them when their owner dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bebug.errors import MachineError, UsageError
from bebug.verification.process import related
from bebug.verification.sandbox import Sandbox

OWNER = r"""
import sys, threading, time
from pathlib import Path
from bebug.verification.sandbox import Sandbox

sandbox = Sandbox(Path(sys.argv[1]))
print(sandbox.folder, sandbox.token, flush=True)
code = "import subprocess, sys, time\nsleep = 'import time; time.sleep(60)'\n"
code += "subprocess.Popen([sys.executable, '-c', sleep], start_new_session=True)\n"
code += "time.sleep(60)"

def run():
    with sandbox.room({}) as room:
        (room.tree / "started").touch()
        sandbox.execute([sys.executable, "-c", code], cwd=room.tree, env={}, seconds=60, memory=4 << 30)

if sys.argv[2] == "thread":
    threading.Thread(target=run).start()
    time.sleep(60)
try:
    run()
finally:
    sandbox.close()
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "seed"
    (tree / "pkg").mkdir(parents=True)
    (tree / "pkg" / "core.py").write_text("x = 1\n")
    (tree / "run.sh").write_text("#!/bin/sh\n")
    (tree / "run.sh").chmod(0o755)
    (tree / "alias").symlink_to("pkg")
    (tree / "dangling").symlink_to("missing/target")
    (tree / "loop").symlink_to("..")
    (tree / "absolute").symlink_to(tree / "pkg" / "core.py")
    return tree


@pytest.mark.parametrize("how", ["kill", "interrupt", "thread"])
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_nothing_outlives_its_owner(tree: Path, how: str) -> None:
    command = [sys.executable, "-c", OWNER, str(tree), how]
    owner = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert owner.stdout is not None
    folder, token = owner.stdout.readline().split()
    mark = f"BEBUG_TOKEN={token}".encode()
    wait_for(lambda: len(related(-1, mark)) >= 2)
    owner.send_signal(signal.SIGINT if how == "interrupt" else signal.SIGKILL)
    owner.wait(30)
    owner.stdout.close()
    wait_for(lambda: not related(-1, mark) and not Path(folder).exists())


def wait_for(condition: object, seconds: float = 20) -> None:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_links_stay_links_and_point_into_the_copy(tree: Path) -> None:
    sandbox = Sandbox(tree)
    try:
        with sandbox.room({}) as room:
            assert (room.tree / "alias").readlink() == Path("pkg")
            assert (room.tree / "dangling").is_symlink()
            assert (room.tree / "loop").readlink() == Path("..")
            assert (room.tree / "absolute").readlink() == room.tree / "pkg" / "core.py"
            assert os.access(room.tree / "run.sh", os.X_OK)
            same = tree.joinpath("pkg", "core.py").stat().st_mtime_ns
            assert room.tree.joinpath("pkg", "core.py").stat().st_mtime_ns == same
    finally:
        sandbox.close()


def test_rooms_share_nothing_and_the_seed_is_not_written_to(tree: Path) -> None:
    sandbox = Sandbox(tree)
    try:
        with (
            sandbox.room({"pkg/core.py": b"y", "pkg/sub/new.py": b"n", "run.sh": None}) as one,
            sandbox.room({}) as two,
        ):
            (one.tree / "absolute").write_text("through a link")
            assert not (one.tree / "run.sh").exists()
            assert (two.tree / "pkg" / "core.py").read_text() == "x = 1\n"
            assert not (two.tree / "pkg" / "sub").exists()
        assert (tree / "pkg" / "core.py").read_text() == "x = 1\n"
        assert (tree / "run.sh").exists()
        assert list(sandbox.folder.iterdir()) == []
    finally:
        sandbox.close()
    assert not sandbox.folder.exists()


def test_a_room_without_write_permission_is_removed_too(tree: Path) -> None:
    sandbox = Sandbox(tree)
    with sandbox.room({}) as room:
        (room.tree / "pkg").chmod(0o500)
    assert not room.folder.exists()
    sandbox.close()


def test_a_room_that_may_not_be_read_is_removed_too(tree: Path) -> None:
    """And what a link in it leads to keeps its mode."""
    (tree.parent / "elsewhere").mkdir(mode=0o750)
    sandbox = Sandbox(tree)
    with sandbox.room({}) as room:
        (room.tree / "pkg" / "link").symlink_to(tree.parent / "elsewhere")
        (room.tree / "pkg").chmod(0)
        room.tree.chmod(0)
    assert not room.folder.exists()
    assert (tree.parent / "elsewhere").stat().st_mode & 0o777 == 0o750
    sandbox.close()


@pytest.mark.parametrize("name", ["../out.py", "loop/out.py", "/etc/passwd", "pkg/../../out.py"])
def test_an_overlay_cannot_leave_the_tree(tree: Path, name: str) -> None:
    sandbox = Sandbox(tree)
    try:
        with pytest.raises(UsageError, match="leads out"), sandbox.room({name: b"x"}):
            pass
        assert not (tree.parent / "out.py").exists()
    finally:
        sandbox.close()


def test_a_closed_sandbox_starts_nothing(tree: Path) -> None:
    sandbox = Sandbox(tree)
    sandbox.close()
    sandbox.close()
    with pytest.raises(MachineError, match="closed"):
        sandbox.execute([sys.executable, "-c", "pass"], cwd=tree, env={}, seconds=1, memory=1 << 30)


def test_the_scratch_folder_lies_where_temporary_files_go(tree: Path) -> None:
    sandbox = Sandbox(tree)
    assert sandbox.folder.parent == Path(os.path.realpath(tempfile.gettempdir()))
    sandbox.close()
