"""Licence files stand beside the cases, by seed, and nothing of an older corpus stays among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bebug.corpus import licences
from bebug.errors import CorpusError


def test_what_is_stored_is_read_back(tmp_path: Path) -> None:
    found = {"one": {"LICENSE": b"MIT\n", "LICENSES/BSD.txt": b"\xff"}, "two": {"src/NOTICE": b""}}
    licences.store(tmp_path, found)
    assert licences.read(tmp_path) == found
    assert (tmp_path / "licences" / "one" / "LICENSES" / "BSD.txt").read_bytes() == b"\xff"


def test_a_seed_that_is_no_longer_there_leaves_nothing(tmp_path: Path) -> None:
    licences.store(tmp_path, {"one": {"LICENSE": b"1"}, "two": {"LICENSE": b"2"}})
    licences.store(tmp_path, {"two": {"COPYING": b"3"}, "three": {}})
    assert licences.read(tmp_path) == {"two": {"COPYING": b"3"}}
    licences.store(tmp_path, {})
    assert licences.read(tmp_path) == {} and not (tmp_path / "licences").exists()


@pytest.mark.parametrize("path", ["../LICENSE", "/LICENSE", "a/../../../b"])
def test_no_file_leads_out_of_its_folder(tmp_path: Path, path: str) -> None:
    with pytest.raises(CorpusError, match="leads out"):
        licences.store(tmp_path / "corpus", {"one": {path: b""}})


def test_a_seed_may_be_called_anything(tmp_path: Path) -> None:
    licences.store(tmp_path, {"../up": {"LICENSE": b"x"}})
    assert list(licences.read(tmp_path).values()) == [{"LICENSE": b"x"}]
    assert [path.name for path in tmp_path.iterdir()] == ["licences"]
