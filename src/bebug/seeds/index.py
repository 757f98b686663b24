"""Projects of the package index by name: which version is meant, its sdist, and why it cannot be had."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import FetchError, SeedError
from bebug.seeds.cache import scratch_folder
from bebug.seeds.fetch import SDIST_ONLY, SDISTS, run_pip, unpack
from bebug.seeds.kept import Notify, kept, record_of
from bebug.seeds.metadata import safe_name
from bebug.seeds.specs import VERSION, Project
from bebug.seeds.uv import last_lines

ENDING = r"(\.tar\.(gz|bz2|xz)|\.tgz|\.zip)"
UNREACHED = re.compile(
    r"NewConnectionError|Failed to establish|name resolution|Connection(Timeout| ?refused| ?reset| aborted)"
    r"|ConnectTimeout|ReadTimeout|ProxyError|timed out|SSLError|Max retries|ConnectionError",
    re.IGNORECASE,
)
UNBUILT = re.compile(
    r"subprocess-exited-with-error|metadata-generation-failed|BackendUnavailable|build backend"
)
QUICK = ("--retries", "1", "--timeout", "20")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sdist:
    """An sdist in the cache: *folder* holds `tree/`; *kept_as* is its name there."""

    version: str
    sha256: str
    folder: Path
    kept_as: str


def sdist_of(project: Project, notify: Notify) -> Sdist:
    """The sdist of *project*, from the cache where its version is told, else from the index.

    `FetchError` or `SeedError` says in one line why it cannot be had.
    """
    if project.version:
        return _kept(project, None, notify)
    with scratch_folder() as scratch:
        archive = _download(project, scratch, notify)
        latest = Project(name=project.name, version=_version_in(archive, project))
        notify(
            f"the latest sdist of {project.name} is {latest.version}: pypi:{latest.name}=={latest.version}"
        )
        return _kept(latest, archive, notify)


def _kept(project: Project, archive: Path | None, notify: Notify) -> Sdist:
    """The sdist of a *project* of known version; *archive* where it was had just now."""

    def make(tree: Path) -> Mapping[str, str]:
        file = archive or _download(project, tree.parent.parent, notify)
        unpack(file, tree)
        sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
        return {"sdist": file.name, "sha256": sha256, "version": _version_in(file, project)}

    name = f"pypi-{safe_name(project.name)}-{project.version}"
    said = f"fetching {project.name} {project.version} from the package index"
    folder = kept(SDISTS, name, make, said=said, notify=notify)
    record = record_of(folder)
    return Sdist(version=record["version"], sha256=record["sha256"], folder=folder, kept_as=name)


def _version_in(archive: Path, project: Project) -> str:
    """The version that an archive's name tells; the project's name may hold hyphens and digits of its own."""
    name = "[-_.]+".join(re.escape(part) for part in re.split(r"[-_.]+", project.name))
    found = re.fullmatch(rf"{name}-({VERSION}?){ENDING}", archive.name, re.IGNORECASE)
    if not found:
        raise FetchError(f"{archive.name} is no sdist of {project.name} that bebug knows how to unpack")
    return found[1]


def _download(project: Project, scratch: Path, notify: Notify) -> Path:
    """The archive in a folder of its own in *scratch*, by pip."""
    target = scratch / "download"
    wanted = f"{project.name}=={project.version}" if project.version else project.name
    done = run_pip(["download", *SDIST_ONLY, project.name, *QUICK, "-d", str(target), wanted], cwd=scratch)
    found = sorted(target.glob("*")) if target.is_dir() else []
    if done.returncode or not found:
        raise _not_had(project, wanted, (done.stderr + done.stdout), scratch)
    return found[0]


def _not_had(project: Project, wanted: str, output: bytes, scratch: Path) -> SeedError:
    """What pip's failure means to the user."""
    text, detail = output.decode("utf-8", "replace"), last_lines(output)
    here = ".".join(map(str, sys.version_info[:2]))
    if UNREACHED.search(text):
        return FetchError(
            f"{wanted} could not be fetched: the package index was not reached; "
            "check the network and pip's index settings",
            detail=detail,
        )
    if UNBUILT.search(text):
        return FetchError(
            f"the sdist of {wanted} cannot be prepared: its own build fails on Python {here}; "
            "try another version, or git+URL@REV of its repository",
            detail=detail,
        )
    known = re.search(r"\(from versions: (.+?)\)", text)
    if known and known[1] != "none":
        near = ", ".join(known[1].split(", ")[-5:])
        return SeedError(
            f"{project.name} has no version {project.version} with an sdist: the last are {near}"
        )
    if "require a different python version" in text.lower() or "requires a different Python" in text:
        return SeedError(
            f"{wanted} does not support Python {here}: run bebug on another, or try another version"
        )
    if run_pip(["index", "versions", *QUICK, project.name], cwd=scratch).returncode == 0:
        return SeedError(
            f"{wanted} has no sdist on the index, and wheels hold no tests: use git+URL@REV of its repository"
        )
    return SeedError(f"the package index knows no project {project.name}: check the spelling", detail=detail)
