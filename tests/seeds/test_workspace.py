"""A workspace as the rest of bebug gets it: by path or by name, private, whole, gone afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bebug.errors import SeedError, UsageError
from bebug.seeds import catalogue, describe, open_workspace, source_files
from bebug.seeds.tree import tree_digest

Write = Callable[[Path, Mapping[str, str]], Path]
HERE = Path(sys.executable)


def state(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Name → mode, size and time of change, of all that lies in *folder*, and of itself."""
    found = [folder, *folder.rglob("*")]
    return {
        str(path): (path.lstat().st_mode, path.lstat().st_size, path.lstat().st_mtime_ns) for path in found
    }


def test_a_path_becomes_a_workspace_and_is_not_touched(repository: Path) -> None:
    (repository / ".git").mkdir()
    before = state(repository)
    with open_workspace(str(repository), python=HERE, pytest_args=["-k", "total"]) as workspace:
        seed = workspace.seed
        assert (seed.name, seed.version, seed.licence, seed.source) == ("my-shop", "2.1", "MIT", "path")
        assert (seed.test_argv, seed.cwd, seed.source_roots) == (("-k", "total"), ".", (".",))
        assert seed.sha256 == tree_digest(repository)
        assert workspace.origin == repository
        assert workspace.tree != repository
        assert not (workspace.tree / ".git").exists()
        assert source_files(workspace) == ("shop/till.py", "shop/__init__.py")[::-1]
        (workspace.tree / "shop" / "till.py").write_text("")
    assert not workspace.tree.exists()
    assert state(repository) == before


def test_the_suite_of_a_workspace_runs_in_a_copy_of_it(repository: Path, tmp_path: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        command = [workspace.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
        done = subprocess.run(command, cwd=workspace.tree, capture_output=True, text=True)
    assert "1 passed" in done.stdout


def test_a_nested_project_keeps_its_repository_around_it(tmp_path: Path, write: Write) -> None:
    files = {
        "pytest.ini": "[pytest]\n",
        "conftest.py": "",
        "services/api/src/api.py": "",
        "services/b/pyproject.toml": "",
    }
    mono = write(tmp_path / "mono", files)
    with open_workspace(str(mono / "services" / "api"), python=HERE) as workspace:
        assert (workspace.seed.name, workspace.seed.cwd) == ("api", "services/api")
        assert workspace.seed.source_roots == ("services/api", "services/api/src")
        assert (workspace.tree / "conftest.py").is_file()
        assert source_files(workspace) == ("services/api/src/api.py",)


def test_a_folder_with_the_name_of_a_seed_is_taken_as_a_path_and_said(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "toolz", {"mine.py": ""})
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    with open_workspace("toolz", python=HERE, notify=said.append) as workspace:
        assert workspace.seed.source == "path"
    assert said == ["toolz is taken as the folder ./toolz, not as the seed of that name"]


def test_an_unknown_name_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="did you mean toolz"), open_workspace("tolz"):
        pass


def test_a_builtin_seed_runs_in_this_interpreter_without_the_network() -> None:
    builtin = [seed for seed in catalogue().values() if seed.source == "builtin"]
    for described in builtin:
        with open_workspace(described.name, pytest_args=["-x"]) as workspace:
            assert workspace.python == HERE
            assert workspace.seed.test_argv == (*described.pytest, "-x")
            assert workspace.seed.sha256 == tree_digest(described.folder)
            assert workspace.coverage_path is None
            assert source_files(workspace)
            assert any(package.startswith("pytest==") for package in workspace.packages)


def test_a_seed_whose_folder_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lost.toml").write_text('version = "1"\nsource = "builtin"\nlicence = "MIT"\nsummary = "x"\n')
    monkeypatch.setenv("BEBUG_SEEDS", str(tmp_path))
    with pytest.raises(SeedError, match="lost has no folder"), open_workspace("lost"):
        pass


def test_a_seed_for_another_python_is_refused(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'version = "1"\nsource = "builtin"\nlicence = "MIT"\nsummary = "x"\npython = ">=3.99"\n'
    write(tmp_path / "seeds", {"late.toml": text, "late/late.py": ""})
    monkeypatch.setenv("BEBUG_SEEDS", str(tmp_path / "seeds"))
    with pytest.raises(SeedError, match=r"late needs Python >=3\.99, not"), open_workspace("late"):
        pass


def test_an_interpreter_that_cannot_serve_is_refused(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(SeedError, match="--python /missing/python does not exist"):
        open_workspace(str(repository), python=Path("/missing/python")).__enter__()
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    with pytest.raises(SeedError, match="is no Python that runs"):
        open_workspace(str(repository), python=fake).__enter__()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    with pytest.raises(
        SeedError, match=r"has no pytest: run `uv pip install --python .*bare/bin/python pytest`"
    ):
        open_workspace(str(repository), python=tmp_path / "bare").__enter__()


def test_the_repositorys_own_environment_is_used_or_found_wanting(repository: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(repository / ".venv")], check=True)
    with pytest.raises(SeedError, match=r"\.venv/bin/python has no pytest"):
        open_workspace(str(repository)).__enter__()
    (site,) = (repository / ".venv" / "lib").glob("python*/site-packages")
    real = Path(pytest.__file__).parent.parent
    (site / "borrowed.pth").write_text(f"{real}\n")
    with open_workspace(str(repository)) as workspace:
        assert workspace.python == repository / ".venv" / "bin" / "python"
        assert not (workspace.tree / ".venv").exists()


def test_what_a_killed_owner_left_goes_with_the_next_workspace(repository: Path) -> None:
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom bebug.seeds import open_workspace\n"
        "with open_workspace(sys.argv[1], python=Path(sys.executable)) as workspace:\n"
        "    print(workspace.tree, flush=True)\n    time.sleep(60)\n"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", code, str(repository)], stdout=subprocess.PIPE, text=True
    )
    assert killed.stdout
    tree = Path(killed.stdout.readline().strip())
    assert tree.is_dir()
    with open_workspace(str(repository), python=HERE):
        assert tree.is_dir()
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    with open_workspace(str(repository), python=HERE):
        assert not tree.parent.exists()


def test_a_cache_or_a_temporary_folder_inside_the_repository_is_no_part_of_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        sha256 = workspace.seed.sha256
    monkeypatch.setenv("BEBUG_CACHE_DIR", str(repository / "mycache"))
    monkeypatch.setattr(tempfile, "tempdir", str(repository / "tmp"))
    (repository / "tmp").mkdir()
    with open_workspace(str(repository), python=HERE) as workspace:
        assert workspace.seed.sha256 == sha256


def test_a_description_has_what_it_takes_to_prove_again(repository: Path) -> None:
    with open_workspace(str(repository), python=HERE) as workspace:
        said = describe(workspace)
    assert json.loads(json.dumps(said)) == said
    keys = {"name", "version", "source", "sha256", "licence", "python", "packages", "test_argv", "env", "cwd"}
    assert keys | {"source_roots", "tree"} <= set(said)
    assert (said["tree"], said["python"]) == (str(repository), sys.executable)
    assert said["python_version"] == ".".join(map(str, sys.version_info[:3]))
