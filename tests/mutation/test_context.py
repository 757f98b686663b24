"""What a rule is told of a node's surroundings; above all, whether a name is the builtin."""

from __future__ import annotations

import libcst as cst
import pytest

from bebug.mutation.context import Context
from bebug.mutation.sources import read
from bebug.mutation.tree import Tree


def context_of(source: str) -> tuple[Context, list[cst.CSTNode]]:
    read_source = read("x.py", source.encode())
    tree = Tree(read_source.module, read_source.text)
    return Context(tree), tree.order


def calls_of(source: str) -> list[bool]:
    context, nodes = context_of(source)
    calls = [node for node in nodes if isinstance(node, cst.Call)]
    return [context.calls(call, "builtins.range") for call in calls]


@pytest.mark.parametrize(
    "source",
    [
        "range(3)",
        "def f():\n    return range(3)",
        "class A:\n    def range(self):\n        return range(3)",
        "class A:\n    range = 1\n    def f(self):\n        return range(3)",
        "def g(range): pass\nrange(3)",
        "def g():\n    range = 1\nrange(3)",
        "x.range = 1\nrange(3)",
        "x[range] = 1\nrange(3)",
        "f(range=1)\nrange(3)",
        "import a.range\nrange(3)",
        "(lambda range: 1)\nrange(3)",
    ],
)
def test_the_builtin_is_known_where_nothing_hides_it(source: str) -> None:
    assert calls_of(source)[-1]


@pytest.mark.parametrize(
    "source",
    [
        "range = 1\nrange(3)",
        "range: int = 1\nrange(3)",
        "from np import range\nrange(3)",
        "import x as range\nrange(3)",
        "import range.b\nrange(3)",
        "def range(): pass\nrange(3)",
        "class range: pass\nrange(3)",
        "def f(range):\n    return range(3)",
        "def f(*range):\n    return range(3)",
        "def f():\n    range = 1\n    def g():\n        return range(3)",
        "for range in x:\n    range(3)",
        "for a, (b, *range) in x:\n    range(3)",
        "with x as range:\n    range(3)",
        "with x as (a, range):\n    range(3)",
        "try: pass\nexcept E as range: range(3)",
        "[range(3) for range in x]",
        "lambda range: range(3)",
        "(range := 1)\nrange(3)",
        "[(range := 1) for x in y]\nrange(3)",
        "match x:\n    case [range]:\n        range(3)",
        "match x:\n    case {'a': 1, **range}:\n        range(3)",
        "match x:\n    case [*range]:\n        range(3)",
        "def f():\n    global range\n    range = 1\nrange(3)",
        "class A:\n    range = 1\n    x = range(3)",
        "grid.range(3)",
    ],
)
def test_a_name_that_the_file_binds_is_not_the_builtin(source: str) -> None:
    assert not calls_of(source)[-1]


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        ("import time\ntime.time()", "time.time"),
        ("from time import monotonic as m\nm()", "time.monotonic"),
        ("import os.path\nos.path.join()", "os.path.join"),
        ("import numpy as np\nnp.sum()", "numpy.sum"),
        ("from . import log\nlog.info()", "..log.info"),
        ("self.x()", "self.x"),
        ("len()", "builtins.len"),
        ("f()()", ""),
    ],
)
def test_names_are_resolved_through_imports(source: str, origin: str) -> None:
    context, nodes = context_of(source)
    call = next(node for node in nodes if isinstance(node, cst.Call))
    assert context.origin(call.func) == origin


def test_a_function_is_named_with_all_that_is_around_it() -> None:
    context, nodes = context_of("class A:\n    def f(self):\n        def g(): x\n        y\nz")
    names = {node.value: context.function(node) for node in nodes if isinstance(node, cst.Name)}
    assert (names["x"], names["y"], names["z"]) == ("A.f.g", "A.f", "")


@pytest.mark.parametrize(
    ("source", "condition"),
    [
        ("if b: pass", True),
        ("while b: pass", True),
        ("x = b", False),
        ("x = not b", True),
        ("x = 1 if b else 2", True),
        ("x = b if a else 2", False),
        ("if a or b: pass", True),
        ("x = a or b", False),
        ("x = b or a", True),
        ("[x for x in y if b]", True),
        ("return_(b)", False),
        ("if f(b): pass", False),
    ],
)
def test_a_condition_is_where_only_truth_matters(source: str, condition: bool) -> None:
    context, nodes = context_of(source)
    (node,) = [each for each in nodes if isinstance(each, cst.Name) and each.value == "b"]
    assert context.is_condition(node) is condition


def test_what_follows_a_statement_starts_on_its_own_line() -> None:
    context, nodes = context_of("if x:\n    a; b\n    c\nd")
    (first,) = [node for node in nodes if isinstance(node, cst.Expr) and context.code(node) == "a"]
    assert [context.code(each).strip() for each in context.following(first)] == ["b", "c"]
