"""How a case's seed is had again: the `--seed` that opens it, read from the manifest."""

from __future__ import annotations

from typing import Any

import pytest

from bebug.pipeline.showing import opening
from bebug.seeds import catalogue

REV = "0" * 40
LEDGER = {"seeds": ["ledger"]}


def entry(name: str, source: str, version: str = "1.0") -> dict[str, Any]:
    return {"name": name, "source": source, "version": version, "sha256": "x", "cwd": "."}


OPENS: list[tuple[list[str], dict[str, Any], str | None]] = [
    (["ledger"], entry("ledger", "builtin"), "ledger"),
    (["toolz"], entry("toolz", "pypi", "0.1"), "pypi:toolz==0.1"),  # the catalogue has another by now
    (["pypi:toolz==1.2.0"], entry("toolz", "pypi", "1.2.0"), "pypi:toolz==1.2.0"),
    (["pypi:toolz"], entry("toolz", "pypi", "1.2.0"), "pypi:toolz==1.2.0"),
    (["git+https://h/o/r@main"], entry("r", "git+https://h/o/r", REV), f"git+https://h/o/r@{REV}"),
    (["./my repo"], entry("my-own", "path"), "./my repo"),
    (["../r@v1"], entry("own", "git+file:r", REV), f"../r@{REV}"),
    (["a/one", "ledger", "b/two"], entry("two", "path"), "b/two"),
    (["pypi:toolz", "git+https://h/o/r@v", "b/two"], entry("own", "path"), "b/two"),
    (["a/one", "b/two"], entry("own", "path"), None),  # either may be it
    ([], entry("own", "path"), None),
    ([], entry("own", "builtin"), None),
]


@pytest.mark.parametrize(("specs", "seed", "spec"), OPENS)
def test_a_seed_is_named_as_it_was_and_pinned(
    specs: list[str], seed: dict[str, Any], spec: str | None
) -> None:
    found = opening({"recipe": {"seeds": specs}, "seeds": [seed]})
    assert found.get(seed["name"]) == spec


@pytest.mark.parametrize(
    "recipe",
    [
        {"merged": [{"name": "a", "recipe": {"seeds": ["./own"]}}, {"recipe": LEDGER}]},
        {"split": {"of": {"recipe": {"merged": [{"recipe": {"seeds": ["./own"]}}]}}, "part": "train"}},
    ],
)
def test_a_seed_of_a_merged_or_split_corpus_is_named_as_its_origin_had_it(recipe: dict[str, Any]) -> None:
    assert opening({"recipe": recipe, "seeds": [entry("own", "path")]}) == {"own": "./own"}


def test_a_seed_of_the_catalogue_goes_by_its_name_while_it_is_the_same() -> None:
    known = catalogue()["toolz"]
    seed = {**entry("toolz", "pypi", known.version), "sha256": known.sha256}
    assert opening({"recipe": {"seeds": ["toolz"]}, "seeds": [seed]}) == {"toolz": "toolz"}
    assert opening({"recipe": {"seeds": ["pypi:toolz"]}, "seeds": [seed]}) == {
        "toolz": f"pypi:toolz=={known.version}"
    }
