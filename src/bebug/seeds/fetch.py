"""Sdists: had from the index by pip, checked against their digest, unpacked safely, kept in the cache."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from bebug.errors import FetchError, MachineError
from bebug.seeds.cache import cache_folder, exclusive, remove
from bebug.seeds.catalogue import SeedFile
from bebug.seeds.interpreter import plain_environment
from bebug.seeds.kept import kept, state_of
from bebug.seeds.uv import last_lines, run_uv

Notify = Callable[[str], None]

SDISTS = "sdists"


def fetched_folder(seed: SeedFile) -> Path:
    """Where the cache keeps (or would keep) the sdist of *seed*: `tree/` and a record of its digest."""
    return cache_folder() / SDISTS / kept_name(seed)


def kept_name(seed: SeedFile) -> str:
    """What the sdist of *seed* is called in the cache."""
    return f"{seed.name}-{seed.version}-{seed.sha256[:16]}"


def condition(seed: SeedFile) -> str:
    """How a seed stands, without the network: `builtin`, `absent`, `fetched`, or `damaged` in the cache."""
    return "builtin" if seed.source == "builtin" else state_of(fetched_folder(seed))


def fetch(seed: SeedFile, notify: Notify = lambda line: None) -> Path:
    """The pristine tree of a seed: where it ships with bebug, else from the cache, else from the index.

    Raises `FetchError` where the sdist cannot be had or is not the one that the seed file names.
    """
    if seed.source == "builtin":
        return seed.folder

    def make(tree: Path) -> Mapping[str, str]:
        unpack(download(seed, tree.parent.parent), tree)
        return {"sdist": seed.sdist, "sha256": seed.sha256}

    said = f"fetching {seed.name} {seed.version}"
    return kept(SDISTS, kept_name(seed), make, said=said, notify=notify) / "tree"


def download(seed: SeedFile, scratch: Path) -> Path:
    """The sdist as a file in *scratch*. pip compares the digest, before any code of the project runs."""
    project = re.sub(r"(\.tar\.gz|\.zip)$", "", seed.sdist).rpartition("-")[0]
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{project}=={seed.version} --hash=sha256:{seed.sha256}\n", encoding="utf-8")
    done = run_pip(["download", *SDIST_ONLY, project, "-r", str(wanted), "-d", str(scratch)], cwd=scratch)
    archive = scratch / seed.sdist
    if done.returncode or not archive.exists():
        raise _not_had(seed, last_lines(done.stderr + done.stdout))
    return archive


SDIST_ONLY = ("--no-deps", "--no-binary")  # followed by the project's name


def run_pip(arguments: Sequence[str], *, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """Run pip; how it ended is for the caller to judge."""
    return subprocess.run(
        [pip_python(), "-m", "pip", *arguments, "--disable-pip-version-check", "--no-input"],
        env=plain_environment(),
        cwd=cwd,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )


def _not_had(seed: SeedFile, output: str) -> FetchError:
    """What pip's failure means to the user."""
    if got := re.search(r"Got\s+([0-9a-f]{64})", output):
        return FetchError(
            f"{seed.sdist} has the digest {got[1]}, not {seed.sha256} as {seed.file.name} says: "
            "it was not kept; ask its publisher, or correct the seed file"
        )
    return FetchError(
        f"{seed.name} {seed.version} could not be fetched: check the network and pip's index settings, "
        f"then run `bebug seeds fetch {seed.name}`",
        detail=output,
    )


def pip_python() -> str:
    """An interpreter that has pip: our own, else one made for this in the cache."""
    if importlib.util.find_spec("pip"):
        return sys.executable
    folder = cache_folder() / "environments" / f"pip-{sys.version_info.major}.{sys.version_info.minor}"
    with exclusive("environment-pip"):
        if not (folder / "bin" / "pip").exists():
            remove(folder)
            folder.parent.mkdir(parents=True, exist_ok=True)
            arguments = ["venv", "--quiet", "--seed", "--no-project", "--python", sys.executable, str(folder)]
            run_uv(arguments, cwd=folder.parent, purpose="making an environment with pip in it")
    return str(folder / "bin" / "python")


def unpack(archive: Path, target: Path) -> None:
    """Unpack an sdist to *target*, without its one top folder; nothing in it can land outside.

    Raises `FetchError` where the archive is damaged, hostile, or has no single top folder.
    """
    box = target.parent / "box"
    box.mkdir(parents=True)
    try:
        if archive.name.endswith(".zip"):
            _unzip(archive, box)
        else:
            _insist_on_safe_unpacking()
            with tarfile.open(archive) as tar:
                tar.extractall(box, filter="data")
    except (tarfile.TarError, zipfile.BadZipFile, OSError, EOFError) as error:
        raise FetchError(f"{archive.name} cannot be unpacked: {error}") from None
    tops = list(box.iterdir())
    if len(tops) != 1 or not tops[0].is_dir():
        raise FetchError(
            f"{archive.name} is no sdist: it holds {len(tops)} things at the top, not one folder"
        )
    tops[0].rename(target)
    box.rmdir()


def _insist_on_safe_unpacking() -> None:
    if not hasattr(tarfile, "data_filter"):
        version = ".".join(map(str, sys.version_info[:3]))
        raise MachineError(f"Python {version} cannot unpack an archive safely: use 3.11.4 or newer")


def _unzip(archive: Path, box: Path) -> None:
    with zipfile.ZipFile(archive) as zipped:
        for name in zipped.namelist():
            if name.startswith(("/", "\\")) or ".." in PurePosixPath(name.replace("\\", "/")).parts:
                raise zipfile.BadZipFile(f"{name!r} leaves the archive")
        zipped.extractall(box)
