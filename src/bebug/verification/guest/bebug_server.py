"""The start of a server: becomes what `python -m pytest` is, which then stands ready; see `bebug_standing`.

Started as a script with the path of a JSON file of the `cwd`, the `env` and the `argv` of that process.
Standard library only.
"""

import json
import os
import random
import sys

import bebug_heirs

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib is not loaded yet


def take_over(session):
    """Have the environment, folder, import path and arguments of a process as *session* has them."""
    os.environ.clear()
    os.environ.update(session["env"])
    os.chdir(session["cwd"])
    path = [session["cwd"], *session["env"].get("PYTHONPATH", "").split(os.pathsep)]
    sys.path[:] = [*(each for each in path if each), *(each for each in sys.path if each != HERE)]
    sys.argv = ["", *session["argv"]]  # the first is set by the module that runs
    sys.path_importer_cache.clear()
    random.seed()


if __name__ == "__main__":
    if sys.argv[2:] != ["adopted"]:  # what that took to load is not to be there for the children
        bebug_heirs.adopt()
        os.execv(sys.executable, [sys.executable, *sys.argv, "adopted"])
    with open(sys.argv[1], encoding="ascii") as file:  # noqa: PTH123
        known = json.load(file)
    take_over(known)

    import runpy

    runpy.run_module("pytest", run_name="__main__", alter_sys=True)
