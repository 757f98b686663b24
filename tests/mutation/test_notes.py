"""Notes: the ground truth in half a sentence, which quotes what was done and not what lies around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bebug.mutation.engine import mine
from bebug.registry import load

DELETED = "deleted-assertion"
ADDED = "assertion-free-test"
LONG = "assert total(shelf, books) == " + " + ".join(f"price_{n}" for n in range(20))


def notes(source: str, name: str, kind: str = "operators") -> list[str]:
    operator = load(kind)[name]
    return [mutant.note for mutant in mine("tests/test_x.py", source.encode(), [operator]).mutants]


def test_a_deleted_assertion_is_quoted_with_its_own_line() -> None:
    source = "@mark(\n    1,\n)\ndef test_f():\n    g()\n    assert f(1) == 2\n    assert f(2)\n"
    assert notes(source, DELETED) == [
        "`assert f(1) == 2` in line 6 was deleted",
        "`assert f(2)` in line 7 was deleted",
        "both assertions were deleted (`assert f(1) == 2` in line 6 and `assert f(2)` in line 7)",
    ]


def test_what_goes_and_what_stays_of_the_only_assertion_is_told() -> None:
    assert notes("def test_f():\n    x = f(1)\n    assert x == 2\n", DELETED) == [
        "`assert x == 2` in line 3, the only assertion, was deleted, and so was `x = f(1)`; `f(1)` stays"
    ]
    assert notes("def test_f():\n    assert f(1) == 2\n", DELETED) == [
        "`assert f(1) == 2` in line 2, the only assertion, was deleted; `f(1)` stays"
    ]


def test_of_an_expected_error_the_call_is_told_that_stays() -> None:
    raises = "    with pytest.raises(E):\n        f(1)\n"
    head, tail = "import pytest\ndef test_f():\n", "pytest.skip()\n"
    told = "`with pytest.raises(E): f(1)` in line 3, the only assertion, was deleted"
    assert notes(head + raises + tail, DELETED) == [f"{told}; `f(1)` stays, its error passed over"]
    more = raises.replace("        f(1)\n", "        f(1)\n        g(2)\n")
    assert notes(head + "    h()\n" + more + tail, DELETED) == [
        "`with pytest.raises(E): …` in line 4, the only assertion, was deleted"
    ]


def test_an_assertion_in_another_one_is_quoted_alone() -> None:
    source = (
        "import pytest\ndef test_f():\n    with pytest.raises(E) as e:\n        f(1)\n        assert g(2)\n"
    )
    assert "`assert g(2)` in line 5 was deleted" in notes(source + "pytest.skip()\n", DELETED)
    source = (
        "import pytest\ndef test_f():\n    with pytest.raises(E) as e:\n        f(1)\n    assert e.value\n"
    )
    assert "`assert e.value` in line 5 was deleted" in notes(source + "pytest.skip()\n", DELETED)


def test_of_equal_assertions_the_line_is_that_of_the_one_that_went() -> None:
    source = "def test_f():\n    g(1)\n    assert f()\n    g(2)\n    assert f()\n    g(3)\n    assert f()\n"
    lines = [re.findall(r"in line (\d+)", note) for note in notes(source, DELETED)]
    assert lines == [["3"], ["5"], ["7"], ["3", "5", "7"]]


def test_a_long_assertion_is_cut_and_one_of_several_lines_is_on_one_without_its_comments() -> None:
    first, second = notes(
        f"def test_f():\n    {LONG}\n    assert f(\n        1,  # why\n        'a  b',\n    ) == 2\n", DELETED
    )
    quoted = first.split("`")[1]
    assert (len(quoted), quoted[-1], LONG.startswith(quoted[:-1])) == (80, "…", True)
    assert second == "`assert f( 1, 'a  b', ) == 2` in line 3 was deleted"


def test_of_many_assertions_the_first_are_quoted_and_the_others_counted() -> None:
    lines = "".join(f"    assert f({n})\n" for n in range(5))
    assert notes(f"def test_f():\n    g()\n{lines}", DELETED)[-1] == (
        "all 5 assertions were deleted (`assert f(0)` in line 3, `assert f(1)` in line 4, "
        "`assert f(2)` in line 5 and 2 more)"
    )


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("assert f(1) == g(2)", "calls `f` and `g` but"),
        ("assert Shop([a(1)]).price('x') == 2", "calls `Shop(…).price` but"),
        ("x = list(f(a) for a in range(3))\n    assert x", "calls `f` but"),
        ("assert a() and b() and c() and d() and e() and a()", "calls `a`, `b`, `c` and 2 more but"),
        ("assert shops[0].open() == 1", "calls `shops[…].open` but"),
        ("assert ', '.join(f(a)) == 1", "calls `(…).join` but"),
        ("assert next(a) == 1", ""),
    ],
)
def test_an_added_test_is_told_as_an_addition_that_asserts_nothing(body: str, calls: str) -> None:
    (note,) = notes(f"@mark(\n    1,\n)\ndef test_f():\n    {body}\n", ADDED)
    assert note == f"the test `test_f` was added, which {calls}{' ' * bool(calls)}asserts nothing"


def test_every_note_on_a_real_file_quotes_an_assertion_or_names_calls() -> None:
    for name in (DELETED, ADDED):
        found = notes(Path(__file__).read_text("utf-8"), name)
        assert found
        for note in found:
            assert re.search(r"(assert|with) .*` in line \d|was added, which calls `", note)


def test_a_note_on_a_rewritten_function_quotes_what_changed_and_counts_the_rest() -> None:
    guard = "def f(x):\n    if x is None:\n        return 0\n    return x\n"
    assert "`else:` was added" in notes(guard, "rewritten-guard", "controls")
    source = "def f(x):\n    result = g(x)\n    if result is None:\n        x.result\n%s"
    assert notes(source % "", "renamed-local", "controls") == [
        "`result = g(x)` became `outcome = g(x)`, and 1 more line changed"
    ]
    assert notes(source % "    return result\n", "renamed-local", "controls") == [
        "`result = g(x)` became `outcome = g(x)`, and 2 more lines changed"
    ]


def test_of_long_code_the_part_that_changed_is_quoted() -> None:
    head = " + ".join(f"amount_{n}" for n in range(20))
    (note, *_) = notes(f"y = ({head} + (i < n))\n", "off-by-one")
    assert re.fullmatch(r"`i < n` became `i <= n`", note)
    many = " or ".join(f"amount_{n} is None" for n in range(12))
    for told in notes(f"if {many}:\n    pass\n", "dropped-null-check"):
        before, after = re.findall("`([^`]*)`", told)
        assert before != after
        assert max(len(before), len(after)) <= 80
