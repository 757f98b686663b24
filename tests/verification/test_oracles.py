"""What the oracles make of candidates: cases, and all that must not become one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bebug.records import Claim, Evidence, Status, digest
from bebug.registry import load
from bebug.verification import Candidate, Laboratory, Limits
from bebug.verification.forks import key_of, sampled

Make = Callable[..., Laboratory]
KILL = load("oracles")["kill"]
PRESERVATION = load("oracles")["preservation"]
REACH = "tests/test_core.py::"
INI = {"pytest.ini": "[pytest]\npythonpath = .\n"}


@pytest.fixture(scope="module")
def examine(laboratory: Make) -> Callable[..., Evidence]:
    """`examine(oracle, source, path, old, new)`: replace *old*, which occurs once; one bench a source."""
    benches: dict[str, Laboratory] = {}

    def ask(oracle: Any, source: Any, path: str, old: str, new: str) -> Evidence:
        bench = benches.get(repr(source))
        if bench is None:
            bench = benches[repr(source)] = laboratory(source)
            if source is SOURCE:
                bench.calibrate([path])
        before = bench.read(path)
        assert before.count(old.encode()) == 1
        first = before[: before.index(old.encode())].count(b"\n") + 1
        last = first + old.rstrip("\n").count("\n")
        after = before.replace(old.encode(), new.encode())
        found: Evidence = oracle.examine(
            bench, Candidate(path=path, before=before, after=after, lines=(first, last))
        )
        return found

    return ask


def test_each_claim_has_its_oracle() -> None:
    assert KILL.claim is Claim.BREAKS and PRESERVATION.claim is Claim.PRESERVES


def test_a_kill_is_written_as_the_corpus_words_it(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, "plain", "pkg/core.py", "i < n", "i <= n")
    names = "tests/test_core.py::test_name"
    rest = [
        f"{names}[{text}]"
        for text in ("two words", "a - b [x]", "p::q/r", "FAILED tests/x.py::y - z", "", "-k")
    ]
    rest.append("tests/test_core.py::test_none")
    assert found.status is Status.KILLED and found.detail == "" and found.gained == ()
    assert found.proof == {
        "proof": "tests",
        "fail_to_pass": ["tests/test_core.py::test_below"],
        "pass_to_pass": [],
        "pass_to_pass_rest": {"n": 7, "digest": digest(*sorted(rest))},
        "signature": {
            "exception": "AssertionError",
            "message": "assert (True and not True) + where True = below(1, 2) + and True = below(2, 2)",
            "frame": "tests/test_core.py:7 in test_below",
        },
        "witness": {
            "imports": ["from pkg.core import below"],
            "setup": [],
            "call": "below(0, 0)",
            "before": "False",
            "after": "True",
            "found": "recorded",
        },
    }


CAPTURED = {
    **INI,
    "pkg/__init__.py": "",
    "pkg/core.py": """\
def below(i, n):
    return i < n


def idle(n):
    return 0 * n


def plus(n):
    return n + 1
""",
    "tests/test_core.py": """\
import types

from pkg import core

CODE = core.plus.__code__


def test_below():
    assert core.below(1, 2)


def test_idle():
    assert core.idle(2) == 0


def test_plus():
    assert types.FunctionType(CODE, {})(1) == 2
