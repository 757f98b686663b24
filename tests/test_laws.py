"""The laws of operators: on the tables' own examples, on real modules, on programs that Hypothesis makes."""

from __future__ import annotations

import sysconfig
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug.laws.operators import check_operator
from bebug.mutation.operator import Operator
from bebug.mutation.sources import Unreadable
from bebug.registry import load

MEMBERS = {**load("operators"), **load("controls"), **load("faults")}
STDLIB = Path(sysconfig.get_path("stdlib"))
SAMPLE = [
    "bisect.py",
    "heapq.py",
    "textwrap.py",
    "shlex.py",
    "csv.py",
    "json/decoder.py",
    "base64.py",
    "fnmatch.py",
]


@pytest.fixture(params=MEMBERS)
def operator(request: pytest.FixtureRequest) -> Operator:
    return MEMBERS[request.param]


def test_the_laws_hold_on_all_tables(operator: Operator) -> None:
    sources = [source for member in MEMBERS.values() for source in (*member.examples, *member.untouched)]
    checked = sum(check_operator(operator, "table.py", source.encode()) for source in sources)
    assert checked >= len(operator.examples)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_laws_hold_on_modules_of_the_standard_library(operator: Operator, name: str) -> None:
    check_operator(operator, name, (STDLIB / name).read_bytes(), most=25)


@pytest.mark.slow
def test_the_laws_hold_on_every_tenth_file_of_the_standard_library() -> None:
    checked: Counter[str] = Counter()
    for path in sorted(STDLIB.rglob("*.py"))[::10]:
        if "site-packages" in path.parts:
            continue
        raw = path.read_bytes()
        for name, member in MEMBERS.items():
            try:
                checked[name] += check_operator(member, path.name, raw, most=10)
            except Unreadable:
                break
    rare = {name: checked[name] for name in MEMBERS if checked[name] <= 20}
    assert not rare, f"held by little but their own tables: {rare}"


# ------------------------------------------------------------------------------- programs out of thin air

NAMES = st.sampled_from(["a", "b", "xs", "self.n", "len", "range", "x"])
NUMBERS = st.sampled_from(["0", "1", "-1", "0x0F", "1_000", "2"])
ATOMS = st.one_of(NAMES, NUMBERS, st.sampled_from(["None", "'s'", "[]", "f'{a < b}'"]))
SPACES = st.sampled_from([" ", "  "])


@st.composite
def bracketed(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    """An expression in parentheses, perhaps over two lines, perhaps with a comment in it."""
    opening = draw(st.sampled_from(["(", "(\n    ", "( # why\n  "]))
    return opening + draw(inner) + draw(st.sampled_from([")", "\n)"]))


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operand = st.one_of(ATOMS, bracketed(inner))
    operators = st.sampled_from(
        ["<", "<=", ">", "==", "+", "-", "*", "**", "and", "or", "is", "is not", "in"]
    )
    return st.one_of(
        bracketed(inner),
        st.builds("{} {} {}".format, operand, operators, operand),
        st.builds("({}){}({})".format, inner, operators, inner),
        st.builds("{} is not None and {}".format, NAMES, operand),
        st.builds("({})if({} is None)else({})".format, inner, NAMES, inner),
        st.builds("{} if {} is not None else {}".format, NAMES, NAMES, operand),
        st.builds("not {}".format, operand),
        st.builds("range({})".format, inner),
        st.builds("range({}, {})".format, inner, inner),
        st.builds("len({}) < {}".format, NAMES, operand),
        st.builds("{}[{}]".format, NAMES, inner),
        st.builds("{}[{}:{}]".format, NAMES, operand, operand),
        st.builds("{}.get({}, {})".format, NAMES, inner, inner),
        st.builds("enumerate({})".format, inner),
        st.builds("[x for x in {} if x is not None]".format, operand),
        st.builds("lambda x: {}".format, operand),
    ).map(lambda text: f"({text})" if text.startswith("lambda") else text)


EXPRESSIONS = st.recursive(ATOMS, compound, max_leaves=6)
SIMPLE = st.one_of(
    st.builds("x = {}".format, EXPRESSIONS),
    st.builds("return {}".format, EXPRESSIONS),
    st.builds("return({})".format, EXPRESSIONS),
    st.builds("x += 1".format),
    st.builds("raise ValueError(x)".format),
    st.just("pass"),
    st.just("x = '''a\n  b\n'''"),
)
LINES = st.lists(SIMPLE, min_size=1, max_size=3).map("; ".join)
COMMENTS = st.sampled_from(["", "", "# above\n", "\n", "\n# apart\n\n"])
TRAILING = st.sampled_from(["", "", "  # behind"])


def indented(text: str) -> str:
    """*text* one level in; the inside of a multi-line string moves too, which is all the same here."""
    return "".join("    " + line if line.strip() else line for line in text.splitlines(keepends=True))


@st.composite
def blocks(draw: st.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        parts.append(draw(COMMENTS))
        parts.append(draw(compounds(depth) if depth and draw(st.booleans()) else LINES) + "\n")
    return "".join(parts)


@st.composite
def compounds(draw: st.DrawFn, depth: int) -> str:
    test = draw(
        st.one_of(
            st.builds("{} is None".format, NAMES), st.builds("{} is not None".format, NAMES), EXPRESSIONS
        )
    )
    word = draw(st.sampled_from(["if ", "while "]))
    if draw(st.integers(0, 3)) == 0:
        return f"{word}{test}: {draw(LINES)}"
    text = f"{word}{test}:{draw(TRAILING)}\n{indented(draw(blocks(depth - 1)))}"
    if word == "if " and draw(st.booleans()):
        text += f"{draw(COMMENTS)}elif {draw(NAMES)} is None:\n{indented(draw(blocks(depth - 1)))}"
    if draw(st.booleans()):
        text += f"else:{draw(TRAILING)}\n{indented(draw(blocks(depth - 1)))}"
    return text.rstrip("\n")


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """A function, with any line end, and perhaps none at the end, in one of several encodings."""
    text = f"def f(a, b, xs, x):\n{indented(draw(blocks()))}\n"
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    head = draw(
        st.sampled_from(
            [b"", b"\xef\xbb\xbf", b"# coding: latin-1\ns = '\xe9'\n", "s = 'é\u2028'\n".encode()]
        )
    )
    return head + text.encode()


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(raw=programs())
def test_the_laws_hold_on_any_program(operator: Operator, raw: bytes) -> None:
    check_operator(operator, "made.py", raw, most=12)
