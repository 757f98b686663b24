"""What a setup.py says as plain literals, read without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def setup_keywords(folder: Path) -> dict[str, object]:
    """The keyword arguments of `setup(...)` in *folder*/setup.py that are literals, or names of such."""
    try:
        tree = ast.parse((folder / "setup.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    named = dict(_assigned(tree))
    found: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) == "setup":
            for keyword in node.keywords:
                value = named.get(keyword.value.id) if isinstance(keyword.value, ast.Name) else keyword.value
                if keyword.arg and value is not None and (said := _literal(value)) is not None:
                    found[keyword.arg] = said
    return found


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _literal(node: ast.expr) -> object:
    """The value of *node*; of a dictionary whose values are computed, the keys alone."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError):
        if isinstance(node, ast.Dict):
            keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            return dict.fromkeys(keys, ())
        return None
