"""Who may import whom: the islands share nouns, never code, and each library has one home."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "bebug"

ISLANDS = {"seeds", "mutation", "verification", "corpus", "critique", "scoring"}
GROUND = {"records", "errors", "registry", "patches"}
LAYERS = {
    "cli": {"cli", "pipeline", "laws", *ISLANDS, *GROUND, ""},
    "pipeline": {"pipeline", *ISLANDS, *GROUND, ""},
    "laws": {"laws", *ISLANDS, *GROUND},
    **{island: {island, *GROUND} for island in ISLANDS},
    **{ground: GROUND - {"registry"} for ground in GROUND},
    "": {""},
}
"""Each part of the package → the parts that it may import; "" is the package's own `__init__`."""

HOMES = {
    "libcst": {"mutation"},
    "hypothesis": {"laws", "verification/guest"},
    "anthropic": {"critique/critics/api"},
    "click": {"cli"},
    "rich": {"cli"},
    "subprocess": {"seeds", "verification"},
    "sqlite3": {"corpus"},
    "sklearn": {"scoring/shortcuts"},
    "uv": {"seeds"},
    "platformdirs": {"seeds"},
    "coverage": {"verification/guest"},
    "pytest": {"verification/guest"},
    "_pytest": {"verification/guest"},
}
"""Each library that is not for all → the only folders or files that may import it."""

GUEST_MAY = {"pytest", "_pytest", "coverage", "hypothesis"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).with_suffix("").as_posix(), ast.parse(path.read_bytes())


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
            inner = node.module == "bebug" and "__version__" not in names
            yield from (f"bebug.{name}" for name in names) if inner else (node.module or "",)


def part(name: str) -> str:
    """The part of the package that the module *name* (`mutation/engine`) belongs to."""
    first = name.partition("/")[0]
    return "" if first in {"__init__", "py"} else first


MODULES = dict(modules())


@pytest.mark.parametrize("name", MODULES)
def test_each_module_is_in_the_table(name: str) -> None:
    assert part(name) in LAYERS


@pytest.mark.parametrize("name", MODULES)
def test_data_flows_one_way(name: str) -> None:
    for imported in imports(MODULES[name]):
        if imported == "bebug" or imported.startswith("bebug."):
            target = part(imported.removeprefix("bebug").removeprefix(".").replace(".", "/"))
            assert target in LAYERS[part(name)], f"{name} imports {imported}"


@pytest.mark.parametrize("name", MODULES)
def test_each_library_has_one_home(name: str) -> None:
    for imported in imports(MODULES[name]):
        homes = HOMES.get(imported.partition(".")[0])
        if homes is not None:
            assert any(name == home or name.startswith(home + "/") for home in homes), (
                f"{name} imports {imported}"
            )


@pytest.mark.parametrize("name", [name for name in MODULES if name in GROUND])
def test_the_ground_floor_needs_the_standard_library_only(name: str) -> None:
    for imported in imports(MODULES[name]):
        top = imported.partition(".")[0]
        assert top in sys.stdlib_module_names or top == "bebug", f"{name} imports {imported}"


@pytest.mark.parametrize("name", [name for name in MODULES if "/guest/" in name])
def test_a_guest_imports_nothing_of_ours(name: str) -> None:
    for imported in imports(MODULES[name]):
        top = imported.partition(".")[0]
        assert top in sys.stdlib_module_names or top in GUEST_MAY or top.startswith("bebug_"), (
            f"{name}: {imported}"
        )


@pytest.mark.parametrize("name", MODULES)
def test_chance_is_a_parameter(name: str) -> None:
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr in ("Random", "seed"), f"{name}:{node.lineno} draws from what the module shares"


@pytest.mark.parametrize("name", [name for name in MODULES if not name.startswith("cli/")])
def test_only_the_command_line_prints(name: str) -> None:
    if "/guest/" in name:  # a guest's answers leave through its own file or stdout
        return
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{name}:{node.lineno} prints"


@pytest.mark.parametrize("name", MODULES)
def test_every_module_opens_with_the_idea_that_lives_there(name: str) -> None:
    doc = ast.get_docstring(MODULES[name])
    assert doc and doc.strip(), f"{name} has no docstring"


@pytest.mark.parametrize("name", MODULES)
def test_no_file_is_above_400_lines_and_no_function_above_60(name: str) -> None:
    assert len((PACKAGE / f"{name}.py").read_text("utf-8").split("\n")) <= 400, name
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0].lineno
            assert (node.end_lineno or first) - first <= 60, f"{name}:{node.lineno} {node.name} is long"
