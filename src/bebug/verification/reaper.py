"""The last one out: a helper process that cleans up when bebug died without doing so.

Run as a script with the scratch folder and a token. It reads process ids (`+1234`, `-1234`) from standard
input, whose other end bebug holds. `bye` ends it. The end of the stream without that word means that bebug
is gone: it then kills the sessions of the processes it was told of and all that carry the token, and
removes the folder. Standard library only, and no import of bebug: it must start in a moment.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path


def main(folder: str, token: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sessions: set[int] = set()
    for line in sys.stdin:
        word = line.strip()
        if word == "bye":
            return
        if word.startswith("+"):
            sessions.add(int(word[1:]))
        elif word.startswith("-"):
            sessions.discard(int(word[1:]))
    for attempt in range(400):
        if not kill(sessions, token.encode()):
            break
        time.sleep(min(0.002 * (attempt + 1), 0.05))
    for _ in range(5):
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).exists():
            return
        time.sleep(0.05)


def kill(sessions: set[int], token: bytes) -> int:
    """SIGKILL what belongs to *sessions* or carries *token*; how many were still there."""
    for session in sessions:
        with contextlib.suppress(OSError):
            os.killpg(session, signal.SIGKILL)
    found = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X") or int(entry.name) == os.getpid():
                continue
            if int(fields[3]) in sessions or token in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
                found += 1
    return found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
