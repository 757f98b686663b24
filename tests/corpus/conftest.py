"""A seed, mutants of it and the cases they make, for the tests of the corpus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bebug.corpus import cases, manifest
from bebug.records import Case, Claim, Edit, Evidence, Mutant, Seed, Site, Status

Make = Callable[..., Any]


@pytest.fixture(scope="session")
def seed() -> Seed:
    return Seed(name="ledger", version="1.2", source="builtin", sha256="ab" * 32, licence="MIT")


@pytest.fixture(scope="session")
def mutant() -> Make:
    def make(
        *,
        path: str = "ledger/money.py",
        function: str = "parse",
        at: int = 10,
        text: bytes = b"<=",
        **more: Any,
    ) -> Mutant:
        given = {"operator": "off-by-one", "rule": "step-the-boundary", "claim": Claim.BREAKS, **more}
        site = Site(
            path=path,
            operator=given["operator"],
            rule=given["rule"],
            start_line=3,
            end_line=3,
            function=function,
            text="i < n",
        )
        return Mutant(
            site=site,
            claim=given["claim"],
            edits=(Edit(at, at + 1, text),),
            operator_version=1,
            note="`i < n` became `i <= n`",
        )

    return make


@pytest.fixture(scope="session")
def killed() -> Evidence:
    proof = {
        "proof": "tests",
        "fail_to_pass": ["tests/test_money.py::test_edge[a b]"],
        "pass_to_pass": ["tests/test_money.py::test_plain"],
        "pass_to_pass_rest": {"n": 7, "digest": "cd" * 32},
        "signature": {
            "exception": "IndexError",
            "message": "list index",
            "frame": "ledger/money.py:3 in parse",
        },
        "witness": None,
    }
    return Evidence(status=Status.KILLED, proof=proof)


@pytest.fixture(scope="session")
def bad(seed: Seed, mutant: Make, killed: Evidence) -> Make:
    """A bad case; each *at* makes another."""

    def make(at: int = 10, **more: Any) -> Case:
        diff = more.pop(
            "diff", b"--- a/ledger/money.py\n+++ b/ledger/money.py\n@@ -3 +3 @@\n-i < n\n+i <= n\n"
        )
        return cases.planted(seed, mutant(at=at, **more), killed, diff=diff, span=(3, 3))

    return make


@pytest.fixture
def finish() -> Make:
    """Write *made* as a corpus to *folder*, as a build does."""
    from bebug.corpus import Store

    def run(folder: Path, made: list[Case], rejected: tuple[dict[str, Any], ...] = ()) -> None:
        head = manifest.build(
            name="t", version="0", recipe={"rng": 0}, seeds=[], cases=made, rejected=rejected
        )
        with Store(folder, {"rng": 0}) as store:
            store.finish(head, made, rejected)

    return run
