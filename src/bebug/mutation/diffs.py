"""Before and after, as bytes, written as the diff that `git apply` turns back into the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT = 3
LONGEST_COMPARED = 2_000
"""Changed regions of more lines than this are written as one replacement: comparing them is quadratic."""
ESCAPES = {0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", 0x22: '"', 0x5C: "\\"}


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of one side, 1-based, split on LF only; both ends count."""

    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Block:
    """Lines [old_start, old_end) of one side stand against [new_start, new_end) of the other; 0-based."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def unified(path: str, before: bytes, after: bytes) -> bytes:
    """The diff of the file *path*, posix from the root, in git's own format; empty where nothing differs."""
    old, new = split(before), split(after)
    blocks = changes(old, new)
    if not blocks:
        return b""
    a, b = quoted("a/" + path), quoted("b/" + path)
    # Git ends a name with a blank in it by a tab, so that nothing is taken for a time stamp.
    tab = b"\t" if " " in path and not a.startswith(b'"') else b""
    head = b"diff --git %s %s\n--- %s%s\n+++ %s%s\n" % (a, b, a, tab, b, tab)
    return head + b"".join(hunk(old, new, group) for group in grouped(blocks))


def spans(before: bytes, after: bytes) -> tuple[Span, Span]:
    """The first to the last line that differ, on each side; of a side without any, where they were."""
    old, new = split(before), split(after)
    blocks = changes(old, new)
    if not blocks:
        raise ValueError("nothing differs")
    first, last = blocks[0], blocks[-1]
    return (
        span(first.old_start, last.old_end, len(old)),
        span(first.new_start, last.new_end, len(new)),
    )


def span(start: int, end: int, size: int) -> Span:
    line = min(start + 1, max(size, 1))
    return Span(line, max(end, line))


def split(text: bytes) -> list[bytes]:
    """The lines of *text*, each with its LF; the last one may have none."""
    lines = [line + b"\n" for line in text.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def changes(old: Sequence[bytes], new: Sequence[bytes]) -> list[Block]:
    """What differs, in order. What both sides share at their ends is never compared line by line."""
    head = shared(old, new)
    tail = shared(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    if head == old_end and head == new_end:
        return []
    if max(old_end, new_end) - head > LONGEST_COMPARED:
        return [Block(head, old_end, head, new_end)]
    matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False)
    return [
        Block(a + head, b + head, c + head, d + head)
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]


def shared(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    size = min(len(one), len(other))
    return next((at for at in range(size) if one[at] != other[at]), size)


def grouped(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks whose context would touch share a hunk."""
    group = [blocks[0]]
    for block in blocks[1:]:
        if block.old_start - group[-1].old_end > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    yield group


def hunk(old: Sequence[bytes], new: Sequence[bytes], blocks: Sequence[Block]) -> bytes:
    first, last = blocks[0], blocks[-1]
    before = min(CONTEXT, first.old_start)
    after = min(CONTEXT, len(old) - last.old_end)
    old_range = extent(first.old_start - before, last.old_end + after)
    new_range = extent(first.new_start - before, last.new_end + after)
    lines = [b"@@ -%s +%s @@\n" % (old_range, new_range)]
    at = first.old_start - before
    for block in blocks:
        lines += [b" " + line for line in old[at : block.old_start]]
        lines += [b"-" + line for line in old[block.old_start : block.old_end]]
        lines += [b"+" + line for line in new[block.new_start : block.new_end]]
        at = block.old_end
    lines += [b" " + line for line in old[at : at + after]]
    return b"".join(
        line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines
    )


def extent(start: int, end: int) -> bytes:
    """A hunk's range: a count of one is left out, and an empty range names the line before it."""
    size = end - start
    if size == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if size else start, size)


def quoted(path: str) -> bytes:
    """*path* as git writes it: quoted, with escapes, where it holds more than plain ASCII."""
    raw = path.encode("utf-8", "surrogateescape")
    if all(0x20 <= byte < 0x7F and byte not in ESCAPES for byte in raw):
        return raw
    return ('"' + "".join(escaped(byte) for byte in raw) + '"').encode("ascii")


def escaped(byte: int) -> str:
    if byte in ESCAPES:
        return "\\" + ESCAPES[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"
