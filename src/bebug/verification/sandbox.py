"""Private copies to run in, all below one scratch folder that vanishes with its owner, however that ends."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bebug.errors import MachineError, UsageError
from bebug.records import Files
from bebug.verification import isolating, process
from bebug.verification.isolating import Walls
from bebug.verification.limits import Limits

FOLDER_MODE = 0o700  # of the folders in a copy of a tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One run's folder: a copy of the tree, a HOME and a TMPDIR, and *folder* itself for messages."""

    folder: Path

    @property
    def tree(self) -> Path:
        return self.folder / "tree"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def temporary(self) -> Path:
        return self.folder / "tmp"


class Sandbox:
    """Makes rooms and runs guarded processes within *limits*; a helper cleans up should bebug be killed.

    *tier* is the name of the one that holds the runs in; *readable* are folders that they must see, wherever
    these lie. Raises `SandboxError` where the one that the limits
    ask for does not work here.
    """

    def __init__(self, tree: Path, limits: Limits | None = None, *, readable: Sequence[Path] = ()) -> None:
        self.limits, self.readable = limits or Limits(), tuple(readable)
        self.tier = isolating.choose(self.limits.sandbox)
        self.pristine = Path(os.path.realpath(tree))
        self.folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="bebug-")))
        self.token = uuid.uuid4().hex
        self.closed = False
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._running: set[int] = set()
        helper = Path(__file__).with_name("reaper.py")
        self._reaper = subprocess.Popen(
            [sys.executable, "-I", "-S", helper, self.folder, self.token],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def close(self) -> None:
        """Kill what still runs and remove the scratch folder. No run starts any more."""
        with self._lock:
            if self.closed:
                return
            self.closed = True
            running = set(self._running)
        for pid in running:
            process.kill_tree(pid, f"{process.TOKEN}={self.token}-".encode())
        remove(self.folder)
        self._tell("bye")
        if self._reaper.stdin is not None:
            with suppress(OSError):
                self._reaper.stdin.close()
        self._reaper.wait()

    @contextmanager
    def room(self, overlay: Files, *, full: bool = True) -> Iterator[Room]:
        """A fresh room: the pristine tree (or none of it, if not *full*) with *overlay* laid over it."""
        room = Room(folder=self.folder / f"r{next(self._numbers)}")
        try:
            for folder in (room.folder, room.home, room.temporary):
                folder.mkdir()
            if full:
                copy_tree(self.pristine, room.tree)
            else:
                room.tree.mkdir()
            lay(overlay, room.tree)
            yield room
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise MachineError(
                    f"no space left below {self.folder.parent}: free some, or set TMPDIR"
                ) from None
            raise
        finally:
            remove(room.folder)

    def execute(
        self, argv: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str], seconds: float, memory: int
    ) -> process.Ended:
        """Run *argv*, in the room that *cwd* lies in, guarded and walled off; see `process.execute`.

        *memory* is for this run alone. Raises `MachineError` where *argv* names no program.
        """
        argv = process.resolved(argv)
        with self.guarding() as started:
            ended = process.execute(
                self.walled(argv, self.walls(cwd, python=Path(argv[0]))),
                cwd=cwd,
                env=env,
                seconds=seconds,
                limits=replace(self.limits, memory=memory),
                token=self.new_token(),
                started=started,
            )
        self.unlock(cwd)
        return self.told(ended)

    def unlock(self, cwd: Path) -> None:
        """Let the room that *cwd* lies in be read again, whatever modes a run gave to it and its messages."""
        room = self._room_of(cwd)
        with suppress(OSError):
            room.chmod(0o700)
            for entry in os.scandir(room):
                if not entry.is_symlink():
                    Path(entry.path).chmod(0o700)

    def _room_of(self, cwd: Path) -> Path:
        return self.folder / cwd.relative_to(self.folder).parts[0]

    def walls(self, cwd: Path, *, python: Path, apart: bool = True) -> Walls:
        """What shuts in a run of *python* that begins in *cwd*: it may write to the room of that."""
        system = self._room_of(cwd) / "system"
        system.mkdir(exist_ok=True)
        return Walls(
            system=system,
            writable=[self._room_of(cwd)],
            readable=[*isolating.needed(python), *self.readable],
            cwd=cwd,
            apart=apart,
        )

    def walled(self, argv: Sequence[str], walls: Walls) -> list[str]:
        """*argv* behind *walls*, as far as the tier has any."""
        return isolating.tiers()[self.tier].wrap(argv, walls)

    @property
    def private(self) -> tuple[str, ...]:
        """Folders that are a run's own by the tier that holds it; see `Tier`."""
        return isolating.tiers()[self.tier].private

    def told(self, ended: process.Ended) -> process.Ended:
        """*ended* as if no program of the tier had stood between."""
        if isolating.tiers()[self.tier].monitored and 128 < ended.code <= 192:
            return replace(ended, code=128 - ended.code)
        return ended

    def new_token(self) -> str:
        """A mark for one process and all that it starts; by its beginning, all of this sandbox are found."""
        return f"{self.token}-{next(self._numbers)}"

    @contextmanager
    def guarding(self) -> Iterator[Callable[[int], None]]:
        """What is to be told the id of each process started while the block runs, and over when it ends."""
        pids = list[int]()

        def started(pid: int) -> None:
            pids.append(pid)
            self._tell(f"+{pid}")
            with self._lock:
                self._running.add(pid)
                if self.closed:
                    raise MachineError("the laboratory was closed while a run started")

        if self.closed:
            raise MachineError("the laboratory is closed: no run can start")
        try:
            yield started
        finally:
            for pid in pids:
                with self._lock:
                    self._running.discard(pid)
                self._tell(f"-{pid}")

    def _tell(self, word: str) -> None:
        with self._lock, suppress(OSError, ValueError):
            if self._reaper.stdin is not None:
                self._reaper.stdin.write(f"{word}\n".encode())
                self._reaper.stdin.flush()


