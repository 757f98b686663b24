"""What can be told of a mutant before any test runs: does it compile, change the code, or repeat another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from bebug.records import Claim, Evidence, Mutant, Status
from bebug.verification import Laboratory


def unfit(laboratory: Laboratory, mutants: Iterable[Mutant]) -> dict[str, Evidence]:
    """Mutant key → why it is not worth a test run; keys of fit mutants are absent.

    Compared is what the seed's own interpreter compiles: instructions with their names and typed constants. A
    duplicate is one that compiles to the same code as an earlier mutant of the same class and file. A change
    that claims to preserve behaviour is all the better where it compiles to the same code as the original.
    """
    groups: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        groups[mutant.site.path, mutant.site.operator].append(mutant)
    found: dict[str, Evidence] = {}
    for (path, _), group in groups.items():
        source = laboratory.read(path)
        codes = laboratory.compile(path, [source, *(mutant.apply(source) for mutant in group)])
        found.update(_compared(codes[0], zip(group, codes[1:], strict=True)))
    return found


def _compared(base: str | None, pairs: Iterable[tuple[Mutant, str | None]]) -> dict[str, Evidence]:
    found: dict[str, Evidence] = {}
    seen: dict[str, Mutant] = {}
    for mutant, code in pairs:
        if base is None:
            found[mutant.key] = Evidence(
                status=Status.NOT_APPLICABLE, detail="the file does not compile on the seed's interpreter"
            )
        elif code is None:
            found[mutant.key] = Evidence(
                status=Status.UNVIABLE, detail="the mutant does not compile on the seed's interpreter"
            )
        elif code == base and mutant.claim is not Claim.PRESERVES:
            found[mutant.key] = Evidence(
                status=Status.EQUIVALENT, detail="compiles to the same code as the original"
            )
        elif code in seen and code != base:
            line = seen[code].site.start_line
            found[mutant.key] = Evidence(
                status=Status.DUPLICATE, detail=f"compiles to the same code as the mutant at line {line}"
            )
        else:
            seen[code] = mutant
    return found
