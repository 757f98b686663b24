"""Open sets: a plural folder whose files each offer one object named in the singular."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from bebug.errors import PluginError, UsageError

OPEN_SETS = {
    "operators": "bebug.mutation.operators",
    "controls": "bebug.mutation.controls",
    "faults": "bebug.mutation.faults",
    "oracles": "bebug.verification.oracles",
    "tiers": "bebug.verification.isolation",
    "codecs": "bebug.corpus.codecs",
    "critics": "bebug.critique.critics",
    "reports": "bebug.scoring.reports",
}


@cache
def load(name: str) -> dict[str, Any]:
    """The open set *name*: each public file (in kebab-case) → the object it offers, sorted by name.

    A distribution joins a set by an entry point in the group `bebug.NAME` that points at such an object.
    Raises `PluginError` where a file does not offer the set's singular or two plug-ins share a name.
    """
    package, singular = OPEN_SETS[name], name.removesuffix("s")
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(import_module(package).__path__):
        if info.name.startswith("_"):
            continue
        module = import_module(f"{package}.{info.name}")
        if not hasattr(module, singular):
            raise PluginError(f"{module.__name__} offers no `{singular}`: every file in {package} must")
        found[info.name.replace("_", "-")] = getattr(module, singular)
    for entry in entry_points(group=f"bebug.{name}"):
        if entry.name in found:
            raise PluginError(f"two {name} are called {entry.name!r}: rename the one from {entry.value}")
        found[entry.name] = entry.load()
    return dict(sorted(found.items()))


def pick(name: str, key: str) -> Any:
    """The member *key* of the open set *name*; an unknown key is a `UsageError` that lists the known ones."""
    members = load(name)
    if key not in members:
        raise UsageError(f"there is no {name.removesuffix('s')} {key!r}; known: {', '.join(members)}")
    return members[key]
