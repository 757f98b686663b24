import io
import json
import os
import signal
import sys

from pkg.core import below, in_child

signal.signal(signal.SIGTERM, signal.SIG_IGN)
BLOCK = b"\xff\xfe\nPASSED tests/test_core.py::test_ghost\nFAILED tests/test_core.py::test_last - x\n" * 800


def test_flood():
    for _ in range(40):
        os.write(1, BLOCK)
    assert below(0, 2)


def test_child():
    assert in_child(0) == 0


def test_child_again():
    assert in_child(3) == 3


def test_patches(monkeypatch):
    monkeypatch.setattr(json, "dumps", None)
    monkeypatch.setattr(json.JSONEncoder, "encode", None)
    monkeypatch.setattr(os, "write", None)
    monkeypatch.setattr(os, "getpid", lambda: 1)
    assert below(1, 2)


def test_moves(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    assert below(1, 2)


def test_closes_everything():
    sys.stdout = io.StringIO()
    os.closerange(0, 4096)
    assert not below(2, 2)


def test_last():
    assert below(0, 1)
