"""Sorted lists of documents and positions, and the walks along them."""

from collections.abc import Iterable, Iterator, Sequence


class Posting:
    """A document and the positions of a term in it, in order."""

    __slots__ = ("doc_id", "positions")

    def __init__(self, doc_id: int, positions: Iterable[int]) -> None:
        self.doc_id = doc_id
        self.positions = tuple(positions)

    @property
    def frequency(self) -> int:
        """How often the term occurs in the document."""
        return len(self.positions)

    def __repr__(self) -> str:
        return f"Posting({self.doc_id}, {self.positions})"


class PostingList:
    """The documents of one term, by ascending id."""

    def __init__(self, postings: Iterable[Posting] = ()) -> None:
        self._postings: list[Posting] = []
        for posting in postings:
            self.append(posting)

    def append(self, posting: Posting) -> None:
        """Add a posting behind the others; raises ValueError when its id is not higher."""
        last = self.last_id
        if last is not None and posting.doc_id <= last:
            raise ValueError(f"document {posting.doc_id} comes after {last}")
        self._postings.append(posting)

    @property
    def last_id(self) -> int | None:
        """The highest document id; None for an empty list."""
        if not self._postings:
            return None
        return self._postings[-1].doc_id

    def seek(self, doc_id: int, start: int = 0) -> int:
        """The index of the first posting with at least that id, looking from `start` on."""
        low, high = start, len(self._postings)
        while low < high:
            middle = (low + high) // 2
            if self._postings[middle].doc_id < doc_id:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, doc_id: int) -> Posting | None:
        """The posting of a document, or None."""
        index = self.seek(doc_id)
        if index >= len(self._postings) or self._postings[index].doc_id != doc_id:
            return None
        return self._postings[index]

    def ids(self) -> list[int]:
        """The document ids, ascending."""
        return [posting.doc_id for posting in self._postings]

    def __iter__(self) -> Iterator[Posting]:
        return iter(self._postings)

    def __len__(self) -> int:
        return len(self._postings)


def intersect(left: Sequence[int], right: Sequence[int]) -> Iterator[int]:
    """The ids in both ascending lists."""
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] == right[j]:
            yield left[i]
            i += 1
            j += 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1


def union(left: Sequence[int], right: Sequence[int]) -> Iterator[int]:
    """The ids in at least one of the ascending lists, each once."""
    i = j = 0
    while i < len(left) or j < len(right):
        if j >= len(right) or (i < len(left) and left[i] < right[j]):
            yield left[i]
            i += 1
        else:
            if i < len(left) and left[i] == right[j]:
                i += 1
            yield right[j]
            j += 1


def exclude(left: Sequence[int], right: Sequence[int]) -> Iterator[int]:
    """The ids in the left ascending list that are not in the right one."""
    j = 0
    for doc_id in left:
        while j < len(right) and right[j] < doc_id:
            j += 1
        if j == len(right) or right[j] != doc_id:
            yield doc_id


def phrase_starts(
    positions: Sequence[Sequence[int]], offsets: Sequence[int], slop: int = 0
) -> list[int]:
    """Where a phrase begins: word `n` of it stands `offsets[n]` after the first one.

    With a slop, the words keep their order, and up to that many others may come between.
    """
    if not positions:
        return []
    starts: list[int] = []
    for first in positions[0]:
        place = first
        for index in range(1, len(positions)):
            low = place + offsets[index] - offsets[index - 1]
            high = first + offsets[index] - offsets[0] + slop
            found = next_between(positions[index], low, high)
            if found is None:
                break
            place = found
        else:
            starts.append(first)
    return starts


def next_between(positions: Sequence[int], low: int, high: int) -> int | None:
    """The first position with low <= position <= high."""
    for position in positions:
        if position > high:
            return None
        if position >= low:
            return position
    return None


def nearest(left: Sequence[int], right: Sequence[int]) -> int | None:
    """The smallest distance between a position of one list and one of the other."""
    best: int | None = None
    i = j = 0
    while i < len(left) and j < len(right):
        gap = abs(left[i] - right[j])
        if best is None or gap < best:
            best = gap
        if left[i] < right[j]:
            i += 1
        else:
            j += 1
    return best
