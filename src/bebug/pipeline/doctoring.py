"""The doctor: what this machine has of what bebug needs, and whether it is enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from bebug.seeds.machine import Finding, findings


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
    """Look at everything; nothing raises."""
    return Diagnosis(findings=findings())
