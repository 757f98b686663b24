"""Reading a file: what is unreadable and why, and that offsets lead back to the bytes on disk."""

from __future__ import annotations

import sys

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bebug.mutation.engine import mine
from bebug.mutation.sources import Unreadable, read
from bebug.registry import load


def deep(kind: str, n: int) -> bytes:
    texts = {
        "elif": "if a:\n    b\n" + "elif a:\n    b\n" * n,
        "sum": "x = " + " + ".join(["a"] * n),
        "calls": "x = f" + "()" * n,
        "attributes": "x = a" + ".b" * n,
        "conditional": "x = " + "a if b else " * n + "c",
        "indexes": "x = " + "x[" * min(n, 190) + "1" + "]" * min(n, 190),
        "arguments": "x = " + "f(" * min(n, 190) + "1" + ")" * min(n, 190),
        "lists": "x = " + "[" * min(n, 190) + "1" + "]" * min(n, 190),
    }
    return texts[kind].encode()


@pytest.mark.parametrize("kind", ["elif", "sum", "calls", "attributes", "conditional"])
@pytest.mark.parametrize("n", [300, 5_000])
def test_what_would_overflow_the_parser_is_refused_before_it_is_parsed(kind: str, n: int) -> None:
    with pytest.raises(Unreadable, match="nested too deep"):
        read("deep.py", deep(kind, n))


@pytest.mark.parametrize(
    ("kind", "n"),
    [("elif", 190), ("sum", 190), ("calls", 95), ("attributes", 190), ("conditional", 190), ("indexes", 65)],
)
def test_what_is_deep_but_within_bounds_is_read_and_mined(kind: str, n: int) -> None:
    raw = deep(kind, n) + b"\ni < n"
    assert len(mine("deep.py", raw, [load("operators")["off-by-one"]]).mutants) >= 1


@pytest.mark.parametrize("kind", ["indexes", "arguments", "lists"])
def test_deep_brackets_end_in_a_reason_and_not_in_a_crash(kind: str) -> None:
    with pytest.raises(Unreadable, match="nested too deep"):
        read("deep.py", deep(kind, 190))


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"x = '\xe9'\n", "cannot be decoded"),
        (b"x = 1\n\n\n# stray \xe9\n", "cannot be decoded as utf-8"),
        (b"# coding: latin-2000\n", "cannot be decoded"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "cannot be decoded"),
        (b"x = 1\0\n", "NUL"),
        (b"print 'hello'\n", "does not parse"),
        (b"def f(:\n", "line 1"),
        (b"import {{name}}\nif\n", "does not parse"),
    ],
)
def test_a_file_that_is_no_python_is_unreadable_with_a_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read("odd.py", raw)


def test_a_stateful_encoding_whose_characters_have_no_bytes_of_their_own_is_refused() -> None:
    raw = "# coding: iso2022_jp\ns = '表表'\n".encode("iso2022_jp")
    with pytest.raises(Unreadable, match="does not encode to the same bytes"):
        read("jis.py", raw)


ENCODED = {
    "utf-8": "s = 'é\u2028表'; i < n\n".encode(),
    "bom": b"\xef\xbb\xbfs = '\xc3\xa9'; i < n\n",
    "latin-1": b"# coding: latin-1\ns = '\xe9\xe9'; i < n\n",
    "latin-1 in emacs's words": b"#!/usr/bin/python\n# -*- coding: iso-8859-1 -*-\ns = '\xe9'; i < n\n",
    "shift_jis": "# coding: shift_jis\ns = '表'; i < n\n".encode("shift_jis"),
    "crlf": b"s = 1\r\ni < n\r\n",
    "mixed": b"s = 1\r\nt = 2\ni < n\r\n",
    "lone cr": b"s = 1\rt = 2\ni < n\r",
    "form feed": b"class A:\n    pass\n\x0c\n\x0ci < n\n",
    "blanks behind": b"i < n\n   ",
    "no newline": b"i < n",
    "blanks before a colon": b"try:\n    a\nexcept (B, C)  :\n    pass\ni < n\n",
    "astral": "s = '\U0001f40d'; i < n\n".encode(),
}


@pytest.mark.parametrize("raw", ENCODED.values(), ids=ENCODED)
def test_offsets_lead_back_to_the_bytes_on_disk(raw: bytes) -> None:
    source = read("x.py", raw)
    at = source.text.index("i < n")
    start, end = source.span(at, at + 5)
    assert raw[start:end] == b"i < n"
    assert (start, end) == (raw.index(b"i < n"), raw.index(b"i < n") + 5)
    assert source.module.code == source.text


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"a\nb\ni < n\n", 3),
        (b"a\r\nb\r\ni < n\r\n", 3),
        (b"a\rb\ni < n\n", 3),  # a lone CR ends a line for Python
        ("s = '\u2028\u0085'\ni < n\n".encode(), 2),  # these do not
        (b"s = 'a\x0cb'\n\x0ci < n\n", 2),
    ],
)
def test_lines_are_counted_as_python_counts_them(raw: bytes, line: int) -> None:
    source = read("x.py", raw)
    assert source.line(source.text.index("i < n")) == line


@pytest.mark.parametrize(
    "code",
    [
        "return(a if b else c)",
        "return((lambda: a))",
        "x = a if(b)else[c]",
        "x = (a)and(b if c else d)",
        "return[a]",
    ],
)
def test_valid_code_that_libcst_itself_would_refuse_is_read(code: str) -> None:
    raw = f"def f():\n    {code}\n".encode()
    assert read("x.py", raw).text.encode() == raw


def test_quotes_used_again_in_the_braces_of_a_text_are_read_where_this_python_reads_them() -> None:
    raw = b"""def f(d, n):\n    return f"{"at" if d["k"] < n else "past":>{d["w"]}}"\n"""
    if sys.version_info < (3, 12):
        with pytest.raises(Unreadable, match="does not parse"):
            read("x.py", raw)
        return
    mutants = mine("x.py", raw, [load("operators")["off-by-one"]]).mutants
    assert [mutant.apply(raw) for mutant in mutants] == [raw.replace(b"<", b"<=")]


@pytest.mark.parametrize("raw", [b"", b"\n", b"   \n", b"# only\n", b'"""Doc."""\n', b"\xef\xbb\xbf", b"  "])
def test_an_empty_file_is_readable(raw: bytes) -> None:
    source = read("x.py", raw)
    assert source.module.code == source.text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\\'"), max_size=20))
def test_any_text_in_a_string_keeps_its_place(inside: str) -> None:
    raw = f"s = '{inside}'; i < n\n".encode()
    source = read("x.py", raw)
    start, end = source.span(source.text.index("; i < n"), source.text.index("; i < n") + 7)
    assert raw[start:end] == b"; i < n"


class Panic(BaseException):
    """What a native parser raises when it gives up: no `Exception`."""


def test_a_panic_of_the_parser_is_a_reason_and_an_interrupt_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (Panic(), MemoryError(), RecursionError(), cst.CSTValidationError()):

        def parse(text: str, error: BaseException = error) -> cst.Module:
            raise error

        monkeypatch.setattr(cst, "parse_module", parse)
        with pytest.raises(Unreadable):
            read("x.py", b"i < n\n")

    def interrupted(text: str) -> cst.Module:
        raise KeyboardInterrupt

    monkeypatch.setattr(cst, "parse_module", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read("x.py", b"i < n\n")


def test_libcst_checks_what_rules_build_once_a_file_is_read() -> None:
    read("x.py", b"i < n\n")
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")
