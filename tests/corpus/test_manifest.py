"""The manifest counts what is there and changes with the content alone."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bebug.corpus import cases, manifest
from bebug.records import Baseline, Seed

Make = Callable[..., Any]
BASELINE = Baseline(
    green=("t::a", "t::b"),
    set_aside=("t::flaky",),
    order_dependent=(),
    collection_errors=(),
    collected=3,
    durations={"t::a": 0.1},
    seconds=0.5,
)


def test_it_has_the_keys_of_the_format_and_counts_by_label_track_and_class(seed: Seed, bad: Make) -> None:
    case = bad()
    twin = cases.repaired(case, base_patch=b"there", diff=b"back", span=(3, 3))
    entry = manifest.seed_entry(seed, BASELINE, python="3.12.1", packages=["pytest==9.2.0"])
    refused = [{"reason": "survived"}, {"reason": "broken"}, {"reason": "survived"}]
    head = manifest.build(
        name="c", version="0.1", recipe={"rng": 7}, seeds=[entry], cases=[case, twin], rejected=refused
    )
    assert list(head) == [
        *("schema_version", "name", "corpus_rev", "tool", "recipe", "seeds", "counts", "rejections", "canary")
    ]
    assert head["counts"] == {
        "cases": 2,
        "label": {"bad": 1, "good": 1},
        "track": {"control": 1, "source": 1},
        "class": {"none": 1, "off-by-one": 1},
    }
    assert head["rejections"] == {"broken": 1, "survived": 2}
    assert head["tool"] == {"name": "bebug", "version": "0.1"}
    assert uuid.UUID(head["canary"])


def test_a_seed_entry_has_what_is_needed_to_run_its_tests_and_no_time(seed: Seed) -> None:
    described = replace(seed, test_argv=("-q", "-n0"), env={"B": "2", "A": "1"})
    entry = manifest.seed_entry(described, BASELINE, python="3.12.1", packages=["pytest==9.2.0"])
    assert list(entry) == [
        *("name", "version", "source", "sha256", "licence", "python", "packages", "test_argv", "env", "cwd"),
        *("source_roots", "set_aside", "tests_collected"),
    ]
    assert entry["set_aside"] == ["t::flaky"]
    assert entry["tests_collected"] == 3
    assert list(entry["env"]) == ["A", "B"]
    assert json.loads(json.dumps(entry)) == entry


def test_the_revision_is_of_the_content_and_not_of_the_order(bad: Make) -> None:
    one, two = bad(1), bad(2)
    rev = manifest.revision([one, two])
    assert rev == manifest.revision([two, one])
    assert rev != manifest.revision([one])
    assert rev != manifest.revision([one, replace(two, description="other")])


def test_the_canary_follows_the_revision() -> None:
    assert manifest.canary("a") == manifest.canary("a") != manifest.canary("b")
