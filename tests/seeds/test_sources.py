"""Which files are planted in, and which are test code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bebug.records import Seed, Workspace
from bebug.seeds import is_test_file, source_files
from bebug.seeds.sources import matches_any


def workspace(tree: Path, **said: object) -> Workspace:
    seed = Seed(name="s", version="0", source="path", sha256="", licence="", **said)  # type: ignore[arg-type]
    return Workspace(seed=seed, tree=tree, python=Path("python"), python_version="3.11.7", packages=())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return tmp_path / "tree"


@pytest.fixture
def lay(tree: Path) -> Callable[..., None]:
    def files(*names: str, **contents: str) -> None:
        for name in names:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(contents.get("text", ""))

    return files


def test_source_code_is_what_is_no_test_no_docs_and_no_build(tree: Path, lay: Callable[..., None]) -> None:
    source = [
        "pkg/__init__.py",
        "pkg/__main__.py",
        "pkg/core.py",
        "pkg/migrations/m1.py",
        "pkg/vendored/x.py",
    ]
    source += [
        "pkg/setup.py",
        "pkg/tasks.py",
        "pkg/build/__init__.py",
        "pkg/build/x.py",
        "script.py",
        "latest.py",
    ]
    other = [
        "setup.py",
        "noxfile.py",
        "tasks.py",
        "docs/conf.py",
        "docs/ext/x.py",
        "examples/run.py",
        "demos/show.py",
        "benchmarks/speed.py",
        "ez_setup.py",
        "doc/x.py",
    ]
    other += ["build/lib/pkg/core.py", "dist/x.py", "pkg.egg-info/x.py", "pkg/data.txt", "pkg/stub.pyi"]
    tests = [
        "conftest.py",
        "tests/helpers.py",
        "tests/deep/er/x.py",
        "pkg/tests/__init__.py",
        "pkg/test_core.py",
    ]
    tests += ["pkg/core_test.py", "tests.py", "testing/x.py", "test/x.py"]
    lay(*source, *other, *tests)
    assert source_files(workspace(tree)) == tuple(sorted(source))
    assert all(is_test_file(workspace(tree), path) for path in tests)
    assert not any(is_test_file(workspace(tree), path) for path in source)


def test_only_what_lies_below_cwd_is_planted_in(tree: Path, lay: Callable[..., None]) -> None:
    lay("tests/data/toy/src/toy.py", "tests/data/toy/test_toy.py", "tests/data/toys.py", "other.py")
    toy = workspace(tree, cwd="tests/data/toy")
    assert source_files(toy) == ("tests/data/toy/src/toy.py",)
    assert is_test_file(toy, "tests/data/toy/test_toy.py")


def test_links_are_not_planted_in(tree: Path, lay: Callable[..., None]) -> None:
    lay("pkg/core.py")
    (tree / "alias").symlink_to("pkg")
    (tree / "pkg" / "again.py").symlink_to("core.py")
    (tree / "pkg" / "loop").symlink_to("..")
    assert source_files(workspace(tree)) == ("pkg/core.py",)


def test_the_seeds_globs_and_the_users_narrow_the_choice(tree: Path, lay: Callable[..., None]) -> None:
    lay("pkg/a.py", "pkg/b.py", "pkg/sub/c.py", "other/d.py", "checks/e.py")
    seed = workspace(tree, sources=("pkg/*.py", "checks"), tests=("checks/**",))
    assert source_files(seed) == ("pkg/a.py", "pkg/b.py")
    assert source_files(seed, globs=["pkg/b*", "other"]) == ("pkg/b.py",)
    assert source_files(workspace(tree), globs=["**/[cd].py"]) == ("other/d.py", "pkg/sub/c.py")
    assert source_files(seed, globs=["nothing"]) == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\npython_files = check_*.py specs/*.py\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\npython_files = ["check_*.py", "specs/*.py"]\n'),
        ("pyproject.toml", '[tool.pytest]\npython_files = ["check_*.py", "specs/*.py"]\n'),
        ("tox.ini", "[pytest]\npython_files =\n    check_*.py\n    specs/*.py\n"),
        ("setup.cfg", "[tool:pytest]\npython_files = check_*.py specs/*.py\n"),
    ],
)
def test_pytests_own_patterns_name_tests_too(
    tree: Path, lay: Callable[..., None], name: str, text: str
) -> None:
    lay("pkg/core.py", "pkg/check_core.py", "pkg/specs/one.py")
    (tree / name).write_text(text)
    assert source_files(workspace(tree)) == ("pkg/core.py",)


def test_a_pattern_that_takes_in_every_module_makes_no_test_of_them(
    tree: Path, lay: Callable[..., None]
) -> None:
    lay("pkg/core.py", "tests/x.py")
    (tree / "pytest.ini").write_text("[pytest]\npython_files = *.py\n")
    assert source_files(workspace(tree)) == ("pkg/core.py",)


@pytest.mark.parametrize(
    ("path", "glob", "fits"),
    [
        ("a/b.py", "a/*.py", True),
        ("a/c/b.py", "a/*.py", False),
        ("a/c/b.py", "a/**", True),
        ("b.py", "**/b.py", True),
        ("a/c/b.py", "**/b.py", True),
        ("a/c/b.py", "a", True),
        ("ab/c.py", "a", False),
        ("a/b.py", "./a/", True),
        ("a/b.py", "a/?.py", True),
        ("a/b.py", "a/[!b].py", False),
        ("a/b+c.py", "a/b+c.py", True),
        ("a/[x.py", "a/[x.py", True),
        ("a\n/b.py", "**", True),
        ("a/b.py", ".", True),
        ("a/b.pyc", "a/*.py", False),
    ],
)
def test_globs_mean_what_users_expect(path: str, glob: str, fits: bool) -> None:
    assert matches_any(path, [glob]) is fits
