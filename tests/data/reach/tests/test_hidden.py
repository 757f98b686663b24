import multiprocessing
import subprocess
import sys

from pkg.core import forked


def test_pool():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(forked, [(1, 2), (2, 2)]) == [True, False]


def test_command():
    done = subprocess.run([sys.executable, "-m", "pkg", "hi"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "hi\n")
