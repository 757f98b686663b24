"""The catalogue: the described seeds that have a name, one `NAME.toml` each."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from bebug.errors import PluginError, UsageError

FOLDER_VARIABLE = "BEBUG_SEEDS"
"""An environment variable: folders with more `NAME.toml` files, separated as in PATH; they win."""

PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFile:
    """What `NAME.toml` says of a seed; *file* is where it says it."""

    name: str
    file: Path
    version: str
    source: str  # builtin | pypi
    licence: str
    summary: str
    sdist: str = ""  # pypi: the file on the index
    sha256: str = ""  # pypi: of the sdist
    python: str = ">=3.11"
    requirements: tuple[str, ...] = ()  # pypi: pinned, all that the tests need
    install: str = "pythonpath"  # pythonpath | wheel
    pytest: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = "."
    source_roots: tuple[str, ...] = (".",)
    sources: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where the tree of a builtin seed lies: the folder of the same name beside the file."""
        return self.file.with_suffix("")


def seed_folders() -> tuple[Path, ...]:
    """Where seed files are looked for, the strongest last: what bebug ships, then `BEBUG_SEEDS`."""
    shipped = PACKAGE / "_seeds"  # in a wheel
    repository = PACKAGE.parent.parent  # src/bebug in a checkout
    if not shipped.is_dir() and (repository / "pyproject.toml").is_file():
        shipped = repository / "seeds"
    extra = [Path(name).absolute() for name in os.environ.get(FOLDER_VARIABLE, "").split(os.pathsep) if name]
    for folder in extra:
        if not folder.is_dir():
            raise UsageError(f"{FOLDER_VARIABLE} names {folder}, which is no folder")
    return (shipped, *extra)


def catalogue() -> dict[str, SeedFile]:
    """Every described seed by name, sorted; `PluginError` where a file is not as it must be."""
    files = {file.stem: file for folder in seed_folders() for file in sorted(folder.glob("*.toml"))}
    return {name: read_seed_file(files[name]) for name in sorted(files)}


def read_seed_file(file: Path) -> SeedFile:
    """The seed that *file* describes; `PluginError` names the file and the key that is wrong."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PluginError(f"{file} cannot be read as TOML: {error}") from None
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", file.stem):
        raise PluginError(f"{file}: a seed's name is made of a-z, 0-9 and single hyphens")
    return SeedFile(name=file.stem, file=file, **_checked(file, table))


def _checked(file: Path, table: Mapping[str, Any]) -> dict[str, Any]:
    """The values of *table* as `SeedFile` takes them."""
    known = {item.name: item for item in fields(SeedFile) if item.name not in ("name", "file")}
    for key in table:
        if key not in known:
            raise PluginError(f"{file}: unknown key {key!r}; known: {', '.join(known)}")
    source = table.get("source", "")
    needed = {
        key for key, item in known.items() if item.default is MISSING and item.default_factory is MISSING
    }
    if source == "pypi":
        needed |= {"sdist", "sha256", "requirements"}
    for key in sorted(needed - set(table)):
        raise PluginError(f"{file}: the key {key!r} is missing")
    for key, value in table.items():
        if problem := _problem(key, value, source, known[key].type):
            raise PluginError(f"{file}: {key!r} {problem}")
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def _problem(key: str, value: object, source: str, kind: object) -> str:
    """What is wrong with the value of *key*, or ""."""
    if not SHAPES[str(kind).split("[")[0]](value):
        return f"must be {str(kind).replace('tuple[str, ...]', 'a list of strings')}, not {value!r}"
    if key in CHOICES and value not in CHOICES[key]:
        return f"must be one of {', '.join(CHOICES[key])}, not {value!r}"
    if key in ("sdist", "sha256", "requirements") and source == "builtin":
        return "has no meaning for a builtin seed"
    if key in FORMS and not re.fullmatch(FORMS[key][0], str(value)):
        return f"must be {FORMS[key][1]}, not {value!r}"
    if key == "requirements" and (loose := [item for item in _strings(value) if "==" not in item]):
        return f"must be pinned with ==: {loose[0]}"
    if key in ("cwd", "source_roots") and (out := [path for path in _strings(value) if _leaves(path)]):
        return f"must stay inside the tree: {out[0]}"
    return ""


def _leaves(path: str) -> bool:
    return path.startswith("/") or os.path.normpath(path).startswith("..")


def _strings(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _is_list_of_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_table_of_strings(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


SHAPES: Mapping[str, Callable[[object], bool]] = {
    "str": lambda value: isinstance(value, str),
    "tuple": _is_list_of_strings,
    "Mapping": _is_table_of_strings,
}
CHOICES = {"source": ("builtin", "pypi"), "install": ("pythonpath", "wheel")}
FORMS = {
    "sha256": (r"[0-9a-f]{64}", "64 lower-case hex digits"),
    "python": (r">=3\.\d+(,<3\.\d+)?", "like '>=3.11' or '>=3.11,<3.14'"),
    "version": (r"[A-Za-z0-9.+!_-]+", "a version"),
    "sdist": (r"[A-Za-z0-9.+!_-]+(\.tar\.gz|\.zip)", "the name of a .tar.gz or .zip file"),
}
