"""A corpus's seeds had again: from what a manifest says of one to the workspace that it was made in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from bebug.errors import CorpusError, SeedError, UsageError
from bebug.records import Workspace
from bebug.seeds import catalogue, is_path, open_workspace
from bebug.verification import Laboratory, Limits

Notify = Callable[[str], None]
Entry = Mapping[str, Any]

TEXTS = ("name", "version", "source", "sha256")
SETTINGS = ("test_argv", "env", "cwd", "source_roots", "set_aside")


def entries(manifest: Mapping[str, Any]) -> dict[str, Entry]:
    """The seeds of *manifest* by name; a `CorpusError` where it names none, or not as the format says."""
    found = manifest.get("seeds")
    if not isinstance(found, list) or not found:
        raise CorpusError("the corpus names no seed: its labels are said, and cannot be proved again")
    for entry in found:
        for key in (*TEXTS, *SETTINGS):
            if not isinstance(entry, dict) or key not in entry:
                raise CorpusError(f"manifest.json: a seed lacks the key {key!r}")
    return {entry["name"]: entry for entry in found}


def overrides(given: tuple[str, ...], known: Mapping[str, Entry]) -> dict[str, str]:
    """`NAME=SPEC` words as name → spec; a `UsageError` where one names no seed of the corpus."""
    found = {}
    for word in given:
        name, _, spec = word.partition("=")
        if not spec or name not in known:
            raise UsageError(f"--seed {word!r}: write NAME=PATH, where NAME is one of {', '.join(known)}")
        found[name] = spec
    return found


def spec_of(entry: Entry) -> str:
    """What `--seed` of other commands says to mean this seed; a `SeedError` where only the user knows."""
    name, version, source = entry["name"], entry["version"], str(entry["source"])
    if source in ("builtin", "pypi"):
        described = catalogue().get(name)
        if described is not None and source == "builtin" == described.source:
            return str(name)
        if described is not None and described.sha256 == entry["sha256"]:
            return str(name)
        if source == "pypi":
            return f"pypi:{name}=={version}"
    if source.startswith("git+") and not source.startswith("git+file:"):
        return f"{source}@{version}" + ("" if entry["cwd"] == "." else f"#subdirectory={entry['cwd']}")
    raise SeedError(f"the manifest does not say where {name} ({source}) lies: give --seed {name}=PATH")


@contextmanager
def reopened(
    entry: Entry, *, given: str | None, python: Path | None, limits: Limits, jobs: int, notify: Notify
) -> Iterator[Laboratory]:
    """The laboratory of the seed *entry*, set as the manifest says; *given* says where the tree is instead.

    Raises a `SeedError` where the tree is not the one that the corpus was made from.
    """
    spec = given or spec_of(entry)
    opened = open_workspace(spec, python=python, by_path=is_path(spec) if given else False, notify=notify)
    with opened as workspace:
        same_tree(workspace, entry, spec, notify)
        tell_differences(workspace, entry, notify)
        with Laboratory(workspace, limits=limits, jobs=jobs, notify=notify) as laboratory:
            laboratory.runner.seed = replace(
                laboratory.runner.seed,
                test_argv=tuple(entry["test_argv"]),
                env=dict(entry["env"]),
                cwd=entry["cwd"],
                source_roots=tuple(entry["source_roots"]),
            )
            yield laboratory


def same_tree(workspace: Workspace, entry: Entry, spec: str, notify: Notify) -> None:
    """A `SeedError` where the digests differ. An sdist's cannot be told from a folder: that is said."""
    seed, name = workspace.seed, entry["name"]
    if entry["source"] == "pypi" and seed.source != "pypi":
        notify(f"{name}: the manifest has the digest of an sdist, which {spec} cannot be held against")
    elif seed.sha256 != entry["sha256"]:
        raise SeedError(
            f"{spec} is not the tree that the corpus was made from: the manifest says {name} "
            f"{entry['version']}, sha256 {entry['sha256'][:12]}, and this is {seed.sha256[:12]}; "
            f"give --seed {name}=PATH"
        )


def tell_differences(workspace: Workspace, entry: Entry, notify: Notify) -> None:
    """Say where interpreter or packages are not those of the record: a difference may be theirs."""
    name, then = entry["name"], entry.get("python")
    if then and then != workspace.python_version:
        notify(f"{name}: proved on Python {then}, replayed on {workspace.python_version}")
    missing = sorted(set(entry.get("packages") or ()) - set(workspace.packages))
    if missing:
        more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
        notify(f"{name}: not installed as in the record: {', '.join(missing[:4])}{more}")