def copy_tree(source: Path, target: Path) -> None:
    """Copy files with times and modes, links as links; an absolute link into *source* moves along."""
    pending = [(source, target)]
    while pending:
        here, there = pending.pop()
        there.mkdir(mode=FOLDER_MODE)
        for entry in os.scandir(here):
            made = there / entry.name
            if entry.is_symlink():
                made.symlink_to(moved(Path(entry.path).readlink(), source, target))
            elif entry.is_dir():
                pending.append((Path(entry.path), made))
            elif entry.is_file():
                shutil.copy2(entry.path, made)
    shutil.copystat(source, target)


def moved(link: Path, source: Path, target: Path) -> Path:
    return target / link.relative_to(source) if link.is_relative_to(source) else link


def lay(overlay: Files, tree: Path) -> None:
    """Write *overlay* over *tree*. A path that leads out of the tree, also through a link, is refused."""
    for name, content in overlay.items():
        path = inside(tree, name)
        if content is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def inside(tree: Path, name: str) -> Path:
    """*name* below *tree*; a `UsageError` where it leads out of it."""
    path = tree / name
    if ".." in Path(name).parts or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(tree)):
        raise UsageError(f"{name} leads out of the seed's tree: only files inside it can be changed")
    return path


def clear(folder: Path, kept: Container[str]) -> None:
    """Remove what lies in *folder*, but for the names *kept*."""
    for entry in list(os.scandir(folder)):
        if entry.name in kept:
            continue
        if entry.is_dir(follow_symlinks=False):
            remove(Path(entry.path))
        else:
            Path(entry.path).unlink(missing_ok=True)


def remove(folder: Path) -> None:
    """Remove *folder*, whatever modes a test gave to what lies in it."""
    shutil.rmtree(folder, ignore_errors=True)
    if not folder.exists():
        return
    with suppress(OSError):
        folder.chmod(0o700)
    for path, names, _files in os.walk(folder):
        for inner in (Path(path, name) for name in names):
            if not inner.is_symlink():  # before the walk goes into it
                with suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
