"""Reading unified diffs tolerantly: which lines go, which come and where, also where hunk counts are wrong.

Nothing here applies a diff: that is git's work, and strict. A foreign corpus or a critic's input may be
sloppy, so this reader takes a hunk at its word where its counts add up, and else reads on to the next
header and says what was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


class Kind(StrEnum):
    CONTEXT = " "
    REMOVED = "-"
    ADDED = "+"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a hunk without its mark and its LF; *old* and *new* are the 1-based lines it stands at."""

    kind: Kind
    text: bytes
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """*fault* says where header and body disagree; "" where they agree."""

    lines: tuple[Line, ...]
    fault: str = ""


@dataclass(slots=True)
class FilePatch:
    """The changes of one file; a side is None where the file is absent on it or the diff does not say."""

    old: str | None = None
    new: str | None = None
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The file's name after the change, or before it where the change deletes it; "" if unnamed."""
        return self.new or self.old or ""

    @property
    def lines(self) -> Iterator[Line]:
        for hunk in self.hunks:
            yield from hunk.lines


@dataclass(frozen=True, slots=True)
class Patch:
    """A whole diff as read; *faults* names all that a strict reader would have refused."""

    files: tuple[FilePatch, ...]
    faults: tuple[str, ...]


def read(diff: bytes) -> Patch:
    """What *diff* says. Never raises: what cannot be read is skipped and named in `faults`."""
    lines = diff.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    files: list[FilePatch] = []
    at, git = 0, False
    while at < len(lines):
        line = lines[at].removesuffix(b"\r")
        if line.startswith(b"diff --git "):
            files.append(_named(line))
            git = True
        elif _is_file_header(lines, at):
            if not files or files[-1].hunks:
                files.append(FilePatch())
            files[-1].old, files[-1].new = _path(lines[at]), _path(lines[at + 1])
            at += 1
        elif header := _HUNK.match(line):
            if not files:
                files.append(FilePatch())
            hunk, at = _hunk(lines, at, header)
            files[-1].hunks.append(hunk)
            continue
        at += 1
    return Patch(tuple(files), tuple(_faults(files, git)))


def _faults(files: Sequence[FilePatch], git: bool) -> Iterator[str]:
    if not any(file.hunks for file in files):
        yield "holds no hunk"
    elif not git:
        yield "has no `diff --git` line"
    for file in files:
        if file.hunks and not file.path:
            yield "a hunk has no file name before it"
        for number, hunk in enumerate(file.hunks, 1):
            if hunk.fault:
                yield f"hunk {number} of {file.path or 'an unnamed file'} {hunk.fault}"


def _hunk(lines: Sequence[bytes], at: int, header: re.Match[bytes]) -> tuple[Hunk, int]:
    """The hunk whose header stands at line *at*, and the line after it."""
    old, old_count, new, new_count = (1 if part is None else int(part) for part in header.groups())
    end = _counted_end(lines, at + 1, old_count, new_count)
    if end is not None:
        return Hunk(_numbered(lines[at + 1 : end], old, new)), end
    end = _next_header(lines, at + 1)
    body = _numbered(lines[at + 1 : end], old, new)
    old_found = sum(line.kind is not Kind.ADDED for line in body)
    new_found = sum(line.kind is not Kind.REMOVED for line in body)
    fault = f"announces {old_count} old and {new_count} new lines, but has {old_found} and {new_found}"
    return Hunk(body, fault), end


def _counted_end(lines: Sequence[bytes], at: int, old: int, new: int) -> int | None:
    """Where a hunk of *old* and *new* lines ends, or None where the body does not bear its counts out."""
    while old > 0 or new > 0:
        if at == len(lines) or not _is_body(lines[at]):
            return None
        mark = lines[at][:1]
        old -= mark not in b"+\\" or mark == b""
        new -= mark not in b"-\\" or mark == b""
        at += 1
    while at < len(lines) and lines[at].startswith(b"\\"):
        at += 1
    return at if (old, new) == (0, 0) and _may_follow(lines, at) else None


def _may_follow(lines: Sequence[bytes], at: int) -> bool:
    """Whether line *at* can stand right after a hunk whose counts are right."""
    if at == len(lines) or not _is_body(lines[at]) or _is_file_header(lines, at):
        return True
    if lines[at] == b"-- " and len(lines) - at <= 3:  # the signature of `git format-patch`
        return True
    rest = at
    while rest < len(lines) and not lines[rest].strip():
        rest += 1
    return rest > at and (rest == len(lines) or _is_file_header(lines, rest) or not _is_body(lines[rest]))


def _next_header(lines: Sequence[bytes], at: int) -> int:
    """Where a hunk ends that must be read without its counts; blank lines at its end are no part of it."""
    end = at
    while end < len(lines) and _is_body(lines[end]) and not _is_file_header(lines, end):
        end += 1
    while end > at and lines[end - 1].strip(b"\r") == b"":
        end -= 1
    return end


def _numbered(body: Sequence[bytes], old: int, new: int) -> tuple[Line, ...]:
    numbered = []
    for raw in body:
        if raw.startswith(b"\\"):
            continue
        kind = Kind(chr(raw[0])) if raw[:1] in (b"+", b"-", b" ") else Kind.CONTEXT
        numbered.append(Line(kind, raw[1:] if raw[:1] in (b"+", b"-", b" ") else raw, old, new))
        old += kind is not Kind.ADDED
        new += kind is not Kind.REMOVED
    return tuple(numbered)


def _is_body(line: bytes) -> bool:
    """Whether *line* can belong to a hunk; editors strip the blank of an empty context line."""
    return line in (b"", b"\r") or line[:1] in (b" ", b"+", b"-", b"\\")


def _is_file_header(lines: Sequence[bytes], at: int) -> bool:
    """`---` and `+++` in a row and then a hunk: a removed `-- x` alone looks like the first of them."""
    return (
        len(lines) > at + 2
        and lines[at].startswith(b"--- ")
        and lines[at + 1].startswith(b"+++ ")
        and _HUNK.match(lines[at + 2]) is not None
    )


def _named(line: bytes) -> FilePatch:
    """The file of a `diff --git a/X b/X` line, for changes without a `---` line: modes, binaries."""
    names = line[len(b"diff --git ") :]
    half = len(names) // 2
    old, new = _path(b"--- " + names[:half]), _path(b"+++ " + names[half + 1 :])
    return FilePatch(old, new) if old == new else FilePatch()


def _path(line: bytes) -> str | None:
    name = line[4:].removesuffix(b"\r")
    if name.startswith(b'"') and name.rstrip().endswith(b'"'):
        name = _ESCAPE.sub(_unescaped, name.rstrip()[1:-1])
    else:
        name = name.partition(b"\t")[0]
    if name == b"/dev/null":
        return None
    return re.sub(rb"\A[ab]/", b"", name).decode("utf-8", "surrogateescape") or None


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) & 255]) if len(code) == 3 else _ESCAPES.get(code, code)
