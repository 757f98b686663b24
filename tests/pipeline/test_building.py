"""A corpus holds what was proved, says how, and is the same whoever makes it."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bebug.errors import NothingFound, SeedError
from bebug.mutation.diffs import unified

Build = Callable[..., Any]
WriteShop = Callable[[Path], Path]


def rows(corpus: Path, name: str = "cases.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (corpus / name).read_text("ascii").split("\n") if line]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def outcomes(tree: Path) -> dict[str, str]:
    """What a plain pytest says of each test in *tree*, from its own summary."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "--tb=no"],
        cwd=tree,
        env=env,
        capture_output=True,
        text=True,
    )
    lines = (line.split(" - ")[0].split(" ", 1) for line in done.stdout.splitlines())
    return {words[1]: words[0] for words in lines if words[0] in ("PASSED", "FAILED", "ERROR")}


def with_diff(shop: Path, folder: Path, *diffs: str) -> Path:
    tree = folder / "tree"
    shutil.copytree(shop, tree)
    for diff in filter(None, diffs):
        subprocess.run(["git", "apply", "-"], cwd=tree, input=diff.encode(), check=True)
    return tree


def test_every_bad_case_fails_exactly_the_tests_that_it_names(
    shop: Path, corpus: Path, tmp_path: Path
) -> None:
    bad = [row for row in rows(corpus) if row["label"] == "bad"]
    assert len(bad) >= 4
    for number, row in enumerate(bad):
        found = outcomes(with_diff(shop, tmp_path / str(number), row["diff"]))
        assert (
            sorted(test for test, word in found.items() if word != "PASSED")
            == row["evidence"]["fail_to_pass"]
        )


def test_every_good_case_leaves_the_suite_green_and_a_twin_cures_its_defect(
    shop: Path, corpus: Path, tmp_path: Path
) -> None:
    good = [row for row in rows(corpus) if row["label"] == "good"]
    assert {row["evidence"]["proof"] for row in good} == {"fixes", "preserves"}
    for number, row in enumerate(good):
        after = outcomes(with_diff(shop, tmp_path / f"{number}a", row["base_patch"], row["diff"]))
        assert set(after.values()) == {"PASSED"}
        if row["twin"]:
            before = outcomes(with_diff(shop, tmp_path / f"{number}b", row["base_patch"]))
            assert (
                sorted(t for t, word in before.items() if word != "PASSED") == row["evidence"]["fail_to_pass"]
            )


def test_a_survivor_is_no_case_and_is_told_as_a_hole(corpus: Path) -> None:
    assert "unwatched" not in {row["function"] for row in rows(corpus) if row["label"] == "bad"}
    told = [row for row in rows(corpus, "rejected.jsonl") if row["function"] == "unwatched"]
    assert [row["reason"] for row in told] == ["unproved_by_tests"]
    assert told[0]["witness"]["call"] == "unwatched(7)"
    assert "-    return i <= 7\n+    return i < 7\n" in told[0]["diff"]


def test_a_bad_case_and_its_twin_tell_a_critic_the_same(corpus: Path) -> None:
    by_id = {row["id"]: row for row in rows(corpus)}
    pairs = [(row, by_id[row["twin"]]) for row in by_id.values() if row["twin"]]
    assert pairs
    for one, other in pairs:
        assert (one["title"], one["body"]) == (other["title"], other["body"])
        assert one["label"] != other["label"] and other["twin"] == one["id"]


def test_nothing_that_a_critic_sees_names_label_or_class(corpus: Path) -> None:
    words = {"bad", "good", "mutant", "bug", "defect", "fault", "off-by-one", "null", "control", "fix"}
    for row in rows(corpus):
        shown = f"{row['title']} {row['body']} {row['id']}".lower()
        assert not words & set(shown.replace("-", " ").replace(".", " ").split()), shown


def test_the_number_of_workers_changes_no_byte(
    shop: Path, corpus: Path, tmp_path: Path, built: Build
) -> None:
    built(shop, tmp_path / "all", jobs=1)
    assert contents(tmp_path / "all") == contents(corpus)


