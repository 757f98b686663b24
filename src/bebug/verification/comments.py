"""Edits that must change nothing: a comment at the end of a file, or at and below each line (pure)."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

MARK = "# nothing changes here"
CANARY = b'raise RuntimeError("canary: this file was replaced on purpose")\n'


def appended(source: bytes) -> bytes:
    """*source* with a comment line at its end."""
    gap = b"" if not source or source.endswith((b"\n", b"\r")) else b"\n"
    return source + gap + MARK.encode() + b"\n"


def on_each_line(source: bytes) -> bytes:
    """*source* with a comment at the end of each logical line, and a line of comment below it.

    Whoever reads the text or counts its lines notices; nothing else can. A `ValueError` says that the text
    cannot be taken apart.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
        lines = text.split("\n")
        for row, column in sorted(line_ends(text), reverse=True):
            line = lines[row - 1]
            end = "\r" if line.endswith("\r") else ""
            lines[row - 1] = f"{line[:column]}  {MARK}{line[column:]}\n{MARK}{end}"
        return "\n".join(lines).encode(encoding)
    except (SyntaxError, tokenize.TokenError, IndexError) as error:
        raise ValueError(str(error)) from None


def line_ends(text: str) -> Iterator[tuple[int, int]]:
    """Row and column at which each logical line ends, after its comment where it has one."""
    for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
        if token.type == tokenize.NEWLINE:
            yield token.start
