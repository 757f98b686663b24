"""Runs the README's commands and draws what they print, as `result.svg` beside this file.

Nothing in the picture is written by hand: each line is the output of the command above it, shortened where it
says so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

SCRIPTS = {
    "mutate": "from bebug.cli.mutate import main; main()",
    "bebug": "from bebug.cli import main; main()",
}
SHOWN = 8  # lines of a score report


def output_of(line: str, folder: Path) -> str:
    script, *words = line.split()
    argv = [sys.executable, "-c", SCRIPTS[script], *words]
    return subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout


def a_case(folder: Path) -> dict[str, object]:
    """A bad case that few tests notice."""
    rows = [json.loads(line) for line in (folder / "cases.jsonl").read_text("ascii").splitlines()]
    bad = [row for row in rows if row["label"] == "bad"]
    return min(bad, key=lambda row: (len(row["evidence"]["fail_to_pass"]), row["id"]))


def main() -> None:
    console = Console(record=True, width=112, file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for line in (
            "mutate --class off-by-one --seed ledger",
            "bebug score generated/ledger-off-by-one --backend mock",
        ):
            console.print(Text(f"$ {line}", style="bold green"))
            printed = output_of(line, folder).rstrip().split("\n")
            console.print("\n".join(printed[:SHOWN]), highlight=False, markup=False)
            if len(printed) > SHOWN:
                console.print(Text(f"({len(printed) - SHOWN} more lines)", style="dim"))
            console.print()
        case = a_case(folder / "generated" / "ledger-off-by-one")
        console.print(Text(f"$ bebug show {case['id']}", style="bold green"))
        console.print(str(case["description"]), highlight=False, markup=False)
        console.print(Syntax(str(case["diff"]).rstrip(), "diff", background_color="default"))
        evidence = case["evidence"]
        assert isinstance(evidence, dict)
        for test in evidence["fail_to_pass"]:
            console.print(f"fails with it, passes without: {test}", highlight=False, markup=False)
    Path(__file__).with_name("result.svg").write_text(console.export_svg(title="bebug"), encoding="utf-8")


if __name__ == "__main__":
    main()