def test_a_limit_keeps_the_same_cases_whatever_the_number_of_workers(
    shop: Path, tmp_path: Path, built: Build
) -> None:
    one = built(shop, tmp_path / "a", jobs=1, names=("off-by-one",), limit=1)
    built(shop, tmp_path / "b", jobs=3, names=("off-by-one",), limit=1)
    assert one.cases == 1
    for name in ("cases.jsonl", "rejected.jsonl"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_another_file_changes_no_id(
    shop: Path, corpus: Path, tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    more = write_shop(tmp_path / "shop")
    (more / "shop" / "till.py").write_text("def due(a, b):\n    return a >= b\n")
    (more / "tests" / "test_till.py").write_text(
        "from shop.till import due\n\ndef test_due():\n    assert due(2, 2)\n"
    )
    built(more, tmp_path / "all")
    ids = {row["id"] for row in rows(tmp_path / "all")}
    assert {row["id"] for row in rows(corpus) if row["twin"]} < ids
    # Of the controls some are drawn, so that a new one may come in an old one's place.
    known = {row["diff"]: row["id"] for row in rows(tmp_path / "all") if not row["twin"]}
    controls = [row for row in rows(corpus) if not row["twin"]]
    assert all(known.get(row["diff"], row["id"]) == row["id"] for row in controls)


def test_the_users_tree_is_never_written_to(tmp_path: Path, built: Build, write_shop: WriteShop) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "tests" / "test_shelf.py").write_text(
        "import pathlib\nfrom shop.shelf import below\n\n"
        "def test_below():\n    pathlib.Path('left.txt').write_text('x')\n"
        "    assert below(1, 2) and not below(2, 2)\n"
    )
    before = contents(repo)
    built(repo, tmp_path / "out", names=("off-by-one",), controls=False)
    assert contents(repo) == before


def test_nothing_proved_is_an_error_that_says_why_and_the_survivors_are_kept(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "tests" / "test_shelf.py").write_text(
        "import shop.shelf\n\ndef test_nothing():\n    assert shop\n"
    )
    with pytest.raises(NothingFound) as caught:
        built(repo, tmp_path / "out", names=("off-by-one",))
    assert sum(caught.value.reasons.values()) >= 3
    assert rows(tmp_path / "out", "rejected.jsonl")


def test_a_red_baseline_is_an_error_with_pytests_own_words(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "tests" / "test_shelf.py").write_text("def test_red():\n    assert 'apples' == 'pears'\n")
    with pytest.raises(SeedError) as caught:
        built(repo, tmp_path / "out")
    assert "test_red" in caught.value.message + caught.value.detail
    assert not (tmp_path / "out" / "cases.jsonl").exists()


def test_a_file_that_no_test_loads_gives_no_case(tmp_path: Path, built: Build, write_shop: WriteShop) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "shop" / "idle.py").write_text("def over(a, b):\n    return a > b\n")
    built(repo, tmp_path / "out", names=("off-by-one",))
    told = [row for row in rows(tmp_path / "out", "rejected.jsonl") if row["path"] == "shop/idle.py"]
    assert [row["reason"] for row in told] == ["no_tests"]


def started(seed: Path, out: Path) -> subprocess.Popen[bytes]:
    """`mutate` with both source classes, in a process of its own."""
    named = ("--class", "dropped-null-check", "--class", "off-by-one")
    script = "from bebug.cli.mutate import main; main()"
    argv = [sys.executable, "-c", script, *named, "--seed", str(seed), "--out", str(out)]
    return subprocess.Popen([*argv, "--python", sys.executable, "--jobs", "1"], stderr=subprocess.DEVNULL)


def finished(out: Path) -> dict[str, int]:
    """What the journal of an unfinished corpus holds: each candidate, and which entry it is."""
    if not (out / "journal.sqlite").exists():
        return {}
    with closing(sqlite3.connect(f"file:{out}/journal.sqlite?mode=ro", uri=True, timeout=20)) as base:
        try:
            return dict(base.execute("SELECT key, rowid FROM finished"))
        except sqlite3.OperationalError:  # it is being made
            return {}


