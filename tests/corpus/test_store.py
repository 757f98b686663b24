"""A corpus is written whole or not at all, by one writer, who may be killed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import bebug
from bebug.corpus import Store, cases, load, manifest
from bebug.errors import CorpusError

Make = Callable[..., Any]
RECIPE = {"class": ["off-by-one"], "rng": 0}
WRITER = """
import sys
from pathlib import Path
from bebug.corpus import Store
with Store(Path(sys.argv[1]), {"class": ["off-by-one"], "rng": 0}) as store:
    for n in range(1_000_000):
        store.remember(str(n), "env", {"n": n, "pad": "x" * 3000})
        print(n, flush=True)
"""


def writer(folder: Path) -> subprocess.Popen[str]:
    """Another process that keeps on finishing candidates in *folder*."""
    env = {**os.environ, "PYTHONPATH": str(Path(bebug.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder)], env=env, stdout=subprocess.PIPE, text=True
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_kill_9_keeps_all_that_was_finished_and_frees_the_folder(tmp_path: Path) -> None:
    done = -1
    for _ in range(3):
        with writer(tmp_path / "c") as process:
            assert process.stdout is not None
            for _ in range(25):
                done = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
        heard: list[str] = []
        with Store(tmp_path / "c", RECIPE, notify=heard.append) as store:
            for n in range(done + 1):
                assert store.recall(str(n), "env")["n"] == n
        assert "candidates are finished already" in heard[0]


def test_what_a_killed_writer_was_starting_is_waited_for(tmp_path: Path) -> None:
    """Between fork and exec, a child of the dead one holds its lock."""
    (tmp_path / "c").mkdir()
    heir = (
        "import fcntl, os, sys, time\n"
        "fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)\n"
        "print(flush=True)\n"
        "time.sleep(0.5)\n"
    )
    command = [sys.executable, "-c", heir, str(tmp_path / "c")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with Store(tmp_path / "c", RECIPE):
            pass


def test_a_second_writer_is_told_which_folder_is_taken(tmp_path: Path) -> None:
    with writer(tmp_path / "c") as process:
        assert process.stdout is not None
        process.stdout.readline()
        with (
            pytest.raises(CorpusError, match=r"another bebug is writing to .*c"),
            Store(tmp_path / "c", RECIPE),
        ):
            pass
        process.kill()


def test_what_was_finished_in_another_environment_or_under_another_key_is_not_recalled(
    tmp_path: Path,
) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", [1, None, {"a": "\u2028é"}])
        assert store.recall("k", "env") == [1, None, {"a": "\u2028é"}]
        assert store.recall("k", "other") is None
        assert store.recall("l", "env") is None


def test_another_recipe_starts_anew_says_so_and_does_not_cost_the_first_its_work(tmp_path: Path) -> None:
    heard: list[str] = []
    with Store(tmp_path / "c", RECIPE, notify=heard.append) as store:
        store.remember("k", "env", 1)
    with Store(tmp_path / "c", {**RECIPE, "rng": 1}, notify=heard.append) as store:
        assert store.recall("k", "env") is None
    with Store(tmp_path / "c", RECIPE, notify=heard.append) as store:
        assert store.recall("k", "env") == 1
    assert "starting anew" in heard[0]
    assert "another recipe" in heard[0]
    assert "going on" in heard[1]


def test_the_order_of_options_makes_no_other_recipe(tmp_path: Path) -> None:
    with Store(tmp_path / "c", {"a": 1, "b": 2}) as store:
        store.remember("k", "env", 1)
    with Store(tmp_path / "c", {"b": 2, "a": 1}) as store:
        assert store.recall("k", "env") == 1


def test_what_is_recalled_has_its_keys_in_the_order_in_which_they_were_given(tmp_path: Path) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", {"z": 1, "a": {"y": 2, "b": 3}})
        assert json.dumps(store.recall("k", "env")) == '{"z": 1, "a": {"y": 2, "b": 3}}'


def test_many_threads_may_remember(tmp_path: Path) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: store.remember(str(n), "env", n), range(200)))
        assert [store.recall(str(n), "env") for n in range(200)] == list(range(200))


def cut_off(path: Path) -> None:
    path.write_bytes(b"")


def overwrite(path: Path) -> None:
    path.write_bytes(b"not a database" * 100)


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


def scribble(path: Path) -> None:
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + os.urandom(4096) + raw[8192:])


def replace_by_another_database(path: Path) -> None:
    path.unlink()
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE finished (recipe TEXT)")
    base.commit()
    base.close()


@pytest.mark.parametrize("damage", [cut_off, overwrite, tear, scribble, replace_by_another_database])
def test_a_damaged_journal_is_an_error_and_stays(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    journal = tmp_path / "c" / "journal.sqlite"
    with Store(tmp_path / "c", RECIPE) as store:
        for n in range(20):
            store.remember(str(n), "env", "x" * 900)
    damage(journal)
    after = journal.read_bytes()
    with pytest.raises(CorpusError, match=r"journal\.sqlite"), Store(tmp_path / "c", RECIPE):
        pass
    assert journal.read_bytes() == after


def test_a_record_that_was_altered_is_not_believed(tmp_path: Path) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", {"status": "survived"})
    base = sqlite3.connect(tmp_path / "c" / "journal.sqlite")
    base.execute("""UPDATE finished SET payload = '{"status": "killed"}'""")
    base.commit()
    base.close()
    with (
        pytest.raises(CorpusError, match="does not match its digest"),
        Store(tmp_path / "c", RECIPE) as store,
    ):
        store.recall("k", "env")


def test_a_payload_that_json_cannot_hold_is_refused_at_once(tmp_path: Path) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        with pytest.raises(CorpusError, match="cannot be kept as JSON"):
            store.remember("k", "env", {1, 2})
        assert store.recall("k", "env") is None


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    (tmp_path / "manifest.json").write_text('{"name": "my web app"}')
    with pytest.raises(CorpusError, match=r"no corpus of bebug.*another folder"), Store(tmp_path, RECIPE):
        pass
    assert names(tmp_path) == ["manifest.json", "thesis.tex"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("")
    with pytest.raises(CorpusError, match="cannot write to"), Store(tmp_path / "c", RECIPE):
        pass


def test_notes_beside_a_corpus_of_ours_stay(tmp_path: Path, bad: Make, finish: Make) -> None:
    finish(tmp_path / "c", [bad(1)])
    (tmp_path / "c" / "notes.md").write_text("mine")
    finish(tmp_path / "c", [bad(2)])
    assert names(tmp_path / "c") == ["cases.jsonl", "manifest.json", "notes.md", "rejected.jsonl"]


def test_a_run_that_finished_nothing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Store(tmp_path / "c", RECIPE):
        raise RuntimeError
    assert not (tmp_path / "c").exists()


def test_a_run_that_fails_later_leaves_its_journal_alone(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
        raise RuntimeError
    assert names(tmp_path / "c") == ["journal.sqlite"]


def test_finishing_writes_the_same_bytes_in_any_order_and_drops_the_journal(
    tmp_path: Path, bad: Make, finish: Make
) -> None:
    made = [bad(n) for n in range(5)]
    refused = [{"id": f"r{n}", "reason": "survived"} for n in range(3)]
    finish(tmp_path / "one", made, refused)
    finish(tmp_path / "two", made[::-1], refused[::-1])
    assert names(tmp_path / "one") == ["cases.jsonl", "manifest.json", "rejected.jsonl"]
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    lines = (tmp_path / "one" / "cases.jsonl").read_bytes().split(b"\n")
    ids = [json.loads(line)["id"] for line in lines[:-1]]
    assert ids == sorted(case.id for case in made)
    assert lines[-1] == b""


def test_a_finished_store_takes_no_more(tmp_path: Path, bad: Make) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
        store.finish({"schema_version": 1, "corpus_rev": ""}, [bad()], [])
        with pytest.raises(CorpusError, match="is finished"):
            store.remember("l", "env", 1)


def test_ids_that_repeat_are_named_and_nothing_is_written(tmp_path: Path, bad: Make) -> None:
    case = bad()
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
        with pytest.raises(CorpusError, match=rf"repeat {case.id}$"):
            store.finish({}, [case, case], [])
    assert names(tmp_path / "c") == ["journal.sqlite"]


def test_a_twin_must_be_in_the_corpus_and_name_its_twin(tmp_path: Path, bad: Make, finish: Make) -> None:
    case = bad()
    twin = cases.repaired(case, base_patch=b"there", diff=b"back", span=(3, 3))
    with pytest.raises(CorpusError, match="as its twin"):
        finish(tmp_path / "c", [twin])
    with pytest.raises(CorpusError, match="as its twin"):
        finish(tmp_path / "c", [case, twin])
    finish(tmp_path / "c", [cases.paired(case, twin), twin])


@pytest.mark.parametrize("call", [0, 1, 2])
def test_a_full_disk_leaves_the_old_corpus_and_the_journal(
    tmp_path: Path, bad: Make, finish: Make, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    finish(tmp_path / "c", [bad(1)])
    before = contents(tmp_path / "c")
    calls = iter(range(100))

    def full(handle: int) -> None:
        if next(calls) == call:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(CorpusError, match="No space left"):
            store.finish({}, [bad(2)], [])
    after = contents(tmp_path / "c")
    del after["journal.sqlite"]
    assert after == before
    assert len(load(tmp_path / "c").cases) == 1


def test_a_kill_between_two_renames_is_noticed_and_mended_by_the_same_command(
    tmp_path: Path, bad: Make, finish: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(tmp_path / "c", [bad(1)])
    head = manifest.build(name="t", version="0", recipe={}, seeds=[], cases=[bad(2)], rejected=[])
    real = Path.replace

    def die_at_the_manifest(path: Path, target: Path) -> Path:
        if target.name == "manifest.json":
            raise KeyboardInterrupt
        return real(path, target)

    with (
        monkeypatch.context() as patched,
        pytest.raises(KeyboardInterrupt),
        Store(tmp_path / "c", RECIPE) as store,
    ):
        store.remember("k", "env", 1)
        patched.setattr(Path, "replace", die_at_the_manifest)
        store.finish(head, [bad(2)], [])
    with pytest.raises(CorpusError, match="was left while its corpus was replaced"):
        load(tmp_path / "c")
    finish(tmp_path / "c", [bad(2)])
    assert [case.id for case in load(tmp_path / "c").cases] == [bad(2).id]
    assert names(tmp_path / "c") == ["cases.jsonl", "manifest.json", "rejected.jsonl"]


def test_a_corpus_can_be_read_while_its_successor_is_built(tmp_path: Path, bad: Make, finish: Make) -> None:
    finish(tmp_path / "c", [bad(1)])
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
        assert [case.id for case in load(tmp_path / "c").cases] == [bad(1).id]


def test_a_journal_that_was_moved_with_its_folder_goes_on(tmp_path: Path) -> None:
    with Store(tmp_path / "c", RECIPE) as store:
        store.remember("k", "env", 1)
    shutil.move(tmp_path / "c", tmp_path / "d")
    with Store(tmp_path / "d", RECIPE) as store:
        assert store.recall("k", "env") == 1
