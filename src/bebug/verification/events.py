"""What the reporter wrote, read into a `Run`. Torn or foreign lines are passed over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bebug.records import Ending, Failure, Outcome, Run
from bebug.verification.process import Ended
from bebug.verification.reach import EARLY, SHARED

INTERRUPTED, INTERNAL_ERROR, USAGE_ERROR = 2, 3, 4
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
KNOWN = {outcome.value: outcome for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class Hit:
    """What came of one shot: killed, survived, timeout, crash, or cold: only a run of its own can tell."""

    status: str
    failures: tuple[Failure, ...] = ()


@dataclass
class Record:
    """All that one session said."""

    session: bool = False
    collected: list[str] | None = None
    places: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    durations: dict[str, float] = field(default_factory=dict)
    loaded: dict[str, str] = field(default_factory=dict)
    probe: Mapping[str, Any] | None = None
    shots: dict[str, Hit] = field(default_factory=dict)
    no_coverage: str = ""
    exit: int | None = None

    def take(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "session":
                self.session = True
            case "collected":
                self.collected = list(event["tests"])
                self.places = {
                    test: at for test, at in zip(event["tests"], event["places"], strict=True) if at
                }
            case "outcome" if event["outcome"] in KNOWN:
                self.outcomes[event["test"]] = KNOWN[event["outcome"]]
            case "done":
                self.durations[event["test"]] = event["seconds"]
            case "failure":
                self.failures[event["test"]] = failure_of(event)
            case "collection-error":
                self.errors[event["node"]] = event["why"]
            case "loaded":
                self.loaded = dict(event["modules"])
            case "probe":
                self.probe = event
            case "shot":
                self.shots[event["key"]] = Hit(
                    event["status"], tuple(Failure(message="", **each) for each in event["failed"])
                )
            case "no-coverage":
                self.no_coverage = event["why"]
            case "finish":
                self.exit = event["exit"]


def failure_of(event: Mapping[str, Any]) -> Failure:
    return Failure(
        test=event["test"], exception=event["exception"], message=event["message"], frame=event["frame"]
    )


def read(path: Path) -> Record:
    record = Record()
    for event in lines_of(path):
        record.take(event)
    return record


def lines_of(path: Path) -> Iterator[Mapping[str, Any]]:
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n"):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event:
            yield event


def ending_of(record: Record, ended: Ended) -> Ending:
    """How the process ended; its exit status alone proves nothing, since plugins and `atexit` set it."""
    if ended.timed_out:
        return Ending.TIMEOUT
    if record.exit is not None:
        early = record.exit in (INTERRUPTED, INTERNAL_ERROR, USAGE_ERROR)
        if early and not record.collected:
            return Ending.NOT_STARTED
        return Ending.ABORTED if early else Ending.FINISHED
    if ended.code < 0:
        return Ending.CRASH
    return Ending.ABORTED if record.session else Ending.NOT_STARTED


def run_of(record: Record, ended: Ended, names: Mapping[str, str], reached: Mapping[str, Any] | None) -> Run:
    """The run that *record* tells of. *names* are the private paths to strike out of the output."""
    reached = reached or {}
    return Run(
        ending=ending_of(record, ended),
        outcomes=record.outcomes,
        collected=len(record.collected or ()),
        collection_errors=tuple(sorted(record.errors)),
        failures=tuple(failure for test, failure in record.failures.items() if test in record.outcomes),
        durations=record.durations,
        loaded=record.loaded,
        seconds=ended.seconds,
        tail=printable(ended.output, names),
        lines=reached.get("files", {}),
        hidden=tuple(reached.get("hidden", ())),
        places=record.places,
        tier=ended.tier,
    )


def reached_of(path: Path) -> dict[str, Any] | None:
    """The reporter's coverage file, with tests by name: {"files": {path: {line: tests}}, "hidden": tests}."""
    if not path.exists():
        return None
    raw = json.loads(path.read_text("ascii"))
    names = [*raw["tests"], EARLY, SHARED]  # indices -2 and -1
    files = {
        file: {int(line): frozenset(names[number] for number in numbers) for line, numbers in lines.items()}
        for file, lines in raw["files"].items()
    }
    return {"files": files, "hidden": raw["hidden"]}


def printable(output: bytes, names: Mapping[str, str], limit: int = 4000) -> str:
    text = ESCAPES.sub("", output.decode("utf-8", "replace"))
    for path, name in names.items():
        text = text.replace(path, name)
    return "".join(c for c in text if c.isprintable() or c in "\n\t")[-limit:]
