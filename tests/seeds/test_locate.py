"""From the path that a user points at to the root of its repository."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from bebug.errors import SeedError, UsageError
from bebug.seeds.locate import MARKS, find_root, locate, source_roots, unknown_name
from bebug.seeds.specs import is_path


def test_what_holds_a_separator_or_exists_here_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_path("./toolz")
    assert is_path("some/where")
    assert is_path(".")
    assert not is_path("toolz")
    (tmp_path / "toolz").mkdir()
    assert is_path("toolz")


@pytest.mark.parametrize("mark", MARKS)
def test_the_root_is_the_outermost_folder_with_a_mark(tmp_path: Path, mark: str) -> None:
    inner = tmp_path / "mono" / "services" / "api"
    inner.mkdir(parents=True)
    (tmp_path / "mono" / mark).touch()
    (inner / "pyproject.toml").touch()
    assert find_root(inner) == tmp_path / "mono"


def test_a_folder_with_no_mark_above_it_is_its_own_root(tmp_path: Path) -> None:
    assert find_root(tmp_path) == tmp_path


def test_a_mark_in_the_home_folder_or_above_makes_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, project = tmp_path / "home" / "me", tmp_path / "home" / "me" / "work" / "app"
    project.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    (home / ".git").mkdir()
    (tmp_path / "home" / "pyproject.toml").touch()
    assert find_root(project) == project
    (home / "work" / "tox.ini").touch()
    assert find_root(project) == home / "work"


def test_a_mark_in_the_temporary_folder_itself_makes_no_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "app").mkdir()
    assert find_root(tmp_path / "app") == tmp_path / "app"


def test_the_folder_pointed_at_becomes_cwd_below_the_root(tmp_path: Path) -> None:
    api = tmp_path / "mono" / "services" / "api"
    (api / "src").mkdir(parents=True)
    (api / "src" / "core.py").touch()
    (tmp_path / "mono" / "pytest.ini").touch()
    location = locate(str(api))
    assert (location.root, location.cwd) == (tmp_path / "mono", "services/api")
    assert source_roots(location) == ("services/api", "services/api/src")
    assert location.chain == (api, api.parent, tmp_path / "mono")


def test_a_link_to_a_repository_is_followed(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(repository)
    assert locate(str(tmp_path / "alias")).root == repository
    assert source_roots(locate(str(repository))) == (".",)


def test_a_path_that_cannot_serve_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="does not exist"):
        locate(str(tmp_path / "missing"))
    (tmp_path / "file.py").touch()
    with pytest.raises(SeedError, match="is a file"):
        locate(str(tmp_path / "file.py"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(SeedError, match="holds no Python file"):
        locate(str(tmp_path / "empty"))
    with pytest.raises(UsageError, match="no usable path"):
        locate("./odd\0name")


def test_places_that_hold_everything_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "me"))
    (tmp_path / "home" / "me" / ".git").mkdir(parents=True)
    (tmp_path / "home" / "me" / "a.py").touch()
    for place in ("/", "~", tempfile.gettempdir(), str(tmp_path / "home")):
        with pytest.raises(UsageError, match="too much to copy"):
            locate(place)


def test_an_unknown_name_hears_of_its_neighbours() -> None:
    assert "did you mean toolz?" in unknown_name("tools", ["toolz", "boltons"]).message
    message = unknown_name("zzz", ["toolz"]).message
    assert "did you mean" not in message
    assert "bebug seeds list" in message
