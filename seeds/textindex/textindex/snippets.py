"""The part of a text that shows why it was found."""

from collections.abc import Collection, Sequence

from textindex.tokens import Analyzer, Token, scan

ELLIPSIS = "…"
Span = tuple[int, int]


def best_window(positions: Sequence[int], width: int) -> Span | None:
    """The first and last of the most positions that fit in a window of `width` words.

    The earliest such window wins; None when there is no position.
    """
    best: Span | None = None
    most = 0
    low = 0
    for high in range(len(positions)):
        while positions[high] - positions[low] >= width:
            low += 1
        count = high - low + 1
        if count > most:
            best = positions[low], positions[high]
            most = count
    return best


def centred(window: Span, width: int, length: int) -> Span:
    """Widen a window evenly to `width` words, within a text of `length` words; end exclusive."""
    first, last = window
    spare = max(0, width - (last - first + 1))
    start = max(0, first - spare // 2)
    end = min(length, start + width)
    if end - start < width:
        start = max(0, end - width)
    return start, end


def join_spans(spans: Sequence[Span], gap: int = 0) -> list[Span]:
    """Ordered spans, where those at most `gap` apart become one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start - joined[-1][1] <= gap:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def highlight(text: str, spans: Sequence[Span], marks: tuple[str, str] | None = None) -> str:
    """The text with a mark before and after each span."""
    before, after = ("**", "**") if marks is None else marks
    parts: list[str] = []
    done = 0
    for start, end in join_spans(spans):
        parts.append(text[done:start])
        parts.append(f"{before}{text[start:end]}{after}")
        done = end
    parts.append(text[done:])
    return "".join(parts)


class Snippeter:
    """Cuts snippets of a number of words and marks what was asked for."""

    def __init__(
        self,
        analyzer: Analyzer | None = None,
        width: int = 12,
        marks: tuple[str, str] | None = None,
    ) -> None:
        if width < 1:
            raise ValueError("a snippet has one word or more")
        self.analyzer = analyzer or Analyzer()
        self.width = width
        self.marks = marks

    def snippet(self, text: str, terms: Collection[str] | None = None) -> str:
        """The best window of the text; its start when there are no terms or none occurs."""
        words = list(scan(text))
        if not words:
            return ""
        hits: list[Token] = []
        if terms is not None:
            hits = [token for token in self.analyzer.tokens(text) if token.term in terms]
        window = best_window([token.position for token in hits], self.width)
        if window is None:
            window = 0, 0
        first, end = centred(window, self.width, len(words))
        start, stop = words[first][0], words[end - 1][1]
        spans = [
            (token.start - start, token.end - start)
            for token in hits
            if first <= token.position < end
        ]
        cut = highlight(text[start:stop], spans, self.marks)
        cut = " ".join(cut.split())
        if first > 0:
            cut = ELLIPSIS + cut
        if end < len(words):
            cut += ELLIPSIS
        return cut
