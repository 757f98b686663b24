"""EDGE: turns claims into evidence by running tests."""

from bebug.verification.calibration import Calibration, Idle
from bebug.verification.candidate import Candidate, Planted, Weakening
from bebug.verification.cold import ColdRunner
from bebug.verification.laboratory import CONFIRMATIONS, Laboratory
from bebug.verification.limits import Limits
from bebug.verification.reach import Reach, Seen
from bebug.verification.runner import Runner
from bebug.verification.verdicts import Judged, judge

__all__ = [
    "CONFIRMATIONS",
    "Calibration",
    "Candidate",
    "ColdRunner",
    "Idle",
    "Judged",
    "Laboratory",
    "Limits",
    "Planted",
    "Reach",
    "Runner",
    "Seen",
    "Weakening",
    "judge",
]
