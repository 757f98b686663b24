"""What the doctor finds: on this machine, and on one that lacks things."""

from __future__ import annotations

import shutil
import subprocess
from collections import namedtuple
from importlib import import_module
from pathlib import Path

import pytest

from bebug.errors import MachineError
from bebug.seeds import open_workspace
from bebug.seeds.machine import Finding, findings, told_size
from bebug.seeds.platforms import insist_on_posix

Usage = namedtuple("Usage", "total used free")


def found() -> dict[str, Finding]:
    return {each.name: each for each in findings()}


def test_this_machine_is_told_as_its_own_tools_tell_it(cache: Path) -> None:
    said = found()
    version = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert said["git"].said.startswith(version)
    assert said["uv"].said.startswith("uv ")
    assert str(cache) in said["cache"].said
    assert {each.state for each in said.values()} <= {"ok", "lacking"}
    for each in said.values():
        assert bool(each.step) == (each.state != "ok"), each


def test_what_is_not_there_is_missing_with_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("bebug.seeds.uv")
    monkeypatch.setenv("PATH", str(tmp_path))

    def absent() -> str:
        raise FileNotFoundError

    monkeypatch.setattr(module.uv, "find_uv_bin", absent)
    said = found()
    assert (said["git"].state, said["git"].step) == ("missing", "install git")
    assert said["uv"].state == "missing"
    assert "pip install --force-reinstall uv" in said["uv"].step
    assert (said["namespaces"].state, said["bubblewrap"].state) == ("lacking", "lacking")


def test_an_old_git_is_not_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\necho git version 2.9.1\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    said = import_module("bebug.seeds.machine")._git()
    assert (said.state, said.step) == ("missing", "install git 2.24 or newer")


@pytest.mark.parametrize(("free", "state"), [(10**8, "missing"), (10**9, "lacking"), (10**10, "ok")])
def test_a_full_disk_is_told(free: int, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda place: Usage(10**11, 0, free))
    assert import_module("bebug.seeds.machine")._disk().state == state


def test_a_cache_that_cannot_be_made_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(tmp_path / "file" / "below"))
    said = found()["cache"]
    assert said.state == "missing"
    assert "BEBUG_CACHE_DIR" in said.step


def test_macos_is_told_what_it_lacks_and_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bebug.seeds.platforms.system", lambda: "darwin")
    monkeypatch.setattr("bebug.seeds.machine.system", lambda: "darwin")
    said = import_module("bebug.seeds.machine")._platform()
    assert said.state == "lacking"
    assert "no limit on memory" in said.said
    insist_on_posix()


def test_windows_is_refused_before_anything_is_made(
    repository: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bebug.seeds.platforms.system", lambda: "win32")
    for spec in (str(repository), "toolz", "pypi:inflection==0.5.1", "git+https://host/r@v1"):
        with pytest.raises(MachineError, match=r"does not run tests on Windows: .* use WSL 2") as caught:
            open_workspace(spec).__enter__()
        assert "\n" not in caught.value.message
    assert not cache.exists()
    assert found()["platform"].state == "missing"


@pytest.mark.parametrize(
    ("size", "told"),
    [(0, "0 B"), (999, "999 B"), (1500, "2 kB"), (2_000_000, "2 MB"), (83_500_000_000, "83.5 GB")],
)
def test_sizes_are_told_in_units(size: int, told: str) -> None:
    assert told_size(size) == told
