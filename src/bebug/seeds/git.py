"""git, run as a program: repositories mirrored in the cache, a revision of one laid out as files."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import FetchError, MachineError, SeedError
from bebug.records import digest
from bebug.seeds.cache import cache_folder, exclusive, scratch_folder
from bebug.seeds.interpreter import plain_environment
from bebug.seeds.kept import Notify
from bebug.seeds.specs import SCHEMES, Revision
from bebug.seeds.uv import last_lines

MIRRORS = "mirrors"
DEFAULT = "refs/bebug/default"
REFS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", f"+HEAD:{DEFAULT}")

STEERING = (
    "DIR",
    "WORK_TREE",
    "INDEX_FILE",
    "OBJECT_DIRECTORY",
    "ALTERNATE_OBJECT",
    "NAMESPACE",
    "COMMON_DIR",
)
"""Ends of `GIT_*` variables that lead git to another repository."""

NO_QUESTIONS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",  # the program: it answers nothing
    "SSH_ASKPASS": "true",
    "GIT_ALLOW_PROTOCOL": ":".join(SCHEMES),
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "LC_ALL": "C",
}
AS_IT_IS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
"""Files are laid out as the repository has them: no filter or line ending of the user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit at hand: its full hash, and the repository (a bare one) that has it."""

    hash: str
    repository: Path


def run_git(
    arguments: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git without questions asked; how it ended is for the caller to judge."""
    settings = {
        name: value
        for name, value in plain_environment().items()
        if not (name.startswith("GIT_") and name.removeprefix("GIT_").startswith(STEERING))
    }
    settings.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    try:
        return subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env={**settings, **NO_QUESTIONS, **(env or {})},
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise MachineError("the program `git` is missing: install it") from None


@contextmanager
def commit_of(revision: Revision, notify: Notify) -> Iterator[Commit]:
    """The commit that *revision* means now, with its repository at hand while the block runs.

    Raises `SeedError` where there is no such revision, `FetchError` where the repository cannot be had.
    """
    if revision.local:
        with scratch_folder() as scratch:
            yield _borrowed(revision, scratch)
        return
    mirror = cache_folder() / MIRRORS / digest(revision.url)[:16]
    with exclusive(f"{MIRRORS}-{mirror.name}"):
        found = _in_mirror(revision, mirror, notify)
        yield Commit(hash=found, repository=mirror)


def _borrowed(revision: Revision, scratch: Path) -> Commit:
    """A commit of a repository of this machine, by a bare clone that borrows its objects."""
    here = Path(revision.url)
    found = _resolved(revision.rev or "HEAD", here)
    if not found:
        raise _unknown(revision, here)
    clone = scratch / "repository"
    done = run_git(
        ["clone", "--quiet", "--bare", "--shared", "--template=", "--", str(here), str(clone)], cwd=scratch
    )
    if done.returncode or not _resolved(found, clone):
        raise FetchError(f"{here} could not be read by git", detail=last_lines(done.stderr))
    return Commit(hash=found, repository=clone)


def _in_mirror(revision: Revision, mirror: Path, notify: Notify) -> str:
    """The hash of *revision*, after a fetch unless the mirror has it and it is of a kind that stays."""
    rev = revision.rev or DEFAULT
    there = _resolved(rev, mirror) if mirror.is_dir() else ""
    if there and (re.fullmatch(r"[0-9a-f]{7,40}", rev) or _resolved(f"refs/tags/{rev}", mirror)):
        return there
    notify(f"fetching {revision.url}")
    failure = _fetch(revision, mirror)
    if failure and not there:
        raise FetchError(
            f"{revision.url} could not be fetched: check the address, the network and your access to it",
            detail=failure,
        )
    if failure:
        notify(f"{revision.url} could not be reached: {revision.rev or 'its default branch'} as last fetched")
    found = _resolved(rev, mirror) or _asked_for(revision, mirror)
    if not found:
        raise _unknown(revision, mirror)
    return found


def _fetch(revision: Revision, mirror: Path) -> str:
    """Bring *mirror* up to date, made first where it is not there; what git said where that failed."""
    if mirror.is_dir():
        done = run_git(["fetch", "--quiet", "--prune", "--", revision.url, *REFS], cwd=mirror)
        return last_lines(done.stderr) if done.returncode else ""
    with scratch_folder() as scratch:
        made = scratch / "made"
        run_git(["init", "--quiet", "--bare", "--template=", str(made)], cwd=scratch)
        done = run_git(["fetch", "--quiet", "--", revision.url, *REFS], cwd=made)
        if done.returncode:
            return last_lines(done.stderr) or "git said nothing"
        mirror.parent.mkdir(parents=True, exist_ok=True)
        made.rename(mirror)
    return ""


def _asked_for(revision: Revision, mirror: Path) -> str:
    """A revision that no branch or tag leads to, asked for by name: a pull request, a lone commit."""
    name = f"refs/bebug/asked-{digest(revision.rev)[:16]}"
    run_git(["fetch", "--quiet", "--", revision.url, f"+{revision.rev}:{name}"], cwd=mirror)
    return _resolved(name, mirror)


def _resolved(rev: str, repository: Path) -> str:
    done = run_git(
        ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}"], cwd=repository
    )
    return "" if done.returncode else done.stdout.decode("ascii", "replace").strip()


def _unknown(revision: Revision, repository: Path) -> SeedError:
    """The error for a revision that is not there, with the nearest ones."""
    if not revision.rev:
        return SeedError(f"{revision.url} has no commit yet")
    names = ["for-each-ref", "--format=%(refname:short)", "refs/tags", "refs/heads"]
    done = run_git(names, cwd=repository)
    known = done.stdout.decode("utf-8", "replace").split()
    near = difflib.get_close_matches(revision.rev, known, n=3, cutoff=0.4) or known[-3:]
    hint = f"; there are {', '.join(near)}" if near else ""
    if done.returncode:
        hint = f": {last_lines(done.stderr, 1)}"
    return SeedError(f"{revision.url} has no revision {revision.rev}{hint}")


def lay_out(commit: Commit, target: Path) -> None:
    """The files of *commit* in *target*, which must not exist, with its history beside them.

    Neither hooks nor filters run; files come as the repository and its `.gitattributes` have them.
    """
    cwd = commit.repository
    shared = ["clone", "--quiet", "--shared", "--no-checkout", "--template=", "--", str(cwd), str(target)]
    plain = ["-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false"]
    for arguments, place in (
        (shared, cwd),
        ([*plain, "checkout", "--quiet", "--detach", commit.hash, "--"], target),
    ):
        done = run_git(arguments, cwd=place, env=AS_IT_IS)
        if done.returncode:
            raise FetchError(f"git could not lay out {commit.hash[:12]}", detail=last_lines(done.stderr))


def submodules(commit: Commit) -> tuple[str, ...]:
    """The paths of other repositories inside *commit*; they are not fetched."""
    done = run_git(["ls-tree", "-r", "-z", commit.hash], cwd=commit.repository)
    entries = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    return tuple(entry.partition("\t")[2] for entry in entries if entry.startswith("160000 "))
