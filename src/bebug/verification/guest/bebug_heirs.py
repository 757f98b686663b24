"""What is left of a child: processes that it started and did not wait for, however deep they hide; files.

Linux hands the children of the dead to the nearest forebear that asks for them. Runs in the seed's
interpreter; standard library only. What is needed later is taken hold of now, for tests that patch modules.
"""

import contextlib
import os
import shutil
import signal

_kill, _waitpid, _listdir, _open, _read, _close = os.kill, os.waitpid, os.listdir, os.open, os.read, os.close
_KILL, _NOW = signal.SIGKILL, os.WNOHANG
_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


def adopt():
    """From now on be the parent of all descendants whose own has ended, where the system can do so."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    except Exception:
        return


def children():
    """The children of this process, dead ones included; none where the system does not tell."""
    found = set()
    try:
        for task in _listdir("/proc/self/task"):
            file = _open("/proc/self/task/" + task + "/children", os.O_RDONLY)
            try:
                data = _read(file, 1 << 20)
            finally:
                _close(file)
            found.update(map(int, data.split()))
    except OSError:
        return set()
    return found


def bury(spared):
    """Kill and wait for every child but *spared*, and for those that they leave, until none is there."""
    while left := children() - spared:
        for pid in left:
            try:
                _kill(pid, _KILL)
                _waitpid(pid, 0)
            except OSError:
                continue


def empty(folder):
    """Remove what lies in *folder*."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.remove(entry.path)  # noqa: PTH107
