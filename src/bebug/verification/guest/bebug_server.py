"""The server: Python with pytest loaded, and a forked child for each test run.

Started as a script with the number of a socket and a plan. A request is a JSON line with `cwd`, `env`,
`argv` and `resources`, and the descriptor that takes the output; the answers are the child's `pid`, then its
`status` as `os.waitpid` has it. The child becomes what `python -m pytest ARGV` is in a process of its own.
Nothing of the seed is imported here, so that each child imports it afresh. Runs in the seed's interpreter;
standard library and pytest only.
"""

import contextlib
import gc
import json
import os
import sys

import bebug_heirs

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib is not loaded yet


class Foreign(Exception):
    """What was loaded ahead is not what a run would load."""


def inside(path, folders):
    return any(path == each or path.startswith(each + os.sep) for each in folders)


def preload(names, roots, blocked):
    """Import pytest and its own plugins, as it does itself before it looks at a seed.

    Others' plugins are left alone, since pytest rewrites their assertions as they are imported, and so are
    those *blocked*. Raises `Foreign` where a module of the seed could have been meant: *names* are those at
    the top of the seed's import path, *roots* the folders that the interpreter's own modules lie in.
    """
    started = set(sys.modules)
    import importlib

    import pytest
    from _pytest.config import default_plugins

    loaded = [
        pytest,
        *(importlib.import_module("_pytest." + name) for name in default_plugins if name not in blocked),
    ]
    new = {name.partition(".")[0] for name in sys.modules if name not in started}
    if taken := sorted(new & set(names)):
        raise Foreign("a module of the seed has the name of one that pytest loads: " + taken[0])
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and not inside(os.path.realpath(path), [*roots, HERE]):
            raise Foreign("a module is loaded from elsewhere: " + path)
    return loaded


def empty(folder):
    """Remove what lies in *folder*."""
    import shutil

    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.remove(entry.path)  # noqa: PTH107 - pathlib need not be there


def serve(connection, private):
    """Answer requests until the other end is closed; returns only in a child, with its arguments.

    Nothing lasts from one child to the next: what it started and did not wait for ends with it, and the
    folders *private* are emptied.
    """
    import socket

    spared = bebug_heirs.children()
    while True:
        data, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 1)
        if not data:
            os._exit(0)
        while not data.endswith(b"\n"):
            data += connection.recv(1 << 20)
        for folder in private:
            empty(folder)
        pid = os.fork()
        if pid == 0:
            connection.close()
            return json.loads(data), descriptors[0]
        for each in descriptors:
            os.close(each)
        connection.sendall(json.dumps({"pid": pid}).encode() + b"\n")
        status = os.waitpid(pid, 0)[1]
        bebug_heirs.bury(spared)
        connection.sendall(json.dumps({"status": status}).encode() + b"\n")


def become(request, output):
    """Be the process that the request describes, but for what is loaded already."""
    import random
    import resource

    os.setsid()
    for name, value in request["resources"].items():
        number = getattr(resource, "RLIMIT_" + name.upper(), None)
        if number is not None:
            with contextlib.suppress(OSError, ValueError):  # as where a process of its own sets them
                resource.setrlimit(number, (value, value))
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    path = [request["cwd"], *request["env"].get("PYTHONPATH", "").split(os.pathsep)]
    sys.path[:] = [*(each for each in path if each), *(each for each in sys.path if each != HERE)]
    sys.argv = ["", *request["argv"]]  # the first is set by the module that runs
    sys.path_importer_cache.clear()
    random.seed()


def main():
    import socket

    if sys.argv[3:] != ["adopted"]:  # what that took to load is not to be there for the children
        bebug_heirs.adopt()
        os.execv(sys.executable, [sys.executable, *sys.argv, "adopted"])
    plan = json.loads(sys.argv[2])
    connection = socket.socket(fileno=int(sys.argv[1]))
    connection.set_inheritable(False)
    try:
        preload(plan["names"], [os.path.realpath(each) for each in plan["roots"]], plan["blocked"])
    except Exception as why:
        connection.sendall(json.dumps({"foreign": f"{type(why).__name__}: {why}"}).encode() + b"\n")
        os._exit(0)
    connection.sendall(json.dumps({"ready": True, "pid": os.getpid()}).encode() + b"\n")
    gc.collect()
    gc.freeze()
    become(*serve(connection, plan["private"]))


if __name__ == "__main__":
    main()
    import runpy

    runpy.run_module("pytest", run_name="__main__", alter_sys=True)
