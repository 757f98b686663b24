"""The doctor: what this machine has of what bebug needs, and whether it is enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from bebug.seeds.machine import Finding, findings
from bebug.verification import isolating


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """All findings, and the names of what is needed and missing."""

    findings: tuple[Finding, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.findings if each.state == "missing")

    def as_json(self) -> dict[str, Any]:
        """The diagnosis as `--json` prints it."""
        return {"findings": [asdict(each) for each in self.findings], "missing": list(self.missing)}


def diagnose() -> Diagnosis:
    """Look at everything, and try each sandbox; nothing raises."""
    chosen = isolating.choose()
    return Diagnosis(findings=tuple(tried(each, chosen) for each in findings()))


def tried(finding: Finding, chosen: str) -> Finding:
    """*finding*; where it is of a sandbox, what a real run in it showed. Tests run in the one *chosen*."""
    tier = isolating.tiers().get(finding.name)
    if tier is None:
        return finding
    if why := isolating.trial(finding.name):
        return replace(finding, state="lacking", said=f"does not work here: {why}", step=tier.step)
    used = (
        "tests run in it" if finding.name == chosen else "works, and is taken with --sandbox " + finding.name
    )
    if not tier.strength:
        reach = "; tests reach your files and your network" if finding.name == chosen else ""
        return replace(finding, said=f"{finding.said}{reach}")
    return replace(finding, state="ok", said=used, step="")
