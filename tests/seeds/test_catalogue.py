"""The described seeds: where their files are found, and what is wrong with a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bebug.errors import PluginError, UsageError
from bebug.seeds import catalogue
from bebug.seeds.catalogue import read_seed_file

GOOD = """
version = "1.0"
source = "pypi"
sdist = "tiny-1.0.tar.gz"
sha256 = "%s"
licence = "MIT"
summary = "Halves numbers"
requirements = ["pytest==9.2.0"]
""" % ("0" * 64)
BUILTIN = 'version = "1"\nsource = "builtin"\nlicence = "MIT"\nsummary = "One"\n'


def wrong(folder: Path, text: str, name: str = "tiny.toml") -> str:
    """The message of the error that a seed file gives."""
    (folder / name).write_text(text)
    with pytest.raises(PluginError) as caught:
        read_seed_file(folder / name)
    assert str(folder / name) in caught.value.message
    return caught.value.message


def test_every_shipped_seed_is_whole() -> None:
    shipped = catalogue()
    assert list(shipped) == sorted(shipped)
    assert sum(seed.source == "pypi" for seed in shipped.values()) >= 8
    for name, seed in shipped.items():
        assert seed.name == name == seed.file.stem
        assert seed.summary and "\n" not in seed.summary
        assert seed.pytest, "the catalogue says where the tests are"
        if seed.source == "pypi":
            assert seed.version in seed.sdist
            assert any(item.startswith("pytest==") for item in seed.requirements)
            assert seed.sources and seed.tests
        else:
            assert seed.folder.is_dir()
            assert seed.env.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD") == "1"


def test_a_seed_file_is_read_with_its_defaults(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(GOOD + 'env = {A = "1"}\n')
    seed = read_seed_file(tmp_path / "tiny.toml")
    assert (seed.name, seed.version, seed.install, seed.cwd) == ("tiny", "1.0", "pythonpath", ".")
    assert (seed.requirements, seed.source_roots, seed.env) == (("pytest==9.2.0",), (".",), {"A": "1"})
    assert seed.folder == tmp_path / "tiny"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('license = "MIT"', "unknown key 'license'; known: version, source, licence"),
        ("pytest = 'tests'", "'pytest' must be a list of strings, not 'tests'"),
        ("pytest = [1]", "'pytest' must be a list of strings, not [1]"),
        ("env = {A = 1}", "'env' must be Mapping[str, str], not {'A': 1}"),
        ("cwd = 3", "'cwd' must be str, not 3"),
        ("cwd = '../..'", "'cwd' must stay inside the tree: ../.."),
        ("source_roots = ['/usr']", "'source_roots' must stay inside the tree: /usr"),
        ("install = 'editable'", "'install' must be one of pythonpath, wheel, not 'editable'"),
        ("python = '~=3.11'", "'python' must be like '>=3.11' or '>=3.11,<3.14', not '~=3.11'"),
    ],
)
def test_a_wrong_key_is_named_with_the_file(tmp_path: Path, line: str, said: str) -> None:
    assert said in wrong(tmp_path, f"{GOOD}{line}\n")


@pytest.mark.parametrize(
    "key", ["version", "source", "sdist", "sha256", "licence", "summary", "requirements"]
)
def test_a_missing_key_is_named_with_the_file(tmp_path: Path, key: str) -> None:
    kept = "\n".join(line for line in GOOD.splitlines() if not line.startswith(key))
    assert f"the key '{key}' is missing" in wrong(tmp_path, kept)


def test_values_must_pin_what_they_name(tmp_path: Path) -> None:
    assert "'sha256' must be 64 lower-case hex digits" in wrong(
        tmp_path, GOOD.replace("0" * 64, "0" * 63 + "F")
    )
    assert "must be pinned with ==: pytest" in wrong(tmp_path, GOOD.replace("pytest==9.2.0", "pytest>=9"))
    assert "'sdist' must be the name of" in wrong(tmp_path, GOOD.replace("tiny-1.0.tar.gz", "../tiny.whl"))
    assert "no meaning for a builtin" in wrong(tmp_path, f"{BUILTIN}sdist = 'a-1.tar.gz'\n")
    assert "'source' must be one of builtin, pypi" in wrong(tmp_path, BUILTIN.replace("builtin", "svn"))


def test_a_file_that_is_no_toml_or_has_an_odd_name_is_refused(tmp_path: Path) -> None:
    assert "cannot be read as TOML" in wrong(tmp_path, "version = ")
    assert "a seed's name is made of" in wrong(tmp_path, GOOD, "Tiny_Seed.toml")


def test_a_folder_of_the_users_adds_seeds_and_overrides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(BUILTIN)
    (tmp_path / "toolz.toml").write_text(BUILTIN)
    monkeypatch.setenv("BEBUG_SEEDS", str(tmp_path))
    found = catalogue()
    assert found["mine"].file == tmp_path / "mine.toml"
    assert found["toolz"].source == "builtin"
    assert "boltons" in found
    monkeypatch.setenv("BEBUG_SEEDS", str(tmp_path / "missing"))
    with pytest.raises(UsageError, match=r"BEBUG_SEEDS names .*missing, which is no folder"):
        catalogue()


def test_seeds_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "toolz" in catalogue()
