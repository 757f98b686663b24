"""What a critic could score that reads no meaning: labels told from wording, size, rules or tokens alone.

Each shortcut gives every case a number, greater where it takes it for bad. Those that learn are logistic
models, asked only about seeds that they were not fitted on. A corpus on which they do well measures how well
a critic guesses, and not what it sees.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from bebug.errors import MachineError

FOLDS = 5
TOKEN = re.compile(r"\w+|[^\w\s]")
FEW = 8  # cases of each label, below which nothing is measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A case as a shortcut sees it. *bad* is its label, *group* its seed."""

    id: str
    bad: bool
    group: str
    title: str
    body: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    hunks: int
    failed: bool
    """Whether the textual rules of the mock fail it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """How well one shortcut tells the labels of *n* items: the area under its ROC curve, 0.5 at chance.

    *auc* is None where it was not measured. *telling*: what it goes by, the strongest first. *scores*: id → a
    number that is greater where it takes the case for bad.
    """

    shortcut: str
    n: int
    auc: float | None
    telling: tuple[str, ...] = ()
    scores: Mapping[str, float] | None = None


def leaks(items: Sequence[Item]) -> list[Leak]:
    """What each shortcut makes of *items*, all of one class and of what is to be told from it.

    Raises `MachineError` where scikit-learn is not installed.
    """
    ordered = sorted(items, key=lambda item: item.id)
    bad = sum(item.bad for item in ordered)
    groups = len({item.group for item in ordered})
    if min(bad, len(ordered) - bad) < FEW or groups < 2:
        return [Leak(shortcut=name, n=len(ordered), auc=None) for name in ("rules", *LEARNED)]
    rules = {item.id: float(item.failed) for item in ordered}
    found = [Leak(shortcut="rules", n=len(ordered), auc=area(ordered, rules), scores=rules)]
    for name, texts in LEARNED.items():
        scores, telling = learned(ordered, [texts(item) for item in ordered])
        found.append(
            Leak(shortcut=name, n=len(ordered), auc=area(ordered, scores), telling=telling, scores=scores)
        )
    return found


def area(items: Iterable[Item], scores: Mapping[str, float]) -> float:
    """The chance that a bad item scores more than a good one, half of the ties counted (Mann and Whitney)."""
    bad = [scores[item.id] for item in items if item.bad]
    good = sorted(scores[item.id] for item in items if not item.bad)
    wins = sum(bisect_left(good, each) + bisect_right(good, each) for each in bad)
    return wins / (2 * len(bad) * len(good))


def wording(item: Item) -> dict[str, float]:
    """The words of title and body."""
    return {f"word {word}": 1.0 for word in TOKEN.findall(f"{item.title} {item.body}".lower())}


def shape(item: Item) -> dict[str, float]:
    """How much is added and removed, and in how many places."""
    added, removed = len(item.added), len(item.removed)
    letters = sum(map(len, item.added)) - sum(map(len, item.removed))
    return {
        "lines added": min(added, 20) / 5,
        "lines removed": min(removed, 20) / 5,
        "only adds": float(not removed),
        "only removes": float(not added),
        "hunks": float(item.hunks),
        "longer": float(letters > 0),
        "shorter": float(letters < 0),
        "letters": max(-100, min(100, letters)) / 25,
    }


def tokens(item: Item) -> dict[str, float]:
    """Runs of one to three tokens of the lines that go and that come, and of what differs between them."""
    found: dict[str, float] = {}
    for mark, lines in (("-", item.removed), ("+", item.added)):
        for line in lines:
            words = TOKEN.findall(line)
            for size in (1, 2, 3):
                for at in range(len(words) - size + 1):
                    found[f"{mark} {' '.join(words[at : at + size])}"] = 1.0
    return found


LEARNED = {"wording": wording, "shape": shape, "tokens": tokens}


def learned(
    items: Sequence[Item], features: Sequence[Mapping[str, float]]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Each item's score by a model of the other seeds, and what a model of all goes by."""
    linear, extraction, selection, pipeline = (
        _sklearn(name) for name in ("linear_model", "feature_extraction", "model_selection", "pipeline")
    )
    labels = [item.bad for item in items]
    groups = [item.group for item in items]
    model = pipeline.make_pipeline(
        extraction.DictVectorizer(), linear.LogisticRegression(max_iter=1000, class_weight="balanced")
    )
    folds = selection.GroupKFold(n_splits=min(FOLDS, len(set(groups))))
    scores: dict[str, float] = {}
    for train, test in folds.split(features, labels, groups):
        known = {labels[number] for number in train}
        if len(known) < 2:
            scores |= {items[number].id: 0.5 for number in test}
            continue
        model.fit([features[number] for number in train], [labels[number] for number in train])
        chances = model.predict_proba([features[number] for number in test])[:, 1]
        scores |= {items[number].id: float(chance) for number, chance in zip(test, chances, strict=True)}
    model.fit(features, labels)
    names = model[0].get_feature_names_out()
    weights = model[1].coef_[0]
    strongest = sorted(zip(weights, names, strict=True), key=lambda each: (-abs(each[0]), each[1]))[:8]
    return scores, tuple(f"{name} ({'bad' if weight > 0 else 'good'})" for weight, name in strongest)


def _sklearn(name: str) -> Any:
    try:
        return import_module(f"sklearn.{name}")
    except ImportError:
        raise MachineError(
            "the audit of shortcuts needs scikit-learn: pip install 'bebug[audit]', or leave it out with "
            "--no-shortcuts"
        ) from None
