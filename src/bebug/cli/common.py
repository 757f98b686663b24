"""What all commands share: errors told in a line, progress on stderr, results on stdout."""

from __future__ import annotations

import functools
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, ParamSpec, TypeVar

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeft
from rich.table import Column

from bebug.errors import BebugError, NothingFound

P = ParamSpec("P")
R = TypeVar("R")

# CSI sequences, strings such as a window's title (OSC, DCS, ...), two-character escapes; in 8 bits too
ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
# what is left of control characters but tab and line feed, and the marks that turn the direction of a line
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
ROOMY = 110  # columns of a terminal that has room for all that a bar can tell
EVERY = 20.0  # seconds between two lines of progress where there is no terminal to draw a bar on
CONTEXT = {"help_option_names": ["-h", "--help"]}
INTERPRETER = click.Path(path_type=Path, dir_okay=False)


class Told(click.ClickException):
    """A `BebugError` as click shows it: the message, what lies behind it, and the exit code of its kind."""

    def __init__(self, error: BebugError) -> None:
        super().__init__(error.message)
        self.error = error

    @property
    def exit_code(self) -> int:  # type: ignore[override]
        return self.error.exit_code

    def show(self, file: Any = None) -> None:
        say(f"error: {self.message}", err=True)
        if isinstance(self.error, NothingFound) and self.error.reasons:
            say(histogram(self.error.reasons), err=True)
        if self.error.detail:
            say(self.error.detail.rstrip(), err=True)


def told(function: Callable[P, R]) -> Callable[P, R]:
    """Let *function* end with one clear line, never a traceback, where bebug knows what is wrong."""
    return told_if_stopped("stopped")(function)


def told_if_stopped(said: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """As `told`; *said* is the line for Ctrl-C: what is kept, which differs from command to command."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except BebugError as error:
                if kwargs.get("as_json") and "diff_file" not in kwargs:
                    print_json({"error": error.message, "detail": error.detail, "exit_code": error.exit_code})
                raise Told(error) from error
            except KeyboardInterrupt:
                click.echo(said, err=True)
                raise SystemExit(130) from None

        return wrapped

    return decorate


def plain(text: str) -> str:
    """*text* without what a terminal would obey: a case, or a test, could hold it to rewrite the screen."""
    return CONTROL.sub("", ESCAPE.sub("", text))


def say(text: str, *, err: bool = False) -> None:
    """Print *text*, which may come from a case or from a seed's tests, as `plain` makes it."""
    click.echo(plain(text), err=err)


def histogram(counts: Mapping[str, int]) -> str:
    """*counts* as lines, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "\n".join(f"  {n:6d}  {reason}" for reason, n in ordered)


def print_json(value: Any) -> None:
    """*value* on stdout, readable, and safe for any terminal encoding."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=True))


class Watch:
    """The observer of the command line: a live bar on a terminal, a line or two a stage elsewhere."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.task: TaskID | None = None
        self.name = ""
        self.total: int | None = None
        self.words: Counter[str] = Counter()
        self.told = self.began = time.monotonic()
        self.lock = Lock()

    def note(self, text: str) -> None:
        if self.progress is not None:
            self.progress.console.print(escape(plain(text)), highlight=False)
        else:
            say(text, err=True)

    def stage(self, name: str, total: int | None) -> None:
        self.close()
        with self.lock:
            self.name, self.total = plain(name), total
            self.words.clear()
            self.told = self.began = time.monotonic()
            if self.progress is not None:
                short = self.name.partition(" (")[0]  # a bar has no room for the remark: it gets a line
                if short != self.name:
                    self.progress.console.print(escape(self.name), highlight=False)
                self.task = self.progress.add_task(escape(short), total=total, words="")
            elif total is None:  # it may take long, and perhaps no step tells how far it is
                click.echo(f"{self.name} ...", err=True)

    def step(self, word: str) -> None:
        with self.lock:
            self.words[word] += 1
            if self.progress is None and time.monotonic() - self.told > EVERY:
                self.told = time.monotonic()
                done = sum(self.words.values())
                of = f"{done} of {self.total}: " if self.total is not None else ""
                click.echo(f"{self.name}: {of}{self._words()} so far", err=True)
            if self.progress is not None and self.task is not None:
                self.progress.update(self.task, advance=1, words=self._words())

    def close(self) -> None:
        """The stage is over: where no bar was shown, say in a line how it went."""
        with self.lock:
            if self.name and self.progress is None:
                seconds = time.monotonic() - self.began
                click.echo(f"{self.name}: {self._words() or 'done'} ({seconds:.0f} s)", err=True)
            if self.progress is not None and self.task is not None:
                done = max(1, self.progress.tasks[-1].completed)
                self.progress.update(self.task, total=done, completed=done)
            self.name, self.task = "", None

    def _words(self) -> str:
        return ", ".join(f"{n} {word}" for word, n in sorted(self.words.items()))


@contextmanager
def watching() -> Iterator[Watch]:
    """A `Watch` that draws on stderr while the block runs."""
    console = Console(stderr=True)
    if not (console.is_terminal and sys.stderr.isatty()):
        watch = Watch(None)
        yield watch
        watch.close()
        return
    with bars(console) as progress:
        watch = Watch(progress)
        yield watch
        watch.close()


def bars(console: Console) -> Progress:
    """Bars that leave room for what came of the steps on a terminal of 80 columns too."""
    wide = console.width >= ROOMY
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30 if wide else 8),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *([TimeLeft()] if wide else []),
        TextColumn("{task.fields[words]}", table_column=Column()),  # wraps, where others would be cut
    )
    return Progress(*columns, console=console)
