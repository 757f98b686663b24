"""What all commands print by: progress on terminals of any width, and text that no terminal obeys."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from bebug.cli.common import Watch, bars, plain


@pytest.mark.parametrize("width", [80, 200])
def test_a_bar_has_room_for_what_came_of_the_steps(width: int) -> None:
    screen = io.StringIO()
    with bars(Console(file=screen, width=width, force_terminal=True)) as progress:
        watch = Watch(progress)
        watch.stage("ledger: kill matrix (which tests notice which fault)", 2)
        watch.step("noticed")
        watch.step("to be asked in runs of their own")
        watch.stage("ledger: assertion-free-test", None)
        watch.step("no loss shown")
        watch.step("proved")
        watch.close()
    said = screen.getvalue()
    assert "ledger: kill matrix (which tests notice which fault)" in said
    assert "1 no loss shown, 1 proved" in said
    assert "2/2" in said and "their own" in said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[1;31mb\x1b[0m", "ab"),
        ("\x9b31mred", "red"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;http://h\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bPq#0\x1b\\x", "x"),
        ("\x1b]never ended\nassert x", "never ended\nassert x"),  # nothing after it is swallowed
        ("\x1b(Bb\x1bc", "b"),
        ("over\rwritten\x08\x7f\x00", "overwritten"),
        ("if a:\u202e b\u2066", "if a: b"),
        ("tab\tline\nümlaut → 漢字", "tab\tline\nümlaut → 漢字"),
    ],
)
def test_a_terminal_is_told_nothing_but_text(text: str, shown: str) -> None:
    assert plain(text) == shown
