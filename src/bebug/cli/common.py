"""What all commands share: errors told in a line, progress on stderr, results on stdout."""

from __future__ import annotations

import functools
import json
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

from bebug.errors import BebugError, NothingFound

P = ParamSpec("P")
R = TypeVar("R")

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
        click.echo(f"error: {self.message}", err=True)
        if isinstance(self.error, NothingFound) and self.error.reasons:
            click.echo(histogram(self.error.reasons), err=True)
        if self.error.detail:
            click.echo(self.error.detail.rstrip(), err=True)


def told(function: Callable[P, R]) -> Callable[P, R]:
    """Let *function* end with one clear line, never a traceback, where bebug knows what is wrong."""

    @functools.wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except BebugError as error:
            if kwargs.get("as_json") and "diff_file" not in kwargs:
                print_json({"error": error.message, "detail": error.detail, "exit_code": error.exit_code})
            raise Told(error) from error
        except KeyboardInterrupt:
            click.echo("stopped: what was proved is kept; the same command goes on from here", err=True)
            raise SystemExit(130) from None

    return wrapped


def histogram(counts: Mapping[str, int]) -> str:
    """*counts* as lines, the largest first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "\n".join(f"  {n:6d}  {reason}" for reason, n in ordered)


def print_json(value: Any) -> None:
    """*value* on stdout, readable, and safe for any terminal encoding."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=True))


class Watch:
    """The observer of the command line: a live bar on a terminal, a line a stage elsewhere."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.task: TaskID | None = None
        self.name = ""
        self.words: Counter[str] = Counter()
        self.told = time.monotonic()
        self.lock = Lock()

    def note(self, text: str) -> None:
        if self.progress is not None:
            self.progress.console.print(escape(text), highlight=False)
        else:
            click.echo(text, err=True)

    def stage(self, name: str, total: int | None) -> None:
        self.close()
        with self.lock:
            self.name = name
            self.words.clear()
            if self.progress is not None:
                self.task = self.progress.add_task(escape(name), total=total, words="")

    def step(self, word: str) -> None:
        with self.lock:
            self.words[word] += 1
            if self.progress is None and time.monotonic() - self.told > EVERY:
                self.told = time.monotonic()
                click.echo(f"{self.name}: {self._words()} so far", err=True)
            if self.progress is not None and self.task is not None:
                self.progress.update(self.task, advance=1, words=self._words())

    def close(self) -> None:
        """The stage is over: where no bar was shown, say in a line how it went."""
        with self.lock:
            if self.name and self.progress is None:
                click.echo(f"{self.name}: {self._words() or 'done'}", err=True)
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
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeLeft(),
        TextColumn("{task.fields[words]}"),
    )
    with Progress(*columns, console=console) as progress:
        watch = Watch(progress)
        yield watch
        watch.close()
