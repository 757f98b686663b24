"""Which tests ask for None, which blocks are guards, and what needs a value."""

from __future__ import annotations

import pytest

from bebug.mutation.engine import mine
from bebug.registry import load

NULL_CHECK = load("operators")["dropped-null-check"]


def rules(source: str) -> list[str]:
    return [mutant.site.rule for mutant in mine("x.py", source.encode(), [NULL_CHECK]).mutants]


@pytest.mark.parametrize(
    "test",
    [
        "x is None",
        "None is x",
        "x == None",
        "not x is not None",
        "not (x is not None)",
        "isinstance(x, type(None))",
        "x.y[0] is None",
        "d.get(k) is None",
        "(x) is None",
    ],
)
def test_a_guard_by_any_test_for_none_is_dropped(test: str) -> None:
    assert rules(f"def f(x):\n    if {test}:\n        return 0\n    g()\n") == ["drop-the-guard"]


def test_none_type_counts_where_it_is_the_real_one() -> None:
    source = "def f(x):\n    if isinstance(x, NoneType):\n        return 0\n"
    assert rules("from types import NoneType\n" + source) == ["drop-the-guard"]
    assert rules("from mine import NoneType\n" + source) == []


@pytest.mark.parametrize(
    "test",
    [
        "x is y",
        "x is None is y",
        "None is None",
        "g(x) is None",
        "(y := x) is None",
        "isinstance(x, type(y))",
        "isinstance(x, int)",
        "isinstance(*x)",
        "x is None and y",
        "not g(x)",
        "x is True",
    ],
)
def test_another_test_is_no_test_for_none_alone(test: str) -> None:
    assert "drop-the-guard" not in rules(f"def f(x):\n    if {test}:\n        return 0\n    x.y\n")


@pytest.mark.parametrize(
    ("use", "relies"),
    [
        ("return x.y", True),
        ("return x[0]", True),
        ("for y in x: g(y)", True),
        ("return [y for y in x]", True),
        ("return x()", True),
        ("return x + 1", True),
        ("return g(x)", True),
        ("return x", False),
        ("return y[x]", False),
        ("if x: g()", False),
        ("g(); x.y", True),
    ],
)
def test_a_test_of_truth_is_a_null_check_where_a_value_is_needed_later(use: str, relies: bool) -> None:
    made = rules(f"def f(x):\n    if not x:\n        return 0\n    {use}\n")
    assert made == (["drop-the-guard"] if relies else [])


@pytest.mark.parametrize(
    ("body", "guard"),
    [
        ("return", True),
        ("raise E", True),
        ("g(); return", True),
        ("a(); b(); c(); return", False),
        ("x = []", True),
        ("x: list = []", True),
        ("z = x = []", True),
        ("y = []", False),
        ("x = []; y = 1", False),
        ("g()", False),
        ("\n        if y: return", False),
    ],
)
def test_a_guard_shortly_leaves_or_sets_a_default(body: str, guard: bool) -> None:
    assert rules(f"def f(x):\n    if x is None: {body}\n    g(x)\n") == (["drop-the-guard"] if guard else [])


def test_code_is_not_made_unreachable() -> None:
    head = "def f(x):\n    if x is not None:\n        return x.y\n"
    assert rules(head) == ["unwrap-the-check"]
    assert rules(head + "    return 0\n") == []


def test_a_long_else_is_no_part_of_a_check() -> None:
    short = "if x is not None:\n    y = x.y\nelse:\n    y = 0\n"
    assert rules(short) == ["unwrap-the-check"]
    assert rules(short + "    a()\n    b()\n    c()\n") == []
    assert rules(short + "    for z in y: c()\n") == []


@pytest.mark.parametrize(
    ("source", "made"),
    [
        ("return x or []", 1),
        ("return x or y", 0),
        ("return x or Config()", 1),
        ("return x or compute()", 0),
        ("return x or DEFAULT_SIZE", 1),
        ("return x or default_size", 1),
        ("return x or True", 0),
        ("return x + 1 or 2", 0),
        ("return (x or 0) > 1", 1),
        ("return not (x or 0)", 0),
        ("return x or y or {}", 1),
        ("return x.get('a') or ''", 1),
        ("assert x or []", 0),
    ],
)
def test_a_fallback_is_a_default_used_as_a_value(source: str, made: int) -> None:
    assert rules(f"def f(x):\n    {source}\n").count("drop-the-fallback") == made


@pytest.mark.parametrize(
    "call", ["d.get(k, 0)", "self.get(k, 0)", "os.environ.get('A', 'b')", "f().get(k, [])"]
)
def test_the_default_of_a_look_up_is_dropped(call: str) -> None:
    assert rules(f"import os\n{call}\n") == ["drop-the-default"]


@pytest.mark.parametrize(
    "call",
    [
        "get(k, 0)",
        "d.get(*a, 0)",
        "d.get(k, *a)",
        "d.get(k, default=0)",
        "self.client.get('/', h)",
        "q.get(True, 1)",
    ],
)
def test_another_get_is_no_look_up(call: str) -> None:
    assert rules(call) == []
