"""What can go wrong, and the exit code that each kind ends with.

BebugError                 anything that bebug says in one line instead of a traceback
├── UsageError         2   a request that cannot be meant: unknown class, bad option, unreadable diff
├── SeedError          10  a seed that cannot serve: not found, not installable, no tests, red baseline
│   └── FetchError     11  a seed's sdist or environment could not be had, or has the wrong digest
├── CorpusError        12  a corpus that cannot be read or written
├── CriticError        13  a critic gave no usable answer
├── PluginError        14  a file in an open set breaks its contract
├── NothingFound       15  zero sites, zero cases, zero controls: with the histogram of reasons
├── MachineError       16  this machine lacks what is needed: git, disk, a system that can limit processes
│   └── SandboxError   18  the tier of isolation that was asked for does not work on this machine
├── Unproved           17  a replay did not show again what the records of a corpus claim
├── Leaking            19  labels of a corpus can be told without reading code
└── UnsoundCorpus      20  cases of a corpus are not what they should be

Exit codes 1 and 3 to 5 belong to the gate. 130 is Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Mapping


class BebugError(Exception):
    """A message that names the thing and the next step; *detail* is longer text shown below it."""

    exit_code = 70

    def __init__(self, message: str, *, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class UsageError(BebugError):
    exit_code = 2


class SeedError(BebugError):
    exit_code = 10


class FetchError(SeedError):
    exit_code = 11


class CorpusError(BebugError):
    exit_code = 12


class CriticError(BebugError):
    exit_code = 13


class PluginError(BebugError):
    exit_code = 14


class NothingFound(BebugError):
    """Nothing came out; *reasons* says why, reason → how many."""

    exit_code = 15

    def __init__(self, message: str, *, reasons: Mapping[str, int] | None = None, detail: str = "") -> None:
        super().__init__(message, detail=detail)
        self.reasons = dict(reasons or {})


class MachineError(BebugError):
    exit_code = 16


class SandboxError(MachineError):
    exit_code = 18


class Unproved(BebugError):
    exit_code = 17


class Leaking(BebugError):
    exit_code = 19


class UnsoundCorpus(BebugError):
    exit_code = 20
