"""Edits that must change nothing: a comment at the end of a file, a comment after each `def` line (pure)."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

MARK = "# nothing changes here"
BETWEEN = (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENCODING)
CANARY = b'raise RuntimeError("canary: this file was replaced on purpose")\n'


def appended(source: bytes) -> bytes:
    """*source* with a comment line at its end."""
    gap = b"" if not source or source.endswith((b"\n", b"\r")) else b"\n"
    return source + gap + MARK.encode() + b"\n"


def inside_functions(source: bytes) -> bytes:
    """*source* with a comment at the end of each function's `def` line; no line moves. Raises ValueError.

    A ValueError (`UnicodeError` and a tokenizer's complaint included) says that the text cannot be taken
    apart.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
        lines = text.split("\n")
        for row, column in sorted(ends_of_headers(text), reverse=True):
            line = lines[row - 1]
            lines[row - 1] = f"{line[:column]}  {MARK}{line[column:]}"
        return "\n".join(lines).encode(encoding)
    except (SyntaxError, tokenize.TokenError, IndexError) as error:
        raise ValueError(str(error)) from None


def ends_of_headers(text: str) -> Iterator[tuple[int, int]]:
    """Row and column at which the logical line of each `def` ends (that of a one-line suite: its body)."""
    heading, fresh = False, True
    for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
        if token.type == tokenize.NEWLINE:
            if heading:
                yield token.start
            heading, fresh = False, True
        elif token.type == tokenize.NAME and fresh:
            heading = token.string == "def"
            fresh = token.string == "async"
        elif token.type not in BETWEEN:
            fresh = False
