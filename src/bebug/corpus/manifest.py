"""The manifest: what a corpus holds, and all that is needed to make it and prove it again."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bebug.corpus import rows
from bebug.records import Baseline, Case, Seed, digest

SCHEMA_VERSION = 1


def build(
    *,
    name: str,
    version: str,
    recipe: Mapping[str, Any],
    seeds: Sequence[Mapping[str, Any]],
    cases: Sequence[Case],
    rejected: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    """The manifest of *cases*; *version* is bebug's, *seeds* are `seed_entry`s, *rejected* rows."""
    rev = revision(cases)
    return {
        "schema_version": SCHEMA_VERSION,
        "name": name,
        "corpus_rev": rev,
        "tool": {"name": "bebug", "version": version},
        "recipe": dict(recipe),
        "seeds": sorted((dict(seed) for seed in seeds), key=lambda seed: (seed["name"], seed["version"])),
        "counts": {
            "cases": len(cases),
            "label": _counts(case.label.value for case in cases),
            "track": _counts(case.track for case in cases),
            "class": _counts(case.defect_class for case in cases),
        },
        "rejections": _counts(str(row["reason"]) for row in rejected),
        "canary": canary(rev),
    }


def seed_entry(
    seed: Seed, baseline: Baseline, *, python: str, packages: Sequence[str], sandbox: str = ""
) -> dict[str, Any]:
    """What a manifest says of one seed; *python* is a version, *seed* has its effective `test_argv`.

    *sandbox* is the tier of isolation that its runs were held in, where that is known.
    """
    entry = {
        "name": seed.name,
        "version": seed.version,
        "source": seed.source,
        "sha256": seed.sha256,
        "licence": seed.licence,
        "python": python,
        "packages": list(packages),
        "test_argv": list(seed.test_argv),
        "env": dict(sorted(seed.env.items())),
        "cwd": seed.cwd,
        "source_roots": list(seed.source_roots),
        "set_aside": list(baseline.set_aside),
        "tests_collected": baseline.collected,
    }
    return {**entry, "sandbox": sandbox} if sandbox else entry


def revision(cases: Iterable[Case]) -> str:
    """A digest of the cases' ids and contents, independent of their order: 16 hex digits."""
    ordered = sorted(cases, key=lambda case: case.id)
    return digest(*(rows.line(rows.to_row(case)) for case in ordered))[:16]


def canary(rev: str) -> str:
    """A GUID that marks the corpus against use in training: the same for the same content."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"bebug:corpus:{rev}"))


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))
