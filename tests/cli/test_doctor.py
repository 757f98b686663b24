"""`bebug doctor` and `bebug cache` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bebug.cli import main


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with a shelf of 100 kB in it."""
    folder = tmp_path / "cache"
    (folder / "shelves" / "shop-1").mkdir(parents=True)
    (folder / "shelves" / "shop-1" / "matrix").write_bytes(b"x" * 100_000)
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(folder))
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_the_doctor_tells_a_line_for_each_thing() -> None:
    result = run("doctor")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    names = ["platform", "git", "uv", "interpreters", "bubblewrap", "namespaces", "limits", "cache", "disk"]
    assert [line.split()[1] for line in lines] == names
    assert all(line.startswith("ok ") or "; next: " in line for line in lines)


def test_the_doctor_ends_with_16_where_something_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run("doctor")
    assert result.exit_code == 16
    assert "missing  git           not found in PATH; next: install git" in result.stdout
    assert "missing here: git; the lines above say what to do" in result.stderr
    result = run("doctor", "--json")
    assert result.exit_code == 16
    said = json.loads(result.stdout)
    assert said["missing"] == ["git"]
    assert [each["step"] for each in said["findings"] if each["name"] == "git"] == ["install git"]


def test_the_cache_is_shown_with_place_and_sizes(cache: Path) -> None:
    result = run("cache", "show")
    assert result.exit_code == 0
    assert "shelves/shop-1" in result.stdout
    assert result.stdout.rstrip().endswith(f"kB in {cache}")
    said = json.loads(run("cache", "show", "--json").stdout)
    assert said["folder"] == str(cache)
    (entry,) = said["entries"]
    assert entry["name"] == "shelves/shop-1"
    assert 100_000 <= entry["size"] < 110_000
    assert entry["unused_days"] == 0


def test_nothing_is_removed_without_yes(cache: Path) -> None:
    result = run("cache", "clean")
    assert result.exit_code == 0
    assert "shelves/shop-1" in result.stdout
    assert "would go; add --yes to remove it" in result.stdout
    assert (cache / "shelves" / "shop-1" / "matrix").exists()
    assert json.loads(run("cache", "clean", "--json").stdout)["would_remove"][0]["name"] == "shelves/shop-1"


def test_with_yes_it_is_removed_and_young_things_stay(cache: Path) -> None:
    assert "0 B removed" in run("cache", "clean", "--older-than", "1", "--yes").stdout
    assert (cache / "shelves" / "shop-1").exists()
    said = json.loads(run("cache", "clean", "--yes", "--json").stdout)
    assert [each["name"] for each in said["removed"]] == ["shelves/shop-1"]
    assert said["in_use"] == []
    assert not (cache / "shelves" / "shop-1").exists()
    assert run("cache", "clean", "--older-than", "-1").exit_code == 2


def test_windows_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("bebug.seeds.platforms.system", lambda: "win32")
    (tmp_path / "a.diff").write_text("")
    for command in (
        ("seeds", "check", "ledger"),
        ("mutate", "--class", "off-by-one", "--seed", "ledger", "--out", str(tmp_path / "out")),
        ("cache", "clean", "--yes"),
    ):
        result = run(*command)
        assert result.exit_code == 16, result.output
        assert "error: bebug does not run tests on Windows" in result.stderr
        assert "Traceback" not in result.output
