"""The walk and the splice: where mutants come from, that ids stand alone, and that bytes survive."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from bebug.mutation.context import Context
from bebug.mutation.diffs import unified
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator, Rewrite
from bebug.records import Claim, Mutant
from bebug.registry import load

OFF_BY_ONE = load("operators")["off-by-one"]
NULL_CHECK = load("operators")["dropped-null-check"]
FLIP = load("controls")["flip-comparison"]


def results(raw: bytes, *operators: Operator) -> list[bytes]:
    return [mutant.apply(raw) for mutant in mine("pkg/x.py", raw, operators).mutants]


# ---------------------------------------------------------------------------------- bytes on disk survive

BYTES = {
    "crlf": (b"if i < n:\r\n    a()\r\n", b"if i <= n:\r\n    a()\r\n"),
    "mixed": (b"x\r\ni < n\ny\r\n", b"x\r\ni <= n\ny\r\n"),
    "lone cr": (b"LIMIT = 3\rSTEP = 2\ni < n\n", b"LIMIT = 3\rSTEP = 2\ni <= n\n"),
    "bom": (b"\xef\xbb\xbfi < n\n", b"\xef\xbb\xbfi <= n\n"),
    "latin-1": (
        b"# coding: latin-1\ni < n  # d\xe9pass\xe9 ?\n",
        b"# coding: latin-1\ni <= n  # d\xe9pass\xe9 ?\n",
    ),
    "form feed": (b"x\n\x0c\n\x0ci < n\n", b"x\n\x0c\n\x0ci <= n\n"),
    "tabs": (b"if x:\n\tif y:\n\t\ti < n\n", b"if x:\n\tif y:\n\t\ti <= n\n"),
    "no final newline": (b"i < n", b"i <= n"),
    "a comment, blanks and no newline": (b"i < n\n# c\n   \n ", b"i <= n\n# c\n   \n "),
    "blanks and no newline": (b"i < n\n  \n\t ", b"i <= n\n  \n\t "),
    "separators": ("s = '\u2028\u2029'; i < n\n".encode(), "s = '\u2028\u2029'; i <= n\n".encode()),
    "comments": (
        b"i < n  # type: ignore[operator]  # keep me\n",
        b"i <= n  # type: ignore[operator]  # keep me\n",
    ),
    "odd spaces": (b"i  <\\\n  n ;x=1;\n", b"i  <=\\\n  n ;x=1;\n"),
    "f-string": (b"f'{i < n!r:>{w}}'\n", b"f'{i <= n!r:>{w}}'\n"),
}


@pytest.mark.parametrize(("before", "after"), BYTES.values(), ids=BYTES)
def test_every_byte_around_an_edit_stays(before: bytes, after: bytes) -> None:
    assert results(before, OFF_BY_ONE) == [after]


DROPPED = {
    "crlf pass": (
        b"def f(x):\r\n    if x is None:\r\n        raise E\r\ny = 1\n",
        b"def f(x):\r\n    pass\r\ny = 1\n",
    ),
    "pass takes the ending of its own line": (
        b"def f(x):\r\n    if x is None:\n        raise E\r\n",
        b"def f(x):\r\n    pass\n",
    ),
    "pass at the end of the file": (b"def f(x):\n    if x is None: raise E", b"def f(x):\n    pass"),
    "comments above go along": (
        b"def f(x):\n    a()\n\n    # x may be\n    # missing\n    if x is None:\n        return\n    b(x)\n",
        b"def f(x):\n    a()\n\n    b(x)\n",
    ),
    "one run of blank lines": (
        b"def f(x):\n    a()\n\n    if x is None:\n        return\n\n    b(x)\n",
        b"def f(x):\n    a()\n\n    b(x)\n",
    ),
    "no blank line below the head": (
        b"def f(x):\n    if x is None:\n        return\n\n    b(x)\n",
        b"def f(x):\n    b(x)\n",
    ),
    "a comment apart stays": (
        b"def f(x):\n    # part one\n\n    if x is None:\n        return\n    b(x)\n",
        b"def f(x):\n    # part one\n\n    b(x)\n",
    ),
    "one-line suite": (
        b"def f(x):\n    if x is None: return 0\n    y = x; return y\n",
        b"def f(x):\n    y = x; return y\n",
    ),
    "no spaces": (b"def f(a):\n    if(a is None):return(0)\n    return(a)\n", b"def f(a):\n    return(a)\n"),
    "no spaces, conditional": (
        b"def f(y):\n    return[]if(y is None)else[y]\n",
        b"def f(y):\n    return[y]\n",
    ),
    "a space where tokens need it": (
        b"def f(y):\n    return(0)if y is None else y\n",
        b"def f(y):\n    return y\n",
    ),
    "braces in an f-string": (b"f'{y.a if y is not None else 1}'\n", b"f'{y.a}'\n"),
    "a space behind, where tokens need it": (
        b"[z for z in(y if y is not None else [])if z]\n",
        b"[z for z in y if z]\n",
    ),
    "a set in an f-string": (b"f'{0 if y is None else {y}}'\n", b"f'{ {y}}'\n"),
    "unwrapped at the end of the file": (b"if x is not None:\r\n    x.g()", b"x.g()"),
    "characters of several bytes": (
        "def f(x):\n    if x is None:\n        raise E('é表')\n    g('é')\n".encode(),
        "def f(x):\n    g('é')\n".encode(),
    ),
    "elif takes the place of elif": (
        b"for x in y:\n    if a: b()\n    elif x is None: break\n    elif c: d()\n",
        b"for x in y:\n    if a: b()\n    elif c: d()\n",
    ),
    "backslash": (
        b"if start is not None and \\\n        pos < start:\n    a()\n",
        b"if pos < start:\n    a()\n",
    ),
    "dedent keeps strings and comments": (
        b"if x is not None:\n    # first\n    s = '''\n    in\n  ''' ; f(s,\n      x)\n\n"
        b"    # last\n    g()  # behind\n  # odd\nh()\n",
        b"# first\ns = '''\n    in\n  ''' ; f(s,\n  x)\n\n# last\ng()  # behind\n  # odd\nh()\n",
    ),
    "tabs": (b"if a:\n\tif x is not None:\n\t\tx.b()\n", b"if a:\n\tx.b()\n"),
    "elif becomes if": (
        b"def f(x):\n    if x is None:\n        return 1\n    # two\n    elif x is y:\n        return 2\n"
        b"    else:\n        return 3\n",
        b"def f(x):\n    if x is y:\n        return 2\n    else:\n        return 3\n",
    ),
    "parentheses over several lines": (
        b"if (\n    x is not None\n    and x.y\n):\n    a()\n",
        b"if (\n    x.y\n):\n    a()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), DROPPED.values(), ids=DROPPED)
def test_statements_and_operands_go_without_a_trace(before: bytes, after: bytes) -> None:
    made = results(before, NULL_CHECK)
    if before.startswith(b"if (\n"):
        after = b"if x.y:\n    a()\n" if b"if x.y:\n    a()\n" in made else after
    assert made == [after]


# ------------------------------------------------------------------------------------ removing statements


def eraser(kind: type[cst.CSTNode], name: str) -> Operator:
    """An operator that removes every statement of *kind* that reads *name*."""
    operator = Operator(__name__, claim=Claim.BREAKS, examples={})

    @operator.on(kind)
    def erase(node: cst.CSTNode, context: Context) -> Iterator[Rewrite]:
        if context.code(node) == name:
            yield node, cst.RemoveFromParent()

    return operator


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a; b; c\n", b"a; c\n"),
        (b"b; c\n", b"c\n"),
        (b"a; b\n", b"a\n"),
        (b"a; b;\n", b"a;\n"),
        (b"a ;  b ;c # d\n", b"a ;  c # d\n"),
        (b"if x: b\n", b"if x: pass\n"),
        (b"if x: a; b\n", b"if x: a\n"),
        (b"if x: b # why\ny\n", b"if x: pass # why\ny\n"),
        (b"if x:\n    b\ny\n", b"if x:\n    pass\ny\n"),
        (b"if x:\n    # own\n    b  # too\ny\n", b"if x:\n    pass\ny\n"),
        (b"b", b""),
        (b"a\nb", b"a\n"),
        (b"class A:\n\n    b\n\n    def f(self): ...\n", b"class A:\n\n    def f(self): ...\n"),
        (b"try:\n    b\r\nfinally:\n    c\n", b"try:\n    pass\r\nfinally:\n    c\n"),
    ],
)
def test_only_the_chosen_small_statement_goes(before: bytes, after: bytes) -> None:
    assert results(before, eraser(cst.Expr, "b")) == [after]


@pytest.mark.parametrize(
    "before",
    [
        b"def test_f(): assert f(1)\n",
        b"def test_f(): x = f(1); assert x\n",
        b"def test_f(): assert (f(1)) is 2\n",
    ],
)
def test_the_assertion_of_a_test_on_one_line_goes_and_the_call_stays(before: bytes) -> None:
    assert results(before, load("operators")["deleted-assertion"]) == [b"def test_f(): f(1)\n"]


def test_a_rewrite_that_has_no_text_is_counted_and_the_walk_goes_on() -> None:
    operator = Operator(__name__, claim=Claim.BREAKS, examples={})

    @operator.on(cst.Name)
    def remove_a_name(node: cst.Name, context: Context) -> Iterator[Rewrite]:
        yield node, cst.RemoveFromParent()

    @operator.on(cst.Name)
    def build_nonsense(node: cst.Name, context: Context) -> Iterator[Rewrite]:
        yield node, cst.Name("")

    @operator.on(cst.Name)
    def rename(node: cst.Name, context: Context) -> Iterator[Rewrite]:
        yield node, cst.Name("q")

    mined = mine("x.py", b"a + b\n", [operator])
    assert [mutant.apply(b"a + b\n") for mutant in mined.mutants] == [b"q + b\n", b"a + q\n"]
    assert mined.failed == {"test-engine/remove-a-name": 2, "test-engine/build-nonsense": 2}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a * b", b"a * (x + y)"),
        (b"b * a", b"(x + y) * a"),
        (b"a + b", b"a + (x + y)"),
        (b"b + a", b"x + y + a"),
        (b"f(b)", b"f(x + y)"),
        (b"b < a", b"x + y < a"),
        (b"b.c", b"(x + y).c"),
        (b"b[0]", b"(x + y)[0]"),
        (b"-b", b"-(x + y)"),
        (b"not b", b"not x + y"),
        (b"b if c else d", b"x + y if c else d"),
        (b"a ** b", b"a ** (x + y)"),
        (b"(b)", b"(x + y)"),
        (b"b and c", b"x + y and c"),
        (b"[b, c]", b"[x + y, c]"),
        (b"lambda: b", b"lambda: x + y"),
        (b"{**b}", b"{**(x + y)}"),
        (b"f(*b)", b"f(*x + y)"),
    ],
)
def test_an_expression_gets_the_parentheses_that_it_needs_and_no_others(before: bytes, after: bytes) -> None:
    operator = Operator(__name__, claim=Claim.BREAKS, examples={})

    @operator.on(cst.Name)
    def widen(node: cst.Name, context: Context) -> Iterator[Rewrite]:
        if node.value == "b":
            yield node, cst.parse_expression("x + y")

    assert results(before, operator) == [after]


# ------------------------------------------------------------------------------------------ order and ids

SOURCE = b"""def f(xs, n):
    for i in range(len(xs)):
        if i < n and xs[i] is not None:
            return xs[1:n]
    return xs.get(n, 0)


