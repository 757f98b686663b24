"""Making cases: a proved mutant, its repaired twin or a proved control becomes a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from bebug.corpus.rows import stored
from bebug.errors import CorpusError
from bebug.records import Case, Evidence, Label, Mutant, Seed, digest

# Words that fit whatever a change does at a place: edit it, add it, take something away or put it back.
_TITLES = ("Change {file}{place}", "Edit {file}{place}", "Update {file}{place}", "Revise {file}{place}")
_BODIES = (
    "A small change, about {what}.",
    "This is about {what} only.",
    "Please review this change, about {what}.",
)


def planted(
    seed: Seed,
    mutant: Mutant,
    evidence: Evidence,
    *,
    diff: bytes,
    span: tuple[int, int],
    base_patch: bytes = b"",
) -> Case:
    """The bad case that a proved fault makes; *span* are the first and last line of it after *diff*."""
    return _made(
        seed,
        mutant,
        label=Label.BAD,
        track="source",
        defect_class=mutant.site.operator,
        description=_told(mutant),
        base_patch=base_patch,
        diff=diff,
        span=_span(span),
        evidence=_proof(evidence, "tests", "witness"),
    )


def weakened(
    seed: Seed,
    mutant: Mutant,
    evidence: Evidence,
    *,
    diff: bytes,
    span: tuple[int, int],
    base_patch: bytes = b"",
) -> Case:
    """The bad case that a test makes which notices less than it did, or than it would with its assertions."""
    return _made(
        seed,
        mutant,
        label=Label.BAD,
        track="test",
        defect_class=mutant.site.operator,
        description=_told(mutant),
        base_patch=base_patch,
        diff=diff,
        span=_span(span),
        evidence=_proof(evidence, "detection-loss"),
    )


def preserved(
    seed: Seed,
    mutant: Mutant,
    evidence: Evidence,
    *,
    diff: bytes,
    span: tuple[int, int],
    base_patch: bytes = b"",
) -> Case:
    """The good case that a change makes whose behaviour was searched for a difference, and none was found."""
    undoing = "takes back that " if base_patch else ""
    return _made(
        seed,
        mutant,
        label=Label.GOOD,
        track="control",
        defect_class="none",
        description=f"Keeps the behaviour {_where(mutant)}: {undoing}{mutant.note}.",
        base_patch=base_patch,
        diff=diff,
        span=_span(span),
        evidence=_proof(evidence, "preserves"),
    )


def repaired(case: Case, *, base_patch: bytes, diff: bytes, span: tuple[int, int]) -> Case:
    """The good twin of a bad case: it starts from the tree with the defect and cures it.

    *diff* is the exact reverse of the case's; *span* are the lines in the pristine file. The bad case
    learns of its twin by `paired`.
    """
    shown = _shown(case, "tests", ("fail_to_pass", "pass_to_pass", "pass_to_pass_rest"))
    return _twin(
        case,
        "good-bugfix",
        f"Good twin of a bad case: undoes what the bad change does. The bad change: {case.description}",
        base_patch=base_patch,
        diff=diff,
        span=_span(span),
        evidence={"proof": "fixes", "tier": "G1", **shown},
    )


def strengthened(case: Case, *, base_patch: bytes, diff: bytes, span: tuple[int, int]) -> Case:
    """The good twin of a weakened test: it adds what was deleted, or the test with its assertions."""
    shown = _shown(case, "detection-loss", ("fault", "killed_by", "removed_tests"))
    adds = "adds the same test with its assertions"  # a base of its own: the seed without that test
    does = adds if case.base_patch else "puts back what the bad change takes away"
    return _twin(
        case,
        "good-test",
        f"Good twin of a bad case: {does}. The bad change: {case.description}",
        base_patch=base_patch,
        diff=diff,
        span=_span(span),
        evidence={"proof": "adds-detection", "tier": "G1", **shown},
    )


def _shown(case: Case, proof: str, names: Iterable[str]) -> dict[str, Any]:
    """What the twin of *case* shows too; a `ValueError` where it is no bad case with such a *proof*."""
    if case.label is not Label.BAD or case.evidence.get("proof") != proof:
        raise ValueError(f"{case.id} is no bad case proved by {proof}: it has no such twin")
    return {name: case.evidence[name] for name in names if name in case.evidence}


def _twin(case: Case, operator: str, description: str, **given: Any) -> Case:
    return replace(
        case,
        id=f"{case.id.rpartition('-')[0]}-{digest(case.id, operator)[:12]}",
        label=Label.GOOD,
        track="control",
        defect_class="none",
        operator=f"{operator}/{case.operator.partition('/')[2]}",
        description=description,
        twin=case.id,
        **given,
    )


def paired(case: Case, twin: Case) -> Case:
    """*case* with its *twin* named."""
    return replace(case, twin=twin.id)


def rejected(seed: Seed, mutant: Mutant, evidence: Evidence, *, diff: bytes) -> dict[str, Any]:
    """The row of `rejected.jsonl` for a candidate that did not become a case; `reason` is its status."""
    site = mutant.site
    return {
        "id": case_id(seed, mutant),
        "reason": evidence.status.value,
        "detail": evidence.detail,
        "operator": f"{site.operator}/{site.rule}",
        "note": mutant.note,
        "seed": seed.name,
        "path": site.path,
        "span": _span((site.start_line, site.end_line)),
        "function": site.function,
        "diff": stored(diff),
        "witness": evidence.witness,
    }


def case_id(seed: Seed, mutant: Mutant) -> str:
    """`<seed>-<12 hex>`: a digest of seed, place and replacement; no other candidate changes it."""
    return f"{_slug(seed.name)}-{digest(seed.name, seed.version, mutant.key)[:12]}"


def wording(path: str, function: str) -> tuple[str, str]:
    """A neutral title and body, chosen by place alone: equal for a bad case, its twin and a control there.

    They say where, and not what is done: they hold for a test that is added as for a line that is edited.
    """
    pick = int(digest(path, function, "wording")[:8], 16)
    title, body = _TITLES[pick % len(_TITLES)], _BODIES[pick // len(_TITLES) % len(_BODIES)]
    file, name = _printable(path), _printable(function)
    return (
        title.format(file=file, place=f": {name}" if name else ""),
        body.format(what=f"`{name}`" if name else f"`{file}`"),
    )


def _made(seed: Seed, mutant: Mutant, **given: Any) -> Case:
    site = mutant.site
    title, body = wording(site.path, site.function)
    return Case(
        id=case_id(seed, mutant),
        operator=f"{site.operator}/{site.rule}",
        title=title,
        body=body,
        seed={"name": seed.name, "version": seed.version, "source": seed.source, "sha256": seed.sha256},
        path=site.path,
        function=site.function,
        twin=None,
        **given,
    )


def _proof(evidence: Evidence, *kinds: str) -> Mapping[str, Any]:
    proof = evidence.proof
    if proof is None or proof.get("proof") not in kinds:
        raise CorpusError(
            f"a case needs a proof of the kind {kinds[0]!r}, not {proof and proof.get('proof')!r}"
        )
    return proof


def _span(lines: tuple[int, int]) -> dict[str, int]:
    start, end = lines
    return {"start_line": start, "end_line": end}


def _told(mutant: Mutant) -> str:
    """The ground truth on a bad change."""
    return f"{mutant.site.operator.replace('-', ' ').capitalize()} {_where(mutant)}: {mutant.note}."


def _where(mutant: Mutant) -> str:
    site = mutant.site
    place = f"{site.path}:{site.start_line}"
    return f"in {site.function} ({place})" if site.function else f"in {place}"


def _slug(name: str) -> str:
    """A seed's name as part of an id, which others may use as a file name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:60] or "seed"


def _printable(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