def killed_at(seed: Path, out: Path, more: int, later: float) -> bool:
    """Kill -9 a run of `mutate` some seconds after *more* candidates; False where it was done before."""
    already = len(finished(out))
    process = started(seed, out)
    deadline = time.monotonic() + 300
    while len(finished(out)) < already + more and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(later)
    done = process.poll() is not None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return not done


@pytest.mark.parametrize("more", [1, 4])
def test_a_killed_run_goes_on_and_gives_the_same_bytes(
    shop: Path, corpus: Path, tmp_path: Path, more: int, built: Build
) -> None:
    out = tmp_path / "all"
    assert killed_at(shop, out, more, 0.0)
    assert len(finished(out)) >= more
    built(shop, out)
    assert contents(out) == contents(corpus)


@pytest.mark.slow
def test_a_run_killed_again_and_again_does_nothing_twice(
    shop: Path, corpus: Path, tmp_path: Path, built: Build
) -> None:
    out, dice, kept, kills = tmp_path / "all", random.Random(20), dict[str, int](), 0
    while kills < 20 and killed_at(shop, out, kills % 2, dice.uniform(0, 3 if kills % 2 == 0 else 0.5)):
        kills += 1
        now = finished(out)
        assert kept.items() <= now.items(), "a candidate was lost, or entered anew"
        kept = now
    assert kills >= 8 and len(kept) >= 4
    built(shop, out)
    assert contents(out) == contents(corpus)


def test_a_diff_in_the_corpus_is_what_the_engine_writes(corpus: Path, shop_source: bytes) -> None:
    before = shop_source
    after = before.replace(b"i < n", b"i <= n")
    assert unified("shop/shelf.py", before, after).decode() in {row["diff"] for row in rows(corpus)}


