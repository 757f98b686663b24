"""From text to words: scanning, stop words and stems."""

from collections.abc import Collection, Iterator

STOP_WORDS = frozenset("a an and are as at be by for in is it of on or the to was with".split())
SUFFIXES = (("ies", "y"), ("ing", ""), ("ed", ""), ("s", ""))
SHORTEST_ROOT = 3


class Token:
    """A word: its term, its place among the words, and where it stands in the text."""

    __slots__ = ("term", "position", "start", "end")

    def __init__(self, term: str, position: int, start: int, end: int) -> None:
        self.term = term
        self.position = position
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Token({self.term!r}, {self.position}, {self.start}, {self.end})"


def scan(text: str) -> Iterator[tuple[int, int]]:
    """The start and end of each word: letters and digits, and apostrophes inside."""
    length = len(text)
    position = 0
    while position < length:
        if not text[position].isalnum():
            position += 1
            continue
        end = position + 1
        while end < length:
            inside = text[end] == "'" and end + 1 < length and text[end + 1].isalnum()
            if not inside and not text[end].isalnum():
                break
            end += 1
        yield position, end
        position = end


def stem(word: str) -> str:
    """Take a common English ending off, if enough of the word remains."""
    if word.endswith("'s"):
        word = word[: len(word) - 2]
    if word.endswith("ss"):
        return word
    for suffix, replacement in SUFFIXES:
        if not word.endswith(suffix):
            continue
        root = word[: len(word) - len(suffix)]
        if len(root) < SHORTEST_ROOT:
            return word
        if not replacement and len(suffix) > 1 and root[-1] == root[-2] and root[-1] not in "ls":
            root = root[:-1]
        return root + replacement
    return word


class Analyzer:
    """Turns text into tokens; documents and queries must use the same one."""

    def __init__(
        self,
        stop_words: Collection[str] | None = None,
        min_length: int = 1,
        max_length: int | None = None,
        stemming: bool = True,
    ) -> None:
        if stop_words is None:
            stop_words = STOP_WORDS
        if max_length is not None and max_length < min_length:
            raise ValueError("the longest word is shorter than the shortest one")
        self.stop_words = stop_words
        self.min_length = min_length
        self.max_length = max_length
        self.stemming = stemming

    def term(self, word: str) -> str | None:
        """The term that stands for a word; None for a word that is not indexed."""
        word = word.lower()
        if word in self.stop_words:
            return None
        if len(word) < self.min_length:
            return None
        if self.max_length is not None and len(word) > self.max_length:
            return None
        return stem(word) if self.stemming else word

    def tokens(self, text: str) -> Iterator[Token]:
        """The indexed words; those left out still take up a position."""
        for position, (start, end) in enumerate(scan(text)):
            term = self.term(text[start:end])
            if term is None:
                continue
            yield Token(term, position, start, end)

    def terms(self, text: str) -> list[str]:
        """The terms alone."""
        return [token.term for token in self.tokens(text)]