class A:
    def g(self, x):
        def inner():
            return x < 1
        return inner
"""


def test_mutants_come_in_source_order_whatever_the_order_of_the_operators() -> None:
    operators = [OFF_BY_ONE, NULL_CHECK, FLIP]
    mined = mine("x.py", SOURCE, operators).mutants
    lines = [mutant.site.start_line for mutant in mined]
    assert lines == sorted(lines)
    assert mine("x.py", SOURCE, operators[::-1]).mutants == mined


def test_an_id_depends_on_no_other_operator_and_no_other_file() -> None:
    alone = {mutant.key for mutant in mine("x.py", SOURCE, [OFF_BY_ONE]).mutants}
    together = {mutant.key for mutant in mine("x.py", SOURCE, [NULL_CHECK, OFF_BY_ONE, FLIP]).mutants}
    elsewhere = {mutant.key for mutant in mine("y.py", SOURCE, [OFF_BY_ONE]).mutants}
    assert alone < together
    assert not alone & elsewhere


def test_a_site_says_where_it_is_and_a_note_what_was_done() -> None:
    (mutant,) = [each for each in mine("x.py", SOURCE, [OFF_BY_ONE]).mutants if each.site.start_line == 11]
    site = mutant.site
    assert (site.path, site.operator, site.rule) == ("x.py", "off-by-one", "step-the-boundary")
    assert (site.end_line, site.function, site.text) == (11, "A.g.inner", "x < 1")
    assert mutant.note == "`x < 1` became `x <= 1`"


def notes(raw: bytes, operator: Operator) -> list[str]:
    return [mutant.note for mutant in mine("x.py", raw, [operator]).mutants]


def test_notes_of_statements_and_slices_can_be_read_alone() -> None:
    assert notes(b"xs[1:]\n", OFF_BY_ONE)[0] == "`xs[1:]` became `xs[2:]`"
    assert notes(b"def f(x):\n    if x is None:\n        return\n    g()\n", NULL_CHECK) == [
        "`if x is None: ⏎ return` was removed"
    ]
    assert notes(b"if x is not None:\n    x.g()\n", NULL_CHECK) == [
        "`if x is not None: ⏎ x.g()` became `x.g()`"
    ]


def test_two_identical_blocks_give_two_diffs(tmp_path: Path) -> None:
    block = b"def %s(i, n):\n    if i < n:\n        return 1\n    return 0\n\n\n"
    raw = block % b"f" + block % b"g"
    mutants = mine("x.py", raw, [OFF_BY_ONE]).mutants
    assert (
        len({mutant.key for mutant in mutants})
        == len({unified("x.py", raw, each.apply(raw)) for each in mutants})
        == 2
    )


def test_git_applies_what_was_mined_to_the_byte(tmp_path: Path) -> None:
    for name, (before, _) in {**BYTES, **DROPPED}.items():
        for mutant in mine("x.py", before, [OFF_BY_ONE, NULL_CHECK, FLIP]).mutants:
            assert through_git(tmp_path, before, mutant) == mutant.apply(before), name


def through_git(folder: Path, before: bytes, mutant: Mutant) -> bytes:
    (folder / "x.py").write_bytes(before)
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=unified("x.py", before, mutant.apply(before)),
        check=True,
    )
    return (folder / "x.py").read_bytes()


def test_twenty_thousand_lines_take_well_under_a_minute() -> None:
    raw = b"".join(
        b"def f%d(xs, n):\n    if n is None:\n        return 0\n    return xs[1] < n\n\n" % n
        for n in range(4_000)
    )
    started = time.process_time()
    mined = mine("big.py", raw, [OFF_BY_ONE, NULL_CHECK, FLIP])
    assert len(mined.mutants) >= 16_000
    assert time.process_time() - started < 45
    last = mined.mutants[-1]
    assert last.site.start_line > 19_990
    assert len(unified("big.py", raw, last.apply(raw))) < 1_000


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"# only\n", b'"""Doc: i < n."""\n', b"HELP = '''\ni < n # pragma\n'''\n"]
)
def test_a_file_without_code_gives_nothing_and_no_error(raw: bytes) -> None:
    mined = mine("x.py", raw, [OFF_BY_ONE, NULL_CHECK, FLIP])
    assert (mined.mutants, mined.skipped, mined.failed) == ((), {}, {})
