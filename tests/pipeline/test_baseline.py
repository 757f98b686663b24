"""The baseline table says what was measured: its rows are made by a run, and are what a run gives today."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from bebug.errors import CorpusError
from bebug.pipeline.baseline import COLUMNS, entered, row

ROOT = Path(__file__).parent.parent.parent
SL2 = ROOT / "generated" / "sl2"
PAGE = (ROOT / "docs" / "baseline.md").read_text("utf-8")
DAY = datetime.date(2031, 5, 17)


def cells(line: str) -> dict[str, str]:
    values = [cell.strip() for cell in line.strip("|").split(" | ")]
    return dict(zip(COLUMNS, values, strict=True))


def rows(page: str) -> list[dict[str, str]]:
    return [cells(line) for line in page.split("\n") if line.startswith("| 20")]


def test_the_row_of_mock_on_sl2_is_what_a_run_gives() -> None:
    told = [found for found in rows(PAGE) if found["critic"] == "mock" and found["corpus"] == "sl2 (6 cases)"]
    measured = cells(row(SL2, "mock", date=DAY))
    assert [{**found, "date": "", "notes": ""} for found in told] == [{**measured, "date": "", "notes": ""}]
    assert measured["false_pass_rate"] == "0.250 [0.046, 0.699] (1/4)"  # Wilson: 4.6 % to 69.9 %
    assert measured["false_fail_rate"] == "0.000 [0.000, 0.658] (0/2)"


def test_a_new_row_takes_the_place_of_the_same_measurement_only() -> None:
    before = rows(PAGE)
    page = entered(PAGE, row(SL2, "mock", date=DAY))
    assert len(rows(page)) == len(before)
    assert rows(page)[-1]["date"] == "2031-05-17"
    page = entered(page, row(SL2, "always-fail", date=DAY, notes="a | b"))
    assert len(rows(page)) == len(before) + 1
    assert [found["false_fail_rate"][:5] for found in rows(page) if found["critic"] == "always-fail"] == [
        "1.000"
    ]
    prose = [line for line in PAGE.split("\n") if not line.startswith("| 20")]
    assert [line for line in page.split("\n") if not line.startswith("| 20")] == prose


def test_a_page_without_the_table_is_an_error() -> None:
    with pytest.raises(CorpusError, match="holds no table"):
        entered("# Baseline\n", row(SL2, "mock", date=DAY))
