"""File names for ids that may be anything: safe on every system, short, and none like another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from bebug.errors import CorpusError
from bebug.records import digest

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}(?<!\.)")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def safe(ids: Iterable[str]) -> dict[str, str]:
    """id → file name without extension: the id itself where it is safe, else a short form with its digest.

    Names differ by more than case, and depend on the set of ids alone. `CorpusError` where two fall together.
    """
    ids = list(ids)
    folded = Counter(name.casefold() for name in ids)
    names = {name: name if _is_safe(name) and folded[name.casefold()] == 1 else _short(name) for name in ids}
    taken = Counter(name.casefold() for name in names.values())
    if clash := sorted(name for name in names if taken[names[name].casefold()] > 1):
        raise CorpusError(f"these ids would share a file name: {clash[0]!r:.80} and {clash[1]!r:.80}")
    return names


def _is_safe(name: str) -> bool:
    return _PLAIN.fullmatch(name) is not None and not _RESERVED.match(name)


def _short(name: str) -> str:
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:40].strip("-")
    return f"{stem or 'case'}-{digest(name.encode('utf-8', 'surrogatepass'))[:12]}"
