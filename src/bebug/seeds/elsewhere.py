"""Seeds from elsewhere: a project of the index or a revision in git, kept and described by its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import SeedError
from bebug.seeds.git import Commit, commit_of, lay_out, submodules
from bebug.seeds.index import sdist_of
from bebug.seeds.kept import Notify, kept
from bebug.seeds.locate import Location
from bebug.seeds.metadata import read_project, safe_name
from bebug.seeds.specs import Project, Revision
from bebug.seeds.tree import copy_tree, printable, tree_digest

CHECKOUTS = "checkouts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Had:
    """A pristine tree in the cache. *copy* fills a folder with it, to build from; *what* names it."""

    what: str
    location: Location
    name: str
    version: str
    source: str
    sha256: str
    copy: Callable[[Path], None]


@contextmanager
def had(asked: Project | Revision, notify: Notify) -> Iterator[Had]:
    """What *asked* names, at hand while the block runs. Raises `SeedError` or `FetchError`."""
    if isinstance(asked, Project):
        yield _of_index(asked, notify)
        return
    with commit_of(asked, notify) as commit:
        yield _of_git(asked, commit, notify)


def _of_index(asked: Project, notify: Notify) -> Had:
    sdist = sdist_of(asked, notify)
    tree = sdist.folder / "tree"
    return Had(
        what=f"the sdist of {asked.name} {sdist.version}",
        location=Location(tree, "."),
        name=asked.name,
        version=sdist.version,
        source="pypi",
        sha256=sdist.sha256,
        copy=lambda target: copy_tree(tree, target),
    )


def _of_git(asked: Revision, commit: Commit, notify: Notify) -> Had:
    name = safe_name(asked.url.rstrip("/").rpartition("/")[2].removesuffix(".git"))

    def make(tree: Path) -> Mapping[str, str]:
        export = tree.parent.parent / "export"
        lay_out(commit, export)
        copy_tree(export, tree)
        return {"commit": commit.hash}

    kept_as = f"{name[:40]}-{commit.hash[:16]}"
    said = f"taking {asked.rev or 'the default branch'} of {asked.url}: {commit.hash[:12]}"
    tree = kept(CHECKOUTS, kept_as, make, said=said, notify=notify) / "tree"
    if left_out := submodules(commit):
        paths = ", ".join(printable(path) for path in left_out)
        notify(f"submodules are not fetched; these folders stay empty: {paths}")
    location = Location(tree, asked.subfolder)
    if not location.folder.is_dir():
        raise SeedError(f"{asked.url} has no folder {asked.subfolder} at {commit.hash[:12]}")
    history = read_project(location.folder).version_from_git
    return Had(
        what=f"{asked.url} at {commit.hash[:12]}",
        location=location,
        name=name,
        version=commit.hash,
        source=asked.source,
        sha256=tree_digest(tree),
        copy=lambda target: lay_out(commit, target) if history else copy_tree(tree, target),
    )


def next_step(asked: Project | Revision, address: str) -> str:
    """What to try where a seed from elsewhere holds no tests."""
    if isinstance(asked, Revision):
        return "give a revision, or #subdirectory=FOLDER, that has some"
    return f"try git+URL@TAG of its repository{f' ({address})' if address else ''}"


def key_of(found: Had) -> Sequence[str]:
    """What tells an environment for *found* from that of any other seed."""
    return [found.source, found.name, found.version, found.sha256, found.location.cwd]
