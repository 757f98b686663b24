"""Fetching an sdist: pip, the digest, safe unpacking, a cache that no kill can spoil."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from bebug.errors import FetchError
from bebug.seeds import SeedFile, condition, fetch
from bebug.seeds.fetch import fetched_folder, unpack

TarUp = Callable[[Path, Mapping[str, str]], str]


def left_behind(cache: Path) -> list[str]:
    """What a failed fetch left in the cache, locks and marks apart."""
    return [
        str(path)
        for path in cache.rglob("*")
        if path.is_file() and path.suffix != ".lock" and path.name != "CACHEDIR.TAG"
    ]


def test_an_sdist_is_fetched_once_and_served_from_the_cache(
    tiny: SeedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert condition(tiny) == "absent"
    said: list[str] = []
    tree = fetch(tiny, said.append)
    assert (tree / "tiny" / "__init__.py").read_text() == "def half(n):\n    return n // 2\n"
    assert said == ["fetching tiny 1.0"]
    assert condition(tiny) == "fetched"
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    assert fetch(tiny, said.append) == tree
    assert len(said) == 1


def test_a_wrong_digest_is_an_error_that_names_both_and_nothing_is_kept(tiny: SeedFile, cache: Path) -> None:
    wrong = replace(tiny, sha256="0" * 64)
    with pytest.raises(FetchError) as caught:
        fetch(wrong)
    assert tiny.sha256 in caught.value.message
    assert "0" * 64 in caught.value.message
    assert condition(wrong) == "absent"
    assert left_behind(cache) == []


def test_no_network_is_one_clear_line(tiny: SeedFile, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(cache / "nowhere"))
    with pytest.raises(FetchError, match=r"tiny 1\.0 could not be fetched: check the network") as caught:
        fetch(tiny)
    assert "\n" not in caught.value.message
    assert "No matching distribution" in caught.value.detail
    assert left_behind(cache) == []


def test_a_tree_that_changed_in_the_cache_is_fetched_again(tiny: SeedFile) -> None:
    tree = fetch(tiny)
    (tree / "tiny" / "__init__.py").write_text("def half(n):\n    return n\n")
    assert condition(tiny) == "damaged"
    said: list[str] = []
    fetch(tiny, said.append)
    assert "no longer what was fetched" in said[0]
    assert condition(tiny) == "fetched"
    (fetched_folder(tiny) / "bebug-fetched.json").unlink()
    assert condition(tiny) == "damaged"


def test_an_end_in_the_middle_leaves_no_half_a_seed(
    tiny: SeedFile, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(archive: Path, target: Path) -> None:
        target.mkdir(parents=True)
        (target / "half.py").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(import_module("bebug.seeds.fetch"), "unpack", stopped)
        with pytest.raises(KeyboardInterrupt):
            fetch(tiny)
    assert condition(tiny) == "absent"
    assert left_behind(cache) == []
    assert (fetch(tiny) / "tiny").is_dir()


def test_two_processes_may_fetch_the_same_seed_at_once(tiny: SeedFile) -> None:
    code = f"from pathlib import PosixPath\nfrom bebug.seeds import *\nprint(fetch({tiny!r}, print))"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = "".join(process.communicate(timeout=60)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said.count("fetching tiny 1.0") == 1
    assert said.count(str(fetched_folder(tiny) / "tree")) == 2


def test_without_pip_one_is_made(tiny: SeedFile, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    module = import_module("bebug.seeds.fetch")
    made: list[list[str]] = []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr(module, "run_uv", lambda arguments, cwd, purpose: made.append(list(arguments)))
    python = module.pip_python()
    assert Path(python).is_relative_to(cache)
    assert "--seed" in made[0]


def hostile(target: Path, name: str, link: str = "") -> Path:
    with tarfile.open(target, "w:gz") as tar:
        info = tarfile.TarInfo(name)
        if link:
            info.type, info.linkname = tarfile.SYMTYPE, link
        tar.addfile(info, io.BytesIO(b""))
    return target


def test_no_archive_can_write_outside_its_folder(tmp_path: Path) -> None:
    archive = hostile(tmp_path / "a-1.tar.gz", "a-1/../../evil.py")
    with pytest.raises(FetchError, match="cannot be unpacked"):
        unpack(archive, tmp_path / "1" / "tree")
    archive = hostile(tmp_path / "b-1.tar.gz", "b-1/link", "/etc/passwd")
    with pytest.raises(FetchError, match="cannot be unpacked"):
        unpack(archive, tmp_path / "2" / "tree")
    with zipfile.ZipFile(tmp_path / "c-1.zip", "w") as zipped:
        zipped.writestr("c-1/../../evil.py", "")
    with pytest.raises(FetchError, match="leaves the archive"):
        unpack(tmp_path / "c-1.zip", tmp_path / "3" / "tree")
    assert not list(tmp_path.rglob("evil.py"))


def test_a_zip_sdist_is_unpacked_without_its_top_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "c-1.zip", "w") as zipped:
        zipped.writestr("c-1/c.py", "x = 1\n")
    unpack(tmp_path / "c-1.zip", tmp_path / "made" / "tree")
    assert (tmp_path / "made" / "tree" / "c.py").read_text() == "x = 1\n"


def test_what_is_no_sdist_is_refused(tmp_path: Path, tar_up: TarUp) -> None:
    tar_up(tmp_path / "d-1.tar.gz", {"d-1/a.py": "", "e/a.py": ""})
    with pytest.raises(FetchError, match="it holds 2 things at the top"):
        unpack(tmp_path / "d-1.tar.gz", tmp_path / "1" / "tree")
    (tmp_path / "f-1.tar.gz").write_bytes(b"not an archive")
    with pytest.raises(FetchError, match="cannot be unpacked"):
        unpack(tmp_path / "f-1.tar.gz", tmp_path / "2" / "tree")


@pytest.mark.network
def test_a_real_project_is_had_from_the_index() -> None:
    from bebug.seeds import catalogue

    tree = fetch(catalogue()["unidiff"])
    assert (tree / "unidiff" / "patch.py").is_file()
    assert (tree / "tests").is_dir()
