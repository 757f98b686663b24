"""The cache: its place, its locks, its private folders and what becomes of those of the dead."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from bebug.errors import MachineError
from bebug.seeds.cache import cache_folder, exclusive, private_folder, remove, sweep

HOLD = """
import sys, time
from pathlib import Path
from bebug.seeds.cache import exclusive, private_folder
with private_folder("held-", Path(sys.argv[1])) as folder, exclusive("key"):
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)


def test_the_cache_is_the_users_unless_told_otherwise(
    cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert cache_folder() == cache
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    monkeypatch.delenv("BEBUG_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache_folder() == Path(platformdirs.user_cache_dir("bebug"))
    assert cache_folder().is_relative_to(tmp_path)


def test_a_cache_that_cannot_be_made_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(tmp_path / "file" / "below"))
    with pytest.raises(MachineError, match="set BEBUG_CACHE_DIR to a folder of yours"):
        cache_folder()


def test_a_private_folder_is_gone_afterwards_whatever_it_holds(tmp_path: Path) -> None:
    with private_folder("p-", tmp_path) as folder:
        assert folder.stat().st_mode & 0o077 == 0
        (folder / "deep").mkdir()
        (folder / "deep" / "file").touch()
        (folder / "deep").chmod(0o500)
        (folder / "link").symlink_to(tmp_path)
    assert not folder.exists()
    assert tmp_path.exists()
    remove(folder)


def test_only_the_folders_of_the_dead_are_swept(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdout
    held = Path(holder.stdout.readline().strip())
    with private_folder("held-", tmp_path) as mine:
        sweep("held-", tmp_path)
        assert mine.exists()
        assert held.exists()
        holder.kill()
        holder.communicate()
        assert held.exists()
        sweep("held-", tmp_path)
        assert mine.exists()
        assert not held.exists()


def test_a_lock_ends_with_its_holder(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    assert holder.stdout
    holder.stdout.readline()
    code = "from bebug.seeds.cache import exclusive\nwith exclusive('key'): print('mine')"
    second = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with pytest.raises(subprocess.TimeoutExpired):
        second.communicate(timeout=1.5)
    holder.kill()
    holder.communicate()
    assert second.communicate(timeout=20)[0] == "mine\n"
    with exclusive("odd/../key name"):
        pass
