"""What sources compile to, asked of the interpreter that runs the seed."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bebug.verification import environment

SECONDS = 60.0
SECONDS_EACH = 2.0


@dataclass(frozen=True, slots=True)
class Compiler:
    """Digests of compiled code, by *python*; see `guest/bebug_compile.py` for what they cover."""

    python: Path

    def digests(self, path: str, sources: Sequence[bytes]) -> list[str | None]:
        """One for each of *sources*, None where it does not compile or kills the compiler."""
        if not sources:
            return []
        found = self._ask(path, sources)
        if found is not None:
            return found
        if len(sources) == 1:
            return [None]
        half = len(sources) // 2
        return self.digests(path, sources[:half]) + self.digests(path, sources[half:])

    def _ask(self, path: str, sources: Sequence[bytes]) -> list[str | None] | None:
        script = environment.GUEST / "bebug_compile.py"
        request = {"path": path, "sources": [base64.b64encode(source).decode() for source in sources]}
        try:
            done = subprocess.run(
                [self.python, "-I", "-B", script],
                input=json.dumps(request).encode(),
                capture_output=True,
                timeout=SECONDS + SECONDS_EACH * len(sources),
                env=environment.cleaned(os.environ),
            )
            return list(json.loads(done.stdout)) if done.returncode == 0 else None
        except (subprocess.TimeoutExpired, ValueError):
            return None
