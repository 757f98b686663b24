"""Docs agree with the registries and the tree, and what they tell a newcomer to write works as it stands."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bebug.mutation.operators
from bebug import registry
from bebug.cli import COMMANDS, main
from bebug.cli.mutate import command as mutate
from bebug.laws.operators import check_operator
from bebug.pipeline.pages import operators_page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def test_the_operators_page_is_fresh() -> None:
    assert (DOCS / "operators.md").read_text("utf-8") == operators_page(), (
        "run python -m bebug.pipeline.pages"
    )


def test_the_map_names_every_module_and_no_other() -> None:
    package = ROOT / "src" / "bebug"
    there = {
        path.relative_to(package).as_posix() for path in package.rglob("*.py") if path.name != "__init__.py"
    }
    told = set(re.findall(r"^\| `([\w/]+\.py)` \|", (DOCS / "design.md").read_text("utf-8"), re.MULTILINE))
    assert told == there


def test_every_error_has_its_exit_code_in_the_docs() -> None:
    text = (DOCS / "commands.md").read_text("utf-8")
    for code in (0, 2, 10, 11, 12, 13, 14, 15, 16, 17, 130):
        assert re.search(rf"^\| {code} \|", text, re.MULTILINE), code


def commands_told() -> Iterator[str]:
    """Every command line of ours in the docs: indented or fenced lines that start with one of our scripts."""
    for file in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]:
        for line in file.read_text("utf-8").splitlines():
            text = line.strip().partition("   #")[0].partition(" | ")[0].rpartition("&& ")[2]
            if (
                re.match(r"(mutate|bebug) -?-?[a-z]", text)
                and (line.startswith("    ") or "--" in text)
                and "`" not in text
            ):
                yield text


@pytest.mark.parametrize("line", sorted(set(commands_told())))
def test_every_option_in_the_docs_exists(line: str) -> None:
    words = shlex.split(line)
    assert isinstance(main, click.Group)
    command: click.Command = mutate if words[0] == "mutate" else main
    for word in words[1:]:
        if isinstance(command, click.Group) and not word.startswith("-"):
            found = command.get_command(click.Context(command), word)
            assert found is not None, f"{word} in {line!r}"
            command = found
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    used = {word.partition("=")[0] for word in words if word.startswith("--") and word != "--"}
    assert used <= known, line


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name: str) -> None:
    text = CliRunner().invoke(main, [name, "--help"]).output
    assert "Examples:" in text


@pytest.fixture
def newcomer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The operator that docs/writing-an-operator.md shows, in a file of its own in the open set."""
    blocks = re.findall(
        r"```python\n(.*?)```", (DOCS / "writing-an-operator.md").read_text("utf-8"), re.DOTALL
    )
    (tmp_path / "min_for_max.py").write_text(blocks[0], encoding="utf-8")
    monkeypatch.setattr(
        bebug.mutation.operators, "__path__", [*bebug.mutation.operators.__path__, str(tmp_path)]
    )
    registry.load.cache_clear()
    yield "min-for-max"
    registry.load.cache_clear()
    sys.modules.pop("bebug.mutation.operators.min_for_max", None)


def test_the_operator_in_the_docs_works_everywhere(newcomer: str) -> None:
    operator = registry.load("operators")[newcomer]
    source = b"def clamp(n, low, high):\n    return max(low, min(n, high))\n"
    assert check_operator(operator, "clamp.py", source) == 2
    assert newcomer in CliRunner().invoke(main, ["list", "operators"]).output
    assert "take-the-other-end" in operators_page()
    assert "smaller of some values" in CliRunner().invoke(mutate, ["--class", newcomer, "--explain"]).output


def test_the_operator_in_the_docs_finds_sites_in_a_seed(newcomer: str, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    (repo / "pkg").mkdir(parents=True)
    (repo / "pyproject.toml").write_text('[project]\nname = "clamp"\nversion = "1"\n')
    (repo / "pkg" / "clamp.py").write_text("def clamp(n, low, high):\n    return max(low, min(n, high))\n")
    asked = ["--class", newcomer, "--seed", str(repo), "--python", sys.executable, "--list", "--json"]
    result = CliRunner().invoke(mutate, asked)
    assert result.exit_code == 0, result.output
    assert [row["rule"] for row in json.loads(result.stdout)["sites"]] == [
        "min-for-max/take-the-other-end"
    ] * 2
