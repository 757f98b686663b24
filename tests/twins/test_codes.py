"""What code swapping rests on: a statement compiled alone gives the very code that it has in its file."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from bebug.verification.environment import GUEST

MODULES = """
    argparse ast asyncio/events bdb calendar collections/__init__ configparser contextlib copy csv dataclasses
    datetime difflib email/message enum fractions functools heapq http/client inspect json/encoder pathlib
    logging/__init__ pickle random shlex statistics string textwrap threading tokenize traceback typing uuid
    unittest/mock
"""
FILES = {name: Path(sysconfig.get_paths()["stdlib"], name + ".py") for name in MODULES.split()}


@pytest.fixture(scope="module")
def guest() -> Iterator[ModuleType]:
    sys.path.insert(0, str(GUEST))
    try:
        import bebug_codes
    finally:
        sys.path.remove(str(GUEST))
    yield bebug_codes
    del sys.modules["bebug_codes"]


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=name) for name, path in FILES.items() if path.exists()]
)
def test_a_statement_alone_compiles_as_in_its_file(guest: ModuleType, path: Path) -> None:
    source = guest.Source(path)
    whole = codes(source.code)
    for start, end in source.blocks:
        piece = source.compiled(source.piece(source.lines, start, end), source.flags)
        assert codes(piece) <= whole


def codes(module: CodeType) -> set[CodeType]:
    """The code of the functions and classes at the top; equal code has equal lines, names and constants."""
    found = (const for const in module.co_consts if isinstance(const, CodeType))
    return {code for code in found if code.co_name.isidentifier()}  # no lambdas and comprehensions


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=name) for name, path in FILES.items() if path.exists()]
)
def test_a_piece_tells_of_a_change_what_the_file_tells(guest: ModuleType, path: Path) -> None:
    source, told = guest.Source(path), 0
    for number, line in enumerate(source.lines):
        for old, new in ((b" + 1", b" + 2"), (b" is None", b" is not None"), (b" == ", b" != ")):
            if old not in line or told == 20:
                continue
            lines = [*source.lines]
            lines[number] = line.replace(old, new)
            after = b"\n".join(lines)
            try:
                slow = list(guest.changed_functions(source.code, source.compiled(after, 0)))
            except (guest.Unswappable, SyntaxError):
                continue
            fast, defaults = source.changed(after)
            assert [pair[:2] for pair in fast] == [pair[:2] for pair in slow]
            assert defaults == []
            told += 1


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("# -*- coding: latin-1 -*-\n", id="another encoding"),
        pytest.param("\ufeff", id="a byte order mark"),
        pytest.param("x = 1\rX = 2\n", id="a bare carriage return"),
    ],
)
def test_a_file_whose_lines_are_not_plain_is_compiled_whole(
    guest: ModuleType, tmp_path: Path, start: str
) -> None:
    encoding = "latin-1" if "latin" in start else "utf-8"
    text = start + "NAME = 'é'\n\n\ndef low(n):\n    return n * 'é'\n"
    file = tmp_path / "module.py"
    file.write_bytes(text.encode(encoding))
    ((old, new, at_top),), _ = guest.Source(file).changed(
        text.replace("return n", "return -n").encode(encoding)
    )
    assert (old.co_name, old.co_consts == new.co_consts, at_top) == ("low", True, True)
    assert new.co_consts[-1] == "é"


def test_a_default_that_is_no_literal_is_not_swapped(guest: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("LIMIT = 2\n\n\ndef low(n=LIMIT):\n    return n\n")
    with pytest.raises(guest.Unswappable):
        guest.Source(file).changed(file.read_bytes().replace(b"n=LIMIT", b"n=3"))
    with pytest.raises(guest.Unswappable):  # another kind of parameter
        guest.Source(file).changed(file.read_bytes().replace(b"n=LIMIT", b"*, n=LIMIT"))
