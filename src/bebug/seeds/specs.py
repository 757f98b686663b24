"""What `--seed SPEC` means: a name, a path, a project of the index, or a revision in a git repository."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from bebug.errors import UsageError
from bebug.seeds.tree import printable

PYPI = "pypi:"
GIT = "git+"
SCHEMES = ("https", "http", "ssh", "file", "git")
SCP = re.compile(r"([\w.-]+@)?[\w.-]+:(?!//)(?=.*/).+")  # git@host:owner/repo.git
NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
VERSION = r"[A-Za-z0-9][A-Za-z0-9.+!_-]*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project of the package index; *version* "" is the latest."""

    name: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A revision in a git repository: *url* as git takes it; *rev* "" is the default branch.

    *local*: the url is a path of this machine. *subfolder* is the project's folder in it.
    """

    url: str
    rev: str
    local: bool
    subfolder: str = "."

    @property
    def source(self) -> str:
        """How a manifest names the repository: its address, or the bare name of a folder of this machine."""
        return f"git+file:{Path(self.url).name}" if self.local else f"git+{self.url}"


def is_path(spec: str) -> bool:
    """Whether `--seed SPEC` means a folder of this machine, or a revision of one (`PATH@REV`)."""
    if spec.startswith((PYPI, GIT)):
        return False
    here = os.sep in spec or spec in (".", "..", "~") or os.path.lexists(spec)
    return here or local_revision(spec) is not None


def elsewhere(spec: str) -> Project | Revision | None:
    """What *spec* names outside catalogue and folders, if anything; `UsageError` where malformed."""
    if spec.startswith(PYPI):
        return _project(spec)
    if spec.startswith(GIT):
        return _revision(spec)
    return local_revision(spec)


def _project(spec: str) -> Project:
    wanted = spec.removeprefix(PYPI).replace(" ", "")
    found = re.fullmatch(rf"({NAME})(?:===?({VERSION}))?", wanted)
    if not found:
        raise UsageError(f"{printable(spec)} cannot be read: write pypi:NAME==VERSION, or pypi:NAME")
    return Project(name=found[1], version=found[2] or "")


def local_revision(spec: str) -> Revision | None:
    """`PATH@REV`, where PATH is a folder and the whole is none; the longest such PATH."""
    if os.path.lexists(spec) or "@" not in spec:
        return None
    for at in reversed([found.start() for found in re.finditer("@", spec)]):
        folder = Path(spec[:at] or ".").expanduser()
        if folder.is_dir():
            return _of_folder(folder, _checked(spec[at + 1 :], spec), spec)
    return None


def _of_folder(folder: Path, rev: str, spec: str, subfolder: str = ".") -> Revision:
    """*rev* of the repository around *folder*, found by its `.git` or as a bare one."""
    start = folder.resolve()
    for top in (start, *start.parents):
        if (top / ".git").exists() or ((top / "HEAD").is_file() and (top / "objects").is_dir()):
            inside = (start.relative_to(top) / subfolder).as_posix()
            return Revision(url=str(top), rev=rev, local=True, subfolder=inside)
    raise UsageError(f"{printable(spec)}: {printable(folder)} is in no git repository")


def _revision(spec: str) -> Revision:
    """`git+URL@REV`, where URL is one that git takes, or a folder of this machine."""
    address, _, fragment = spec.removeprefix(GIT).partition("#")
    subfolder = _subfolder(fragment, spec)
    if "://" in address:
        scheme, rest = address.split("://", 1)
        host, slash, path = rest.partition("/")
        path, _, rev = path.rpartition("@") if "@" in path else (path, "", "")
        url = f"{scheme}://{host}{slash}{path}"
        _insist_on_a_harmless(urlsplit(url), spec)
        return Revision(url=_checked(url, spec), rev=_checked(rev, spec), local=False, subfolder=subfolder)
    if SCP.fullmatch(address) and not Path(address).exists():
        host, _, path = address.partition(":")
        path, _, rev = path.rpartition("@") if "@" in path else (path, "", "")
        url = _checked(f"{host}:{path}", spec)
        return Revision(url=url, rev=_checked(rev, spec), local=False, subfolder=subfolder)
    _checked(address, spec)
    if found := local_revision(address):
        return replace(found, subfolder=os.path.normpath(f"{found.subfolder}/{subfolder}"))
    if not address or not Path(address).expanduser().is_dir():
        raise UsageError(f"{printable(spec)}: write git+URL@REV, such as git+https://HOST/OWNER/REPO@TAG")
    return _of_folder(Path(address).expanduser(), "", spec, subfolder)


def _subfolder(fragment: str, spec: str) -> str:
    if not fragment:
        return "."
    found = re.fullmatch(r"subdirectory=([\w./-]+)", fragment)
    if not found or found[1].startswith(("/", "-")) or ".." in found[1].split("/"):
        raise UsageError(f"{printable(spec)}: after # only subdirectory=FOLDER is understood")
    return os.path.normpath(found[1])


def _insist_on_a_harmless(url: SplitResult, spec: str) -> None:
    if url.scheme not in SCHEMES:
        raise UsageError(f"{printable(spec)}: git addresses may begin with {', '.join(SCHEMES)}")
    if url.password:
        raise UsageError(
            "the git address holds a password, which would be written into the corpus: "
            "leave it out and let git's own credential helper give it"
        )
    if (url.hostname or "").startswith("-") or (url.username or "").startswith("-"):
        raise UsageError(f"{printable(spec)}: no host begins with a hyphen")


def _checked(text: str, spec: str) -> str:
    """*text* if git cannot take it for an option, another transport, or more than one word."""
    if text.startswith("-") or "::" in text or re.search(r"[\x00-\x20\x7f]", text):
        raise UsageError(f"{printable(spec)}: this is no address or revision that git should be given")
    return text


def short_name(spec: str) -> str:
    """What a folder for *spec* may be called: the last part of its name, and the revision if one is told."""
    asked = elsewhere(spec)
    if asked is None:
        return Path(spec).expanduser().resolve().name if is_path(spec) else spec
    if isinstance(asked, Project):
        return asked.name
    parts = [re.split(r"[/:]", asked.url.rstrip("/"))[-1].removesuffix(".git"), asked.rev]
    if asked.subfolder != ".":
        parts.insert(1, Path(asked.subfolder).name)
    return "-".join(re.sub(r"[^A-Za-z0-9._]+", "-", part).strip("-.") for part in parts if part)
