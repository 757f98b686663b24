"""Bytes on disk read as the text that the parser sees, with the way back from text to bytes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate

import libcst as cst

DEEPEST = 200
"""Syntax nested deeper than this is not given to LibCST, whose own recursion ends near 320 levels."""

LEVELS: dict[type[ast.AST], int] = {
    **dict.fromkeys((ast.Call, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.JoinedStr), 2),
    ast.Subscript: 3,
}
"""Syntax for which LibCST has more than one level of nodes."""

LINE_END = re.compile(r"\r\n|\r|\n")
BLANKS = " \t\f\r"
LAST_BLANKS = re.compile(r"(?<=[\r\n])[ \t\f]+\Z")


class Unreadable(Exception):
    """This file cannot be planted in; *reason* says why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One file: its *raw* bytes, the decoded *text* that *module* renders to, and the map between them.

    *text* has no byte order mark, and not the blanks that LibCST loses.
    """

    path: str
    raw: bytes
    text: str
    encoding: str
    module: cst.Module
    offsets: Sequence[int]  # of each character's first byte in `raw`
    line_starts: Sequence[int]  # offsets into `text`, as Python counts lines

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The bytes that hold the characters [start, end), and nothing that *text* leaves out around them."""
        if start == end:
            at = self.offsets[start] if start < len(self.text) else len(self.raw)
            return at, at
        return self.offsets[start], self.offsets[end - 1] + len(self.encode(self.text[end - 1]))

    def encode(self, text: str) -> bytes:
        return text.encode(self.encoding)

    def line(self, offset: int) -> int:
        """The 1-based line, as Python counts, of the character at *offset*."""
        return bisect_right(self.line_starts, offset)


def read(path: str, raw: bytes) -> Source:
    """The file *path* with the bytes *raw*. Raises `Unreadable`."""
    encoding, mark = encoding_of(raw)
    text = decode(raw[mark:], encoding)
    tree = guard(raw)
    kept, module = parse(text, tree)
    offsets = byte_offsets(text, encoding, raw, mark)
    if kept is not None:
        offsets = [offsets[at] for at in kept]
        text = "".join(text[at] for at in kept)
    starts = [0, *(found.end() for found in LINE_END.finditer(text))]
    return Source(path, raw, text, encoding, module, offsets, starts)


def encoding_of(raw: bytes) -> tuple[str, int]:
    """The codec that Python reads *raw* with, and the length of its byte order mark."""
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    except SyntaxError as error:
        raise Unreadable(f"cannot be decoded: {error.msg}") from error
    mark = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    return ("utf-8" if name == "utf-8-sig" else name), mark


def decode(raw: bytes, encoding: str) -> str:
    if b"\0" in raw:
        raise Unreadable("holds NUL bytes: not Python source")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(f"cannot be decoded as {encoding}: byte {error.start} is not valid") from error


def guard(raw: bytes) -> ast.Module:
    """*raw* as this interpreter parses it, once it is sure that LibCST will survive it too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(raw)
    except (RecursionError, MemoryError) as error:
        raise Unreadable("nested too deep for the parser") from error
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise Unreadable(f"does not parse: {error.args[0]}" + (f" (line {line})" if line else "")) from error
    if (depth := depth_of(tree)) > DEEPEST:
        raise Unreadable(f"nested too deep for the parser: {depth} levels, at most {DEEPEST}")
    return tree


def depth_of(tree: ast.AST) -> int:
    """How many of LibCST's nodes the longest path of *tree* has, about; measured without recursion."""
    deepest = 0
    todo: list[tuple[ast.AST, int]] = [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        deepest = max(deepest, depth)
        below = depth + LEVELS.get(type(node), 1)
        todo += [(child, below) for child in ast.iter_child_nodes(node)]
    return deepest


def parse(text: str, tree: ast.Module) -> tuple[Sequence[int] | None, cst.Module]:
    """A module that renders to *text*, or to those characters of it whose indexes are also returned.

    LibCST loses some blanks: a form feed at the start of a line, those before an `except`'s colon, a lone
    CR at the end. Where Python's own tree shows that they mean nothing, the file is taken without them; edits
    leave them where they are. Blanks after the last line are kept from it: it would lose more with them.
    """
    module = parse_module(LAST_BLANKS.sub("", text))
    code = module.code
    if code == text:
        return None, module
    kept = aligned(text, code)
    if kept is None or not same_syntax(code, tree):
        raise Unreadable("the parser does not give this text back unchanged")
    return kept, module


def aligned(text: str, code: str) -> list[int] | None:
    """For each character of *code* its index in *text*, if only blanks are missing from it."""
    kept: list[int] = []
    for index, char in enumerate(text):
        if len(kept) < len(code) and code[len(kept)] == char:
            kept.append(index)
        elif char not in BLANKS:
            return None
    return kept if len(kept) == len(code) else None


def same_syntax(text: str, tree: ast.Module) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(text)) == ast.dump(tree)
    except SyntaxError:
        return False


@contextmanager
def unvalidated() -> Iterator[None]:
    """LibCST builds nodes unchecked: its checks refuse valid code such as `return(a if b else c)`."""
    cst.CSTNode.__post_init__ = _unchecked  # type: ignore[method-assign]
    try:
        yield
    finally:
        cst.CSTNode.__post_init__ = _CHECKED  # type: ignore[method-assign]


_CHECKED = cst.CSTNode.__post_init__


def _unchecked(self: cst.CSTNode) -> None:
    pass


def parse_module(text: str) -> cst.Module:
    """The module that *text* is. Python has parsed it before: what LibCST does not take is `Unreadable`."""
    try:
        with unvalidated():
            return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise Unreadable(f"LibCST does not parse it: {error.message.splitlines()[0]}") from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable("nested too deep for the parser") from error
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native parser is no `Exception`
        raise Unreadable(f"LibCST failed on it: {type(error).__name__}") from error


def byte_offsets(text: str, encoding: str, raw: bytes, mark: int) -> Sequence[int]:
    """For each character of *text* the index of its first byte in *raw*; verified by encoding it again."""
    if len(text) + mark == len(raw):
        if text.encode(encoding) != raw[mark:]:
            raise Unreadable(f"text decoded as {encoding} does not encode to the same bytes")
        return range(mark, len(raw))
    parts = list(encoded(text, encoding))
    if b"".join(parts) != raw[mark:]:
        raise Unreadable(f"text decoded as {encoding} does not encode to the same bytes")
    return list(accumulate((len(part) for part in parts[:-1]), initial=mark))


def encoded(text: str, encoding: str) -> Iterator[bytes]:
    """Each character's own bytes."""
    known = {char: char.encode(encoding) for char in set(text)}
    return (known[char] for char in text)
