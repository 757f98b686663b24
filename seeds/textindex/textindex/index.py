"""The index: segments that fill up and are merged, deletions, and statistics over all."""

from collections.abc import Iterator
from pathlib import Path

from textindex.postings import union
from textindex.segment import Document, Segment, load_segment, merge
from textindex.tokens import Analyzer


class Index:
    """Documents spread over segments; a new segment begins when the last one is full.

    When there are `merge_factor` segments, the older half of them becomes one.
    """

    def __init__(
        self,
        analyzer: Analyzer | None = None,
        segment_size: int = 100,
        merge_factor: int = 8,
    ) -> None:
        if segment_size < 1:
            raise ValueError("a segment holds one document or more")
        if merge_factor < 2:
            raise ValueError("segments are merged two at a time or more")
        self.analyzer = Analyzer() if analyzer is None else analyzer
        self.segment_size = segment_size
        self.merge_factor = merge_factor
        self.segments: list[Segment] = []
        self.deleted: set[int] = set()
        self.next_id = 1

    def add(self, text: str, title: str | None = None, doc_id: int | None = None) -> int:
        """Index a text and return its id; without one it gets the next that is free."""
        if doc_id is None:
            doc_id = self.next_id
        elif doc_id < self.next_id:
            raise ValueError(f"document {doc_id} is not after {self.next_id - 1}")
        if not self.segments or len(self.segments[-1]) >= self.segment_size:
            self.segments.append(Segment())
        self.segments[-1].add(Document(doc_id, text, title), self.analyzer)
        self.next_id = doc_id + 1
        if len(self.segments) >= self.merge_factor:
            self.compact()
        return doc_id

    def delete(self, doc_id: int) -> bool:
        """Forget a document; False when there is none of that id."""
        if self.document(doc_id) is None:
            return False
        self.deleted.add(doc_id)
        return True

    def compact(self, keep: int | None = None) -> None:
        """Merge the oldest segments until `keep` are left; without it, half of them."""
        if keep is None:
            keep = (len(self.segments) + 1) // 2
        count = len(self.segments) - keep + 1
        if keep < 1 or count < 2:
            return
        merged = merge(self.segments[:count], self.deleted)
        gone = [doc_id for doc_id in self.deleted if self._segment_of(doc_id, count) is not None]
        self.deleted.difference_update(gone)
        self.segments = [merged, *self.segments[count:]]

    def _segment_of(self, doc_id: int, among: int | None = None) -> Segment | None:
        for segment in self.segments[:among]:
            if segment.document(doc_id) is not None:
                return segment
        return None

    def document(self, doc_id: int) -> Document | None:
        """The document; None when it is unknown or deleted."""
        if doc_id in self.deleted:
            return None
        segment = self._segment_of(doc_id)
        if segment is None:
            return None
        return segment.document(doc_id)

    def ids(self, term: str | None = None) -> list[int]:
        """The documents with a term, or all of them, ascending."""
        found: list[int] = []
        for segment in self.segments:
            if term is None:
                some = [document.doc_id for document in segment]
            else:
                some = segment.postings(term).ids()
            found = list(union(found, some))
        return [doc_id for doc_id in found if doc_id not in self.deleted]

    def positions(self, term: str, doc_id: int) -> tuple[int, ...]:
        """Where the term stands in a document."""
        segment = self._segment_of(doc_id)
        return () if segment is None else segment.positions(term, doc_id)

    def terms(self, prefix: str = "", limit: int | None = None) -> list[str]:
        """The terms of all segments that start with a prefix, in order, at most `limit`."""
        found: set[str] = set()
        for segment in self.segments:
            found.update(segment.terms(prefix, limit))
        return sorted(found)[:limit]

    @property
    def average_length(self) -> float | None:
        """The mean number of words; None when there is no document."""
        if len(self) == 0:
            return None
        return sum(document.length for document in self) / len(self)

    def __iter__(self) -> Iterator[Document]:
        for segment in self.segments:
            for document in segment:
                if document.doc_id not in self.deleted:
                    yield document

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def save(self, path: Path) -> None:
        """Write everything that is not deleted as one segment."""
        with path.open("w", encoding="utf-8") as stream:
            merge(self.segments, self.deleted).dump(stream)

    @classmethod
    def open(cls, path: Path, analyzer: Analyzer | None = None) -> "Index":
        """Read an index from its file; one that does not exist yet is empty."""
        index = cls(analyzer)
        if not path.exists():
            return index
        with path.open(encoding="utf-8") as stream:
            segment = load_segment(stream)
        index.segments.append(segment)
        last = segment.last_id
        if last is not None:
            index.next_id = last + 1
        return index