""",
}


def edits(bench: Laboratory, old: str, new: str, *, looked_at_again: bool) -> Candidate:
    """The change of *old* to *new* in the toy, with a remark that puts it in the sample or keeps it out."""
    before = bench.read("pkg/core.py")
    line = before[: before.index(old.encode())].count(b"\n") + 1
    for number in range(100):
        after = before.replace(old.encode(), f"{new}  # {number}".encode())
        if sampled(key_of({"pkg/core.py": after})) is looked_at_again:
            return Candidate(path="pkg/core.py", before=before, after=after, lines=(line, line))
    raise AssertionError


def test_forks_spare_runs_of_what_no_test_notices(laboratory: Make) -> None:
    bench = laboratory(CAPTURED, confirm="sample")
    alone = edits(bench, "return 0 * n", "return n * 0 * 2", looked_at_again=False)
    again = edits(bench, "return 0 * n", "return n * 0 * 2", looked_at_again=True)
    noticed = edits(bench, "return i < n", "return i > n", looked_at_again=False)
    KILL.prepare(bench, [alone, again, noticed])
    found = [KILL.examine(bench, each) for each in (alone, again, noticed)]
    assert [each.status for each in found] == [Status.SURVIVED, Status.SURVIVED, Status.KILLED]
    assert [each.tiers for each in found[:2]] == [("hot",), ("hot", "warm")]
    assert found[2].tiers[:2] == ("hot", "warm")
    unprepared = edits(bench, "return 0 * n", "return n * 0 * 3", looked_at_again=False)
    assert "hot" not in KILL.examine(bench, unprepared).tiers
    assert bench.doubts == ("", "")


@pytest.mark.parametrize(
    ("confirm", "looked_at_again", "second"),
    [("all", False, "cold"), ("sample", True, "cold"), ("sample", False, "warm"), ("none", True, "warm")],
)
def test_the_second_whole_run_is_forked_only_where_that_is_asked_for(
    laboratory: Make, confirm: str, looked_at_again: bool, second: str
) -> None:
    bench = laboratory(CAPTURED, confirm=confirm)
    change = edits(bench, "return i < n", "return i > n", looked_at_again=looked_at_again)
    found = KILL.examine(bench, change)
    assert found.status is Status.KILLED
    whole = found.tiers[-3:-1]  # after them, what failed is run once more without the change
    assert whole == ("warm", second)


LAZY = {
    **INI,
    "pkg/__init__.py": "",
    "pkg/core.py": """\
STEPS = []


def load():
    STEPS.append(1)


def loaded():
    if not STEPS:
        load()
    return STEPS
""",
    "tests/test_core.py": """\
from pkg.core import STEPS, loaded


def test_loaded():
    assert loaded() is STEPS


def test_once():
    assert len(loaded()) == 1
