"""The cache as a user looks after it: what lies there, and cleaning it."""

from __future__ import annotations

import time
from typing import Any

from bebug.pipeline.observer import Observer
from bebug.seeds import cleaning
from bebug.seeds.cache import cache_folder


def show() -> dict[str, Any]:
    """The folder, its size in bytes, and every entry with its own size and the days since its last use."""
    now = time.time()
    entries = cleaning.items()
    return {
        "folder": str(cache_folder()),
        "size": cleaning.size_of(cache_folder()),
        "entries": [_entry(item, now) for item in entries],
    }


def clean(*, older_than: float, really: bool, observer: Observer) -> dict[str, Any]:
    """Remove what was not used for *older_than* days, and tell; unless *really*, tell only what would go."""
    now = time.time()
    if not really:
        would = cleaning.due(cleaning.items(), days=older_than, now=now)
        return {
            "would_remove": [_entry(item, now) for item in would],
            "size": sum(item.size for item in would),
        }
    done = cleaning.clean(days=older_than, now=now, notify=observer.note)
    return {
        "removed": [_entry(item, now) for item in done.removed],
        "size": sum(item.size for item in done.removed),
        "in_use": [_entry(item, now) for item in done.held],
        "left_by_dead_runs": done.swept,
    }


def _entry(item: cleaning.Item, now: float) -> dict[str, Any]:
    return {
        "name": item.name,
        "size": item.size,
        "unused_days": round(max(0.0, now - item.used) / cleaning.DAY, 1),
    }
