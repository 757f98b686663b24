"""What is spliced in is written as the file writes it: a formatter has nothing to change."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import libcst as cst
import pytest

from bebug.mutation.context import Context
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.mutation.style import Style, spaced, style
from bebug.mutation.tree import Tree
from bebug.records import Claim
from bebug.registry import load

STDLIB = Path(sysconfig.get_path("stdlib"))
EMITTED: dict[str, Operator] = {**load("operators"), **load("controls")}
PLANTED = [name for name, each in EMITTED.items() if each.claim is not Claim.WEAKENS]
FORMAT = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "200"]


def formatted(raw: bytes) -> bytes:
    return subprocess.run([*FORMAT, "-"], input=raw, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def sources() -> dict[str, bytes]:
    names = ("textwrap.py", "heapq.py", "fractions.py", "tempfile.py")
    return {name: formatted((STDLIB / name).read_bytes()) for name in names}


@pytest.mark.parametrize("name", PLANTED)
def test_a_formatted_file_stays_formatted(name: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    for path, raw in sources.items():
        for number, mutant in enumerate(mine(path, raw, [EMITTED[name]]).mutants):
            (tmp_path / f"{path.removesuffix('.py')}_{number}.py").write_bytes(mutant.apply(raw))
    assert len(list(tmp_path.iterdir())) > 0
    run = subprocess.run([*FORMAT, "--diff", str(tmp_path)], capture_output=True, text=True, check=False)
    assert run.stdout == "" and run.returncode == 0, run.stdout


def style_of(source: str) -> Style:
    return style(Context(Tree(cst.parse_module(source), source)))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\n", Style(tight=False, tight_index=False, black=False)),
        ('x = "a"\n', Style(tight=False, tight_index=False, black=True)),
        ("x = 'a'\n", Style(tight=False, tight_index=False, black=False)),
        ("x = 'a'; y = xs[i + 1 :]\n", Style(tight=False, tight_index=False, black=True)),
        ('x = "a"; y = xs[i + 1:]\n', Style(tight=False, tight_index=False, black=False)),
        ('x = "a"; y = a+b\n', Style(tight=True, tight_index=True, black=False)),
        ('x = "a"; y = a + b + c; z = xs[i+1:]\n', Style(tight=False, tight_index=True, black=False)),
        ("y = a+b+c; z = xs[i + 1]\n", Style(tight=True, tight_index=False, black=False)),
    ],
)
def test_a_style_is_what_most_of_a_file_does(source: str, expected: Style) -> None:
    assert style_of(source) == expected


@pytest.mark.parametrize(
    "text",
    [
        "[a:b]",
        "[1:-1]",
        "[a + 1 :]",
        "[: a + 1]",
        "[a.b : c]",
        "[: f(x) : g(x)]",
        "[:: g(x)]",
        "[a + 1 :: 2]",
        "[a + 1 : b : 2]",
        "[a:b:2]",
        "[a + 1 : b :]",
        "[~a : not b]",
        "[(a) : b]",
        '["a" : b[0]]',
    ],
)
def test_blanks_around_colons_are_those_of_the_formatter(text: str) -> None:
    expression = cst.ensure_type(
        cst.parse_expression(f"xs{text.replace(' :', ':').replace(': ', ':')}"), cst.Subscript
    )
    element = cst.ensure_type(expression.slice[0].slice, cst.Slice)
    made = cst.Module([]).code_for_node(
        expression.with_changes(slice=[cst.SubscriptElement(spaced(element))])
    )
    assert made == formatted(f"xs{text}".encode()).decode().rstrip()
