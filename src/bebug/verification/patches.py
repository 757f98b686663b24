"""Diffs on trees, by `git apply` itself: strict, without fuzz, blind to any repository round about."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bebug.errors import MachineError, UsageError
from bebug.records import Files
from bebug.verification.sandbox import Sandbox, inside

ATTRIBUTES = ".gitattributes"


@dataclass(frozen=True, slots=True)
class Patcher:
    """Applies diffs in rooms of *sandbox* that hold only the files concerned."""

    sandbox: Sandbox

    def apply(self, diff: bytes, overlay: Files) -> Files:
        """*overlay* with *diff* applied; a `UsageError` in git's own words where it does not apply."""
        return {**overlay, **self._changed(diff, overlay, "apply")}

    def unapply(self, diff: bytes) -> Files:
        """What the pristine files become with *diff* taken back; a `UsageError` where it is not in them."""
        return self._changed(diff, {}, "unapply", "-R")

    def reverts(self, diff: bytes, overlay: Files) -> bool:
        """Whether *diff* changes something over *overlay*, and its reverse gives the bytes back."""
        changed = self._changed(diff, overlay, "apply")
        try:
            back = self._changed(diff, {**overlay, **changed}, "revert", "-R")
        except UsageError:
            return False
        before = {name: self._content(name, overlay) for name in {*changed, *back}}
        return bool(changed) and all(back.get(name, changed.get(name)) == before[name] for name in before)

    def _changed(self, diff: bytes, overlay: Files, verb: str, *options: str) -> dict[str, bytes | None]:
        """What *diff* makes of the files it names: those that differ from before."""
        with self.sandbox.room({}, full=False) as room:
            names = sorted(self._named(diff, room.tree))
            before = {name: self._content(name, overlay) for name in names}
            for name in [*names, *attributes_above(names)]:
                self._place(name, overlay, room.tree)
            self._git(["apply", "--whitespace=nowarn", *options, "-"], diff, room.tree, f"does not {verb}")
            after = {name: content_of(inside(room.tree, name)) for name in names}
        return {name: content for name, content in after.items() if content != before[name]}

    def _named(self, diff: bytes, folder: Path) -> set[str]:
        """The paths that *diff* names, old and new."""
        names = set[str]()
        for direction in ([], ["-R"]):
            command = ["apply", "--numstat", "-z", *direction, "-"]
            rows = self._git(command, diff, folder, "cannot be read").split(b"\0")
            names |= {os.fsdecode(row.split(b"\t", 2)[2]) for row in rows if row.count(b"\t") >= 2}
        for name in names:
            refuse_links(self.sandbox.pristine, name)
        return names

    def _content(self, name: str, overlay: Files) -> bytes | None:
        return overlay[name] if name in overlay else content_of(self.sandbox.pristine / name)

    def _place(self, name: str, overlay: Files, tree: Path) -> None:
        """Put the file as it is before the diff, its mode too, since a diff may name it."""
        content, origin, target = (
            self._content(name, overlay),
            self.sandbox.pristine / name,
            inside(tree, name),
        )
        if content is None:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if origin.is_file():
            target.chmod(origin.stat().st_mode & 0o777 | 0o600)

    def _git(self, arguments: list[str], diff: bytes, folder: Path, failure: str) -> bytes:
        command = ["git", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", *arguments]
        try:
            done = subprocess.run(
                command, cwd=folder, input=diff, capture_output=True, env=git_environment(folder)
            )
        except FileNotFoundError:
            raise MachineError("git is not installed: bebug applies diffs with `git apply`") from None
        if done.returncode:
            words = done.stderr.decode("utf-8", "replace").strip() or "git gave no reason"
            first = words.splitlines()[0].removeprefix("error: ").partition(" (allow with")[0]
            raise UsageError(f"the diff {failure}: {first}")
        return done.stdout


def git_environment(folder: Path) -> Mapping[str, str]:
    """No configuration and no repository of the caller's."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return env | {
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
    }


def attributes_above(names: Iterable[str]) -> set[str]:
    """The attribute files that may bear on *names*: they steer how git takes line ends."""
    return {str(parent / ATTRIBUTES) for name in names for parent in PurePosixPath(name).parents} - {*names}


def refuse_links(tree: Path, name: str) -> None:
    """A `UsageError` where *name* leads out of *tree* or through a link: git refuses such a diff too."""
    path = tree
    for part in PurePosixPath(name).parts:
        if part == "..":
            raise UsageError(f"the diff names {name}, which leads out of the seed's tree")
        path = path / part
        if path.is_symlink():
            raise UsageError(f"the diff names {name}, which lies behind a symbolic link: name the real file")


def content_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
