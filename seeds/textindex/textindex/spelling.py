"""Words that were perhaps meant: edit distance and suggestions."""

from collections.abc import Iterable, Mapping


def distance(left: str, right: str, limit: int | None = None) -> int | None:
    """How many letters to insert, delete, replace or swap with the next one.

    None when it is more than the limit, which is found out early.
    """
    if limit is not None and abs(len(left) - len(right)) > limit:
        return None
    before: list[int] | None = None
    above = list(range(len(right) + 1))
    for i in range(1, len(left) + 1):
        row = [i]
        for j in range(1, len(right) + 1):
            same = left[i - 1] == right[j - 1]
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (0 if same else 1))
            if before is not None and j > 1 and left[i - 1] == right[j - 2]:
                if left[i - 2] == right[j - 1]:
                    cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if limit is not None and min(row) > limit:
            return None
        before, above = above, row
    result = above[-1]
    return result if limit is None or result <= limit else None


def common_prefix(left: str, right: str) -> int:
    """How many letters the words share at their start."""
    size = 0
    while size < len(left) and size < len(right) and left[size] == right[size]:
        size += 1
    return size


class Speller:
    """Knows words and how often they occur; suggests the nearest and most frequent."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts: dict[str, int] = {}
        self._by_length: dict[int, list[str]] = {}
        if counts is not None:
            for word, count in counts.items():
                self.add(word, count)

    def add(self, word: str, count: int = 1) -> None:
        """Count a word that occurs."""
        if not word or count < 1:
            return
        if word not in self._counts:
            self._by_length.setdefault(len(word), []).append(word)
        self._counts[word] = self._counts.get(word, 0) + count

    def count(self, word: str) -> int:
        """How often the word occurs."""
        return self._counts.get(word, 0)

    def candidates(self, word: str, reach: int) -> Iterable[str]:
        """The words that are at most `reach` letters longer or shorter."""
        for length in range(max(1, len(word) - reach), len(word) + reach + 1):
            yield from self._by_length.get(length, ())

    def suggest(self, word: str, limit: int = 3, reach: int | None = None) -> list[str]:
        """The nearest known words; a short word may differ in fewer letters."""
        if reach is None:
            reach = 1 if len(word) < 5 else 2
        ranked: list[tuple[int, int, int, str]] = []
        for candidate in self.candidates(word, reach):
            if candidate == word:
                continue
            steps = distance(word, candidate, reach)
            if steps is None:
                continue
            shared = common_prefix(word, candidate)
            ranked.append((steps, -shared, -self._counts[candidate], candidate))
        ranked.sort()
        return [entry[-1] for entry in ranked[:limit]]

    def correct(self, word: str) -> str | None:
        """The word itself when it is known, else the best suggestion, else None."""
        if word in self._counts:
            return word
        suggestions = self.suggest(word, limit=1)
        if not suggestions:
            return None
        return suggestions[0]
