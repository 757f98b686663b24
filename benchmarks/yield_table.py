"""How many candidates became cases, by seed, class and rule, and why the rest did not: Markdown from corpora.

    python benchmarks/yield_table.py generated/*-all > table.md

Counts what stands in each corpus's `cases.jsonl` and `rejected.jsonl`, nothing else. Twins (`good-bugfix`,
`good-test`) are no candidates of their own: each comes with its bad case.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def lines(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    ruler = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (head, ruler, *rows))


def tally(kept: Counter[str], tried: Counter[str]) -> list[list[object]]:
    return [
        [name, tried[name], kept[name], f"{100 * kept[name] / tried[name]:.0f} %"] for name in sorted(tried)
    ]


def main(folders: Sequence[str]) -> None:
    kept_rule, tried_rule = Counter[str](), Counter[str]()
    per_seed: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    twins, bad = 0, 0
    for folder in map(Path, folders):
        for row in lines(folder / "cases.jsonl"):
            bad += row["label"] == "bad"
            if row["twin"] and row["label"] == "good":
                twins += 1
                continue
            name = row["operator"].partition("/")[0]
            kept_rule[row["operator"]] += 1
            tried_rule[row["operator"]] += 1
            per_seed[row["seed"]["name"], name].update(["tried", "case"])
        for row in lines(folder / "rejected.jsonl"):
            tried_rule[row["operator"]] += 1
            per_seed[row["seed"], row["operator"].partition("/")[0]].update(["tried", row["reason"]])
    reasons = sorted({word for counts in per_seed.values() for word in counts} - {"tried", "case"})
    print(f"{bad} bad cases, {twins} twins, {sum(kept_rule.values()) - bad} preserving controls.\n")
    print(table(["rule", "candidates", "cases", "yield"], tally(kept_rule, tried_rule)), end="\n\n")
    rows = [
        [seed, name, counts["tried"], counts["case"], *(counts[reason] or "" for reason in reasons)]
        for (seed, name), counts in sorted(per_seed.items())
    ]
    print(table(["seed", "class", "candidates", "cases", *reasons], rows))


if __name__ == "__main__":
    main(sys.argv[1:])