""",
}


def test_what_a_later_test_finds_in_memory_is_noticed(laboratory: Make) -> None:
    """Only the first test is seen to reach what loads, and it passes; every change meets the whole suite."""
    before = LAZY["pkg/core.py"].encode()
    change = Candidate(
        path="pkg/core.py", before=before, after=before.replace(b"append(1)", b"extend((1, 2))"), lines=(5, 5)
    )
    bench = laboratory(LAZY)
    assert bench.reach.seen("pkg/core.py", 5, 5).tests == {"tests/test_core.py::test_loaded"}
    KILL.prepare(bench, [change])
    found = KILL.examine(bench, change)
    assert found.proof is None and found.detail.startswith("unreached")
    assert "hot" not in found.tiers


def test_where_forks_miss_what_runs_notice_they_settle_nothing(laboratory: Make) -> None:
    bench = laboratory(CAPTURED, confirm="sample")
    missed = edits(bench, "return n + 1", "return n + 2", looked_at_again=True)
    later = edits(bench, "return 0 * n", "return n * 0 * 2", looked_at_again=False)
    KILL.prepare(bench, [missed, later])
    assert KILL.examine(bench, missed).status is Status.KILLED
    assert "tests/test_core.py::test_plus" in bench.doubts[1]
    found = KILL.examine(bench, later)
    assert found.status is Status.SURVIVED and "hot" not in found.tiers


def test_tests_that_reach_the_change_and_pass_are_named(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, "plain", "pkg/core.py", '    if x is None:\n        return "?"\n', "")
    assert found.proof is not None
    assert found.proof["fail_to_pass"] == ["tests/test_core.py::test_none"]
    assert len(found.proof["pass_to_pass"]) == 6 and found.proof["pass_to_pass"] == sorted(
        found.proof["pass_to_pass"]
    )
    assert found.proof["pass_to_pass_rest"]["n"] == 1
    assert found.proof["signature"]["frame"] == "pkg/core.py:6 in name"


@pytest.mark.parametrize(
    ("old", "new", "status", "words"),
    [
        ("x + 1", "x + 2", Status.NO_TESTS, "no passing test reaches"),
        ('"?"', "'?'", Status.EQUIVALENT, "compiles to the same code"),
        ("i < n", "i <", Status.UNVIABLE, "does not compile"),
        ("i < n", "(i < n) is True", Status.SURVIVED, "no test notices"),
        ("def below(i, n):", "1 / 0\ndef below(i, n):", Status.BROKEN, "cannot be loaded"),
        ("    return i < n", "    import os; os._exit(0)", Status.ABORTED, "ends early"),
        ("    return i < n", "    import os; os.kill(os.getpid(), 11)", Status.CRASH, "by a signal"),
    ],
)
def test_what_proves_nothing_is_no_case(
    examine: Callable[..., Evidence], old: str, new: str, status: Status, words: str
) -> None:
    found = examine(KILL, "plain", "pkg/core.py", old, new)
    assert (found.status, found.proof) == (status, None)
    assert words in found.detail


@pytest.mark.parametrize(
    ("place", "failing"),
    [
        ("def direct(i, n):\n    return i < n", {"test_direct", "test_fixture"}),
        ("def threaded(i, n):\n    return i < n", {"test_thread"}),
        ("range(10) if i < n", {"test_rows", "test_rows_again"}),
        ("        i\n        < n", {"test_spanning"}),
        ("a, b: a < b", {"test_table"}),
    ],
)
def test_however_a_test_reaches_a_line_it_is_found(
    examine: Callable[..., Evidence], place: str, failing: set[str]
) -> None:
    found = examine(KILL, "reach", "pkg/core.py", place, place.replace("<", "<="))
    assert found.proof is not None, found
    assert found.proof["fail_to_pass"] == sorted(REACH + name for name in failing)


def test_a_changed_default_is_found_though_no_test_runs_its_line(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, "reach", "pkg/core.py", "n=2", "n=3")
    assert found.proof is not None and found.proof["fail_to_pass"] == [REACH + "test_spanning"]
    assert found.proof["pass_to_pass"] == []


@pytest.mark.parametrize(
    ("old", "new"), [("pair[0] < pair[1]", "pair[0] <= pair[1]"), ("len(argv) < 1", "len(argv) < 2")]
)
def test_a_killer_that_nobody_saw_at_the_change_is_no_proof(
    examine: Callable[..., Evidence], old: str, new: str
) -> None:
    found = examine(KILL, "reach", "pkg/core.py", old, new)
    assert (found.status, found.proof) == (Status.KILLED, None)
    assert found.detail.startswith("unreached")


def test_what_may_run_unseen_is_decided_by_the_whole_suite(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, "reach", "pkg/core.py", "x + 1", "x + 2")
    assert (found.status, found.seconds > 0) == (Status.NO_TESTS, True)


SOURCE = {
    **INI,
    "core.py": "def below(i, n):\n    return i < n\n",
    "test_core.py": (
        "import inspect, core\n"
        "def test_source():\n    assert inspect.getsource(core.below).endswith('return i < n\\n')\n"
        "    assert core.below(1, 2)\n"
    ),
}


def test_reading_the_source_is_not_noticing_a_fault(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, SOURCE, "core.py", "i < n", "i <= n")
    assert (found.status, found.proof) == (Status.KILLED, None)
    assert found.detail == "only tests that read the source notice the change"


FLAKY = {
    **INI,
    "core.py": "import os\n\n\ndef pick(n):\n    return 0\n",
    "test_core.py": "from core import pick\n"
    + "".join(f"def test_{n}():\n    assert pick(9) == 0\n" for n in range(9)),
}


def test_two_runs_that_differ_are_flaky(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, FLAKY, "core.py", "return 0", "return os.urandom(1)[0] % 2")
    assert (found.status, found.proof) == (Status.FLAKY, None)
    assert "two whole runs with the change differ" in found.detail


def test_a_hang_is_a_timeout_and_never_a_case(laboratory: Make) -> None:
    files = {
        **INI,
        "core.py": (
            "def total(x):\n    r = 0\n    while x > 0:\n        r += x\n        x -= 1\n    return r\n"
        ),
        "test_core.py": "from core import total\ndef test_total():\n    assert total(3) == 6\n",
    }
    bench = laboratory(files, limits=Limits(timeout=3))
    before = bench.read("core.py")
    hanging = Candidate(path="core.py", before=before, after=before.replace(b"x -= 1", b"pass"), lines=(5, 5))
    for oracle in (KILL, PRESERVATION):
        found = oracle.examine(bench, hanging)
        assert (found.status, found.proof) == (Status.TIMEOUT, None)


def test_a_file_that_only_outgrows_our_limit_is_a_timeout_and_never_a_case(laboratory: Make) -> None:
    files = {
        **INI,
        "core.py": (
            "def write(path, n):\n    with open(path, 'wb', buffering=0) as file:\n"
            "        for _ in range(3):\n            file.write(b'x' * n)\n"
        ),
        "test_core.py": "from core import write\ndef test_write(tmp_path): write(tmp_path / 'a', 1024)\n",
    }
    bench = laboratory(files, limits=Limits(file_size=1 << 20))
    before = bench.read("core.py")
    growing = Candidate(path="core.py", before=before, after=before.replace(b"* n", b"* n * n"), lines=(4, 4))
    found = KILL.examine(bench, growing)
    assert (found.status, found.proof) == (Status.TIMEOUT, None)
    assert "writes a larger file" in found.detail


RED = {
    **INI,
    "core.py": "def low(n):\n    return n > 5\n\n\ndef high(n):\n    return n > 5\n",
    "test_core.py": (
        "import pytest\nfrom core import low, high\n"
        "def test_low():\n    assert not low(5)\n"
        "def test_high():\n    assert high(6)\n"
        "@pytest.mark.skipif(not low(5), reason='needs it')\ndef test_gated():\n    assert True\n"
    ),
}


def test_tests_that_a_change_wakes_are_told(examine: Callable[..., Evidence]) -> None:
    found = examine(KILL, RED, "core.py", "def low(n):\n    return n > 5", "def low(n):\n    return n >= 5")
    assert found.proof is not None and found.proof["fail_to_pass"] == ["test_core.py::test_low"]
    assert found.gained == ("test_core.py::test_gated",)


def test_preservation_survives_and_says_how_hard_we_looked(examine: Callable[..., Evidence]) -> None:
    found = examine(PRESERVATION, "plain", "pkg/core.py", "return i < n", "return n > i")
    assert found.status is Status.SURVIVED and found.detail == ""
    assert found.proof is not None
    assert found.proof["pass_to_pass"] == ["tests/test_core.py::test_below"]
    assert found.proof["pass_to_pass_rest"]["n"] == 7
    assert {key: found.proof[key] for key in ("proof", "tier", "kept_kills", "equivalence")} == {
        "proof": "preserves",
        "tier": "G1",  # no faults were given to hold it against
        "kept_kills": 0,
        "equivalence": None,
    }
    assert found.proof["examples"] >= 30


@pytest.mark.parametrize(
    ("old", "new", "status", "words"),
    [
        ("i < n", "i <= n", Status.KILLED, "tests/test_core.py::test_below fails with the change"),
        ("x + 1", "1 + x", Status.NO_TESTS, "no passing test"),
        ("i < n", "i <", Status.UNVIABLE, "does not compile"),
        ("def below(i, n):", "1 / 0\ndef below(i, n):", Status.BROKEN, "broken"),
    ],
)
def test_a_refuted_preservation_names_the_test(
    examine: Callable[..., Evidence], old: str, new: str, status: Status, words: str
) -> None:
    found = examine(PRESERVATION, "plain", "pkg/core.py", old, new)
    assert (found.status, found.proof) == (status, None)
    assert words in found.detail


def test_a_skipped_test_refutes_preservation(examine: Callable[..., Evidence]) -> None:
    gate = {**RED, "test_core.py": RED["test_core.py"].replace("not low(5), reason", "low(5), reason")}
    found = examine(
        PRESERVATION, gate, "core.py", "def low(n):\n    return n > 5", "def low(n):\n    return n >= 5 > 4"
    )
    assert found.status in (Status.KILLED, Status.LOST) and found.proof is None


SLOW = {
    **INI,
    "core.py": "def one(n):\n    return n < 2\n\n\ndef two(n):\n    return n < 3\n",
    "test_core.py": (
        "import time\nfrom core import one, two\n"
        "def test_one():\n    assert one(1)\n"
        "def test_slow():\n    time.sleep(1.5)\n    assert two(1) and not two(3)\n"
    ),
}


def test_a_screen_that_all_survive_needs_no_whole_run(laboratory: Make) -> None:
    before = SLOW["core.py"].encode()
    bench = laboratory(SLOW, confirm="sample")

    def found(old: bytes, new: bytes, line: int) -> Evidence:
        after = before.replace(old, new)
        return KILL.examine(bench, Candidate(path="core.py", before=before, after=after, lines=(line, line)))

    survived, killed = found(b"n < 2", b"n <= 2", 2), found(b"n < 3", b"n <= 3", 6)
    assert (survived.status, survived.proof) == (Status.SURVIVED, None)
    assert survived.seconds < 1.5
    assert killed.proof is not None and killed.proof["fail_to_pass"] == ["test_core.py::test_slow"]
