"""The baseline table: `python -m bebug.pipeline.baseline CORPUS CRITIC [NOTES]` measures a row and enters it.

No number in `docs/baseline.md` is typed: a row is measured now, and takes the place of an older one of the
same critic on the same revision of the same corpus.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

from bebug.corpus import load
from bebug.errors import BebugError, CorpusError
from bebug.pipeline.observer import Silent
from bebug.pipeline.rating import rate
from bebug.records import Score

PAGE = Path("docs", "baseline.md")
COLUMNS = (
    *("date", "critic", "prompt digest", "corpus", "corpus rev"),
    *("false_pass_rate", "false_fail_rate", "runs", "notes"),
)
KEY = (1, 2, 3, 4)  # the columns by which two rows are the same measurement
NONE = "none"


def row(corpus: Path, backend: str, *, date: datetime.date, notes: str = "") -> str:
    """The row of one run of the critic *backend*, which has no prompt, on the corpus in *corpus*."""
    card = rate(corpus, backend, observer=Silent())
    cells = (
        date.isoformat(),
        backend,
        NONE,
        f"{card.corpus} ({len(card.judgements)} cases)",
        str(load(corpus).manifest.get("corpus_rev", NONE)),
        shown(card.false_pass),
        shown(card.false_fail),
        "1",
        notes or f"invalid: {card.invalid}",
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def shown(rate: Score) -> str:
    """A rate with its hits, its n and its interval."""
    if rate.value is None or rate.low is None or rate.high is None:
        return "not measured"
    return f"{rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}] ({rate.hits}/{rate.n})"


def entered(page: str, new: str) -> str:
    """*page* with the row *new* in its table, in the order of dates; rows of one measurement are one row."""
    rows = [line for line in page.split("\n") if re.match(r"\| \d{4}-\d\d-\d\d \|", line)]
    marker = next((line for line in page.split("\n") if re.fullmatch(r"\|( --- \|)+", line)), None)
    if marker is None or marker.count("---") != len(COLUMNS):
        raise CorpusError(f"{PAGE} holds no table of {len(COLUMNS)} columns to enter a row in")
    kept = [line for line in rows if key_of(line) != key_of(new)]
    rest = "\n".join(line for line in page.split("\n") if line not in rows)
    return rest.replace(marker, "\n".join([marker, *sorted([*kept, new])]), 1)


def key_of(line: str) -> list[str]:
    cells = [cell.strip() for cell in line.split(" | ")]
    return [cells[at] for at in KEY]


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit("usage: python -m bebug.pipeline.baseline CORPUS CRITIC [NOTES]")
    try:
        found = row(Path(sys.argv[1]), sys.argv[2], date=datetime.date.today(), notes=" ".join(sys.argv[3:]))
        PAGE.write_text(entered(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    except BebugError as failure:
        sys.exit(f"error: {failure.message}")