def test_mutants_that_leave_something_behind_spoil_the_whole_run(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo, lock = write_shop(tmp_path / "shop"), tmp_path / "lock"
    (repo / "tests" / "test_shelf.py").write_text(
        f"import pathlib\nfrom shop.shelf import below, total\n\nLOCK = pathlib.Path({str(lock)!r})\n\n"
        "def test_lock():\n    assert not LOCK.exists()\n    LOCK.write_text('mine')\n"
        "    assert below(1, 2) and not below(2, 2) and total([1, 2, 3])\n    LOCK.unlink()\n"
    )
    with pytest.raises(SeedError, match="leave something behind"):
        built(repo, tmp_path / "out", jobs=1, names=("off-by-one",), sandbox="limits")
    assert not (tmp_path / "out").exists(), "nothing of such a run may be taken up again"


def test_tests_that_do_not_bear_company_run_alone(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo, taken = write_shop(tmp_path / "shop"), tmp_path / "taken"
    (repo / "tests" / "test_shelf.py").write_text(
        f"import os\nimport time\nfrom shop.shelf import below, total\n\n"
        f"def test_alone():\n    os.mkdir({str(taken)!r})\n    try:\n        time.sleep(0.5)\n"
        f"        assert below(1, 2) and total([1, 2, 3]) == 6\n"
        f"    finally:\n        os.rmdir({str(taken)!r})\n"
    )
    built(repo, tmp_path / "two", jobs=2, names=("off-by-one",), sandbox="limits")
    built(repo, tmp_path / "one", jobs=1, names=("off-by-one",), sandbox="limits")
    assert (tmp_path / "one" / "cases.jsonl").read_bytes() == (tmp_path / "two" / "cases.jsonl").read_bytes()


def test_a_mutant_that_only_runs_out_of_our_memory_is_no_case(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "shop" / "shelf.py").write_text(
        "def chunks(stream, n):\n    found = []\n    while True:\n        chunk = stream.read(n)\n"
        "        if not chunk:\n            break\n        found.append(bytearray(1 << 26) + chunk[:n])\n"
        "    return found\n\n\ndef below(i, n):\n    return i < n\n"
    )
    (repo / "tests" / "test_shelf.py").write_text(
        "import io\nfrom shop.shelf import below, chunks\n\n"
        "def test_chunks():\n    assert len(chunks(io.BytesIO(b'abcdef'), 2)) == 3\n\n"
        "def test_below():\n    assert not below(2, 2)\n"
    )
    built(repo, tmp_path / "out", jobs=1)
    assert {row["operator"] for row in rows(tmp_path / "out") if row["label"] == "bad"} == {
        "off-by-one/step-the-boundary"
    }
    told = {row["operator"]: row["reason"] for row in rows(tmp_path / "out", "rejected.jsonl")}
    assert told["dropped-null-check/drop-the-guard"] in {"timeout", "aborted", "crash", "broken"}


def test_a_corpus_of_another_recipe_is_kept_when_it_is_replaced(
    shop: Path, tmp_path: Path, built: Build
) -> None:
    out = tmp_path / "out"
    built(shop, out, names=("off-by-one",), limit=2)
    first = contents(out)
    built(shop, out, names=("off-by-one",), limit=1)
    assert contents(tmp_path / "out.previous") == first
    assert len(rows(out)) < len(rows(tmp_path / "out.previous"))


def test_a_corpus_inside_the_repository_is_no_part_of_it(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    out = repo / "generated" / "shop"
    built(repo, out, names=("off-by-one",), limit=1)
    first = (out / "cases.jsonl").read_bytes()
    built(repo, out, names=("off-by-one",), limit=1)
    assert (out / "cases.jsonl").read_bytes() == first


def test_the_callers_repository_and_folders_are_out_of_reach(
    tmp_path: Path, built: Build, write_shop: WriteShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, mine = write_shop(tmp_path / "shop"), tmp_path / "mine"
    mine.mkdir()
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "XDG_STATE_HOME", "VIRTUAL_ENV", "OLDPWD"):
        monkeypatch.setenv(name, str(mine))
    monkeypatch.setenv("PWD", str(repo))
    (repo / "tests" / "test_env.py").write_text(
        "import os\n\ndef test_env():\n"
        f"    assert {str(mine)!r} not in os.environ.values()\n    assert os.environ['PWD'] == os.getcwd()\n"
    )
    built(repo, tmp_path / "out", names=("off-by-one",), limit=1)
    entry = json.loads((tmp_path / "out" / "manifest.json").read_text())["seeds"][0]
    assert entry["set_aside"] == [] and entry["tests_collected"] == 6


def test_a_test_that_counts_lines_is_never_the_only_proof(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "tests" / "test_shelf.py").write_text(
        "from shop.shelf import below, label, total\n\n"
        "def test_line():\n    assert total.__code__.co_firstlineno == 14 and label('ann') == 'Ann'\n\n"
        "def test_below():\n    assert not below(2, 2)\n"
    )
    built(repo, tmp_path / "out")
    assert {row["defect_class"] for row in rows(tmp_path / "out") if row["label"] == "bad"} == {"off-by-one"}


def test_a_mutant_that_only_runs_out_of_the_suites_own_time_is_no_case(
    tmp_path: Path, built: Build, write_shop: WriteShop
) -> None:
    repo = write_shop(tmp_path / "shop")
    (repo / "tests" / "test_shelf.py").write_text(
        "import pytest\nfrom shop.shelf import below, total\n\n"
        "def test_slow():\n    if below(2, 2):\n"
        "        pytest.fail('Timeout (>3.0s) from pytest-timeout.')\n\n"
        "def test_total():\n    assert total([1, 2, 3]) == 6\n"
    )
    built(repo, tmp_path / "out", names=("off-by-one",))
    found = rows(tmp_path / "out", "rejected.jsonl")
    told = {row["function"]: row["reason"] for row in found if row["operator"].startswith("off-by-one")}
    assert told["below"] == "timeout"
