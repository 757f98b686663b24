"""What this machine has of what bebug needs, each thing looked at and told with the next step."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bebug.errors import BebugError
from bebug.seeds.cache import FOLDER_VARIABLE, cache_folder
from bebug.seeds.cleaning import size_of
from bebug.seeds.interpreter import plain_environment
from bebug.seeds.platforms import insist_on_posix, system
from bebug.seeds.uv import run_uv, uv_program

if sys.platform != "win32":
    import resource

OLDEST_GIT = (2, 24)
NEEDED, WANTED = 200 * 2**20, 2 * 2**30  # bytes of free disk: without which nothing goes; which is enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at. *state*: `ok`, `lacking` (bebug works, with less), or `missing` (it does not)."""

    name: str
    state: str
    said: str
    step: str = ""  # what to do next, where not all is well


def findings() -> tuple[Finding, ...]:
    """All that there is to say of this machine, in a fixed order; nothing here raises."""
    looks: tuple[tuple[str, Callable[[], Finding]], ...] = (
        ("platform", _platform),
        ("git", _git),
        ("uv", _uv),
        ("interpreters", _interpreters),
        ("bubblewrap", _bubblewrap),
        ("namespaces", _namespaces),
        ("limits", _limits),
        ("cache", _cache),
        ("disk", _disk),
    )
    return tuple(_looked(name, look) for name, look in looks)


def _looked(name: str, look: Callable[[], Finding]) -> Finding:
    try:
        return look()
    except BebugError as error:
        said, _, step = error.message.partition(": ")
        return Finding(name=name, state="missing", said=said, step=step)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Finding(
            name=name, state="lacking", said=f"could not be looked at ({error})", step="try it by hand"
        )


def _platform() -> Finding:
    said = f"{platform.system()} {platform.release()} on {platform.machine()}"
    insist_on_posix()
    if system() == "darwin":
        lacks = "no limit on memory is enforced, and a process that leaves its session is not found again"
        step = "for suites that leak memory or daemons, use a Linux container"
        return Finding(name="platform", state="lacking", said=f"{said}: {lacks}", step=step)
    return Finding(name="platform", state="ok", said=said)


def _git() -> Finding:
    found = shutil.which("git")
    if not found:
        return Finding(name="git", state="missing", said="not found in PATH", step="install git")
    said = _output([found, "--version"])
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    if version < OLDEST_GIT:
        oldest = ".".join(map(str, OLDEST_GIT))
        return Finding(name="git", state="missing", said=said, step=f"install git {oldest} or newer")
    return Finding(name="git", state="ok", said=f"{said} ({found})")


def _uv() -> Finding:
    found = uv_program()
    return Finding(name="uv", state="ok", said=f"{_output([found, '--version'])} ({found})")


def _interpreters() -> Finding:
    here = f"{platform.python_version()} ({sys.executable})"
    listed = run_uv(
        ["python", "list", "--only-installed", "--output-format", "json"],
        cwd=cache_folder(),
        purpose="listing interpreters",
    )
    others = {row["version"] for row in json.loads(listed or "[]") if row.get("path")}
    ordered = sorted(others, key=lambda text: [int(part) for part in re.findall(r"\d+", text)])
    said = f"bebug's own is {here}; also {', '.join(ordered)}" if ordered else f"only bebug's own, {here}"
    return Finding(name="interpreters", state="ok", said=said)


def _bubblewrap() -> Finding:
    found = shutil.which("bwrap")
    if found:
        return Finding(name="bubblewrap", state="ok", said=f"{_output([found, '--version'])} ({found})")
    return Finding(
        name="bubblewrap",
        state="lacking",
        said="not found: tests run with your user's rights and your network",
        step="install bubblewrap, or run tests that you do not trust in a container",
    )


def _namespaces() -> Finding:
    found = shutil.which("unshare")
    command = [found or "unshare", "--user", "--map-root-user", "true"]
    works = bool(found) and subprocess.run(command, capture_output=True, timeout=20).returncode == 0
    if works:
        return Finding(name="namespaces", state="ok", said="a user may make namespaces (unshare)")
    return Finding(
        name="namespaces",
        state="lacking",
        said="a user may not make namespaces here" if found else "there is no `unshare`",
        step="nothing to do unless you want tests walled off: then run bebug in a container",
    )


def _limits() -> Finding:
    if sys.platform == "win32":
        return Finding(
            name="limits", state="lacking", said="there are no limits on processes here", step="use WSL 2"
        )
    names = {"memory": "RLIMIT_AS", "processes": "RLIMIT_NPROC", "open files": "RLIMIT_NOFILE"}
    values = {
        told: resource.getrlimit(getattr(resource, name))[1]
        for told, name in names.items()
        if hasattr(resource, name)
    }
    said = ", ".join(
        f"{told} {'unlimited' if value == resource.RLIM_INFINITY else value}"
        for told, value in values.items()
    )
    return Finding(name="limits", state="ok", said=f"at most: {said}")


def _cache() -> Finding:
    folder = cache_folder()
    if not os.access(folder, os.W_OK):
        step = f"set {FOLDER_VARIABLE} to a folder of yours"
        return Finding(name="cache", state="missing", said=f"{folder} may not be written to", step=step)
    return Finding(name="cache", state="ok", said=f"{told_size(size_of(folder))} in {folder}")


def _disk() -> Finding:
    places = {Path(tempfile.gettempdir()), cache_folder()}
    free = {str(place): shutil.disk_usage(place).free for place in sorted(places)}
    least = min(free.values())
    state = "missing" if least < NEEDED else "lacking" if least < WANTED else "ok"
    said = ", ".join(f"{told_size(size)} free in {place}" for place, size in free.items())
    step = f"free some: `bebug cache clean`, or move {FOLDER_VARIABLE} and TMPDIR" if state != "ok" else ""
    return Finding(name="disk", state=state, said=said, step=step)


def _output(command: list[str]) -> str:
    done = subprocess.run(
        command, env=plain_environment(), capture_output=True, timeout=20, stdin=subprocess.DEVNULL
    )
    return done.stdout.decode("utf-8", "replace").strip()


def told_size(size: float) -> str:
    """Bytes as a person reads them."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
