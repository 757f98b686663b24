"""Cleaning the cache: by last use, never under a live run, the dead's folders with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.seeds import SeedFile, fetch, open_workspace, shelf
from bebug.seeds.cache import lock_file, shared
from bebug.seeds.cleaning import DAY, Item, clean, due, items, size_of
from bebug.seeds.fetch import fetched_folder
from bebug.seeds.shelves import GATE, held_key

HERE = Path(sys.executable)

RUN = """
import sys, time
from pathlib import Path
from bebug.seeds import open_workspace, shelf
with open_workspace(sys.argv[1], python=Path(sys.executable)) as workspace:
    print(shelf(workspace), workspace.tree, flush=True)
    time.sleep(60)
"""


def silent(line: str) -> None:
    """No progress wanted."""


def cleaned(days: float = 0.0) -> tuple[list[str], list[str], int]:
    done = clean(days=days, now=time.time() + 1, notify=silent)
    return [item.name for item in done.removed], [item.name for item in done.held], done.swept


@pytest.fixture
def run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], subprocess.Popen[str]]:
    """Start a run that holds a workspace of the repository."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    command = [sys.executable, "-c", RUN, str(repository)]
    return lambda: subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_what_a_live_run_holds_stays_and_goes_when_it_is_dead(
    run: Callable[[], subprocess.Popen[str]], tiny: SeedFile
) -> None:
    fetch(tiny)
    process = run()
    assert process.stdout
    kept, tree = map(Path, process.stdout.readline().split())
    removed, held, left = cleaned()
    assert (removed, left) == ([f"sdists/{fetched_folder(tiny).name}"], 0)
    assert held[0] == f"shelves/{kept.name}" and [each.partition("-")[0] for each in held[1:]] == ["hypothesis"]
    assert kept.is_dir() and tree.is_dir() and not fetched_folder(tiny).exists()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert cleaned() == (held, [], 1)
    assert not kept.exists() and not tree.parent.exists()
    assert items() == ()


def test_only_what_was_not_used_for_so_long_goes(repository: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        kept = shelf(workspace)
    key, long_ago = held_key(f"shelves/{kept.name}"), time.time() - 9.5 * DAY
    os.utime(kept, (long_ago, long_ago))
    assert cleaned(days=9) == ([], [], 0)
    os.utime(lock_file(key), (long_ago, long_ago))
    with open_workspace(str(repository), python=HERE):
        pass
    assert cleaned(days=9) == ([], [], 0)
    os.utime(lock_file(key), (long_ago, long_ago))
    assert cleaned(days=10) == ([], [], 0)
    assert cleaned(days=9) == ([f"shelves/{kept.name}"], [], 0)
    assert not lock_file(key).exists()


def test_looking_at_the_cache_is_no_use_of_it(cache: Path) -> None:
    (cache / "mirrors" / "m").mkdir(parents=True)
    os.utime(cache / "mirrors" / "m", (0, 0))
    (cache / "coverage-x").mkdir()
    assert [item.name for item in items()] == ["mirrors/m", "coverage-x"]
    assert items()[0].used == 0
    assert due(items(), days=1, now=time.time()) == items()[:1]


def test_a_file_of_two_names_takes_its_place_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 100_000)
    once = size_of(tmp_path)
    assert once >= 100_000
    os.link(tmp_path / "a", tmp_path / "b")
    (tmp_path / "link").symlink_to("a")
    assert size_of(tmp_path) < once + 10_000


def test_cleaning_waits_for_who_is_making_something_ready(cache: Path) -> None:
    code = "import time; from bebug.seeds.cleaning import clean\n"
    code += "clean(days=0, now=time.time() + 1, notify=lambda line: print(line, flush=True)); print('done')"
    (cache / "shelves" / "s").mkdir(parents=True)
    with shared(GATE):
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert process.stdout
        assert process.stdout.readline().startswith("waiting for another bebug to finish")
        assert (cache / "shelves" / "s").is_dir()
    assert process.communicate(timeout=30)[0] == "done\n"
    assert not (cache / "shelves" / "s").exists()


def test_an_item_is_due_from_the_very_day(tmp_path: Path) -> None:
    item = Item(name="n", path=tmp_path, size=0, used=0.0)
    assert due((item,), days=2, now=2 * DAY) == (item,)
    assert due((item,), days=2, now=2 * DAY - 1) == ()
