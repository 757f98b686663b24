"""An asyncio job queue with priorities, delays, retries and a clock that tests can turn by hand."""

from errands.backoff import Backoff, parse_backoff
from errands.clock import ManualClock, Stalled, SystemClock
from errands.flow import RateLimit, batches, ticks
from errands.history import History
from errands.jobs import Job, Outcome, State
from errands.pool import Pool
from errands.queue import Closed, Full, JobQueue

__version__ = "1.0.0"

__all__ = [
    "Backoff",
    "Closed",
    "Full",
    "History",
    "Job",
    "JobQueue",
    "ManualClock",
    "Outcome",
    "Pool",
    "RateLimit",
    "Stalled",
    "State",
    "SystemClock",
    "batches",
    "parse_backoff",
    "ticks",
]
