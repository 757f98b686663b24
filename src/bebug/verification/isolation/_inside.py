"""Inside new namespaces: mounts what a run may see, gives up the right to mount, and becomes the run.

Run as a script with a plan and a command. Nothing can be written to but the folders of the plan, devices are
the harmless ones, and loopback is up. With a pid namespace of its own, it stays as its first process, waits
for all others, and ends as the command does. Standard library only, and no import of bebug.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import re
import signal
import socket
import struct
import sys
from typing import Any

# ruff: noqa: PTH102, PTH103, PTH110, PTH123, PTH211 - pathlib is slow to load

LIBC = ctypes.CDLL(None, use_errno=True)
READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC, REMOUNT, BIND, RECURSIVE = 1, 2, 4, 8, 32, 4096, 16384
KEPT = {"nosuid": 2, "nodev": 4, "noexec": 8, "noatime": 1024, "nodiratime": 2048, "relatime": 1 << 21}
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
DROPPED = (19, 21)  # CAP_SYS_PTRACE and CAP_SYS_ADMIN, with which root would mount everything anew
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    words = [each.encode() for each in (source, target, kind)]
    if LIBC.mount(*words, ctypes.c_ulong(flags), options.encode() or None):
        number = ctypes.get_errno()
        raise OSError(number, f"cannot mount {target}: {os.strerror(number)}")


def bound(descriptor: int, target: str) -> None:
    mount(f"/proc/self/fd/{descriptor}", target, "none", BIND | RECURSIVE)


def put_up(plan: dict[str, Any]) -> None:
    """Mount all of *plan*; what is to be bound is opened first, since mounts on the way hide it."""
    folders = {path: os.open(path, os.O_PATH) for path in (*plan["readable"], *plan["writable"])}
    system = os.open(plan["system"], os.O_PATH)
    devices()
    for folder in plan["temporary"]:
        bound(system, folder)
    for path, descriptor in folders.items():
        with contextlib.suppress(OSError):  # it may be a file's, or there already where nothing may be made
            os.makedirs(path, exist_ok=True)
        bound(descriptor, path)
    for descriptor in (*folders.values(), system):
        os.close(descriptor)
    spared = {"/dev", "/dev/shm", *plan["temporary"], *plan["writable"]}
    if not plan["root"]:
        spared.add("/proc")  # to write the map of its user there; it may write to nothing that steers
    if plan["apart"]:
        mount("proc", "/proc", "proc", NO_SUID | NO_DEVICES | NO_EXEC)
        spared.add("/proc")
        for path in ("/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/irq", "/proc/bus"):
            if os.path.exists(path):
                mount(path, path, "none", BIND | RECURSIVE)
    write_protect(spared)


def devices() -> None:
    """A /dev of its own with nothing behind it."""
    there = [name for name in DEVICES if os.path.exists(f"/dev/{name}")]
    known = {name: os.open(f"/dev/{name}", os.O_PATH) for name in there}
    mount("tmpfs", "/dev", "tmpfs", NO_SUID, "mode=755")
    for name, descriptor in known.items():
        os.close(os.open(f"/dev/{name}", os.O_CREAT | os.O_WRONLY))
        bound(descriptor, f"/dev/{name}")
        os.close(descriptor)
    for name in ("shm", "pts"):
        os.mkdir(f"/dev/{name}")
    mount("tmpfs", "/dev/shm", "tmpfs", NO_SUID | NO_DEVICES, "mode=1777")
    mount("devpts", "/dev/pts", "devpts", NO_SUID | NO_EXEC, "newinstance,ptmxmode=0666,mode=620")
    os.symlink("pts/ptmx", "/dev/ptmx")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"/dev/{name}")
    os.symlink("/proc/self/fd", "/dev/fd")


def write_protect(spared: set[str]) -> None:
    """Make every mount that can be reached read-only and without devices, but for those *spared*."""
    seen = set()
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as table:
        rows = [line.split() for line in table]
    for row in reversed(rows):  # of two on one place, only the later can be reached
        path = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), row[4])
        if path in seen or path in spared or path.startswith("/dev/"):
            continue
        seen.add(path)
        flags = sum(KEPT.get(word, 0) for word in row[5].split(","))
        try:
            mount("none", path, "none", REMOUNT | BIND | READ_ONLY | NO_DEVICES | flags)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EINVAL, errno.EACCES, errno.ENOTDIR):
                raise  # those lie under another mount: no run can reach them


def loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


def stay(child: int) -> int:
    """Be the first process: wait for *child*, and for what is left to it; the exit code to end with."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pid, status = os.wait()
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def main() -> None:
    plan, command = json.loads(sys.argv[1]), sys.argv[2:]
    if plan["apart"]:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        put_up(plan)
        loopback_up()
        os.chdir(plan["cwd"])
    except OSError as error:
        sys.exit(f"namespaces: {error.strerror or error}")
    for capability in DROPPED:
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    if plan["apart"]:
        child = os.fork()
        if child:
            os._exit(stay(child))
        os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and the run would inherit it
        signal.signal(number, signal.SIG_DFL)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
