"""A part of the index: some documents, their postings, and the file that they are kept in."""

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TextIO

from textindex.postings import Posting, PostingList
from textindex.tokens import Analyzer

FORMAT = 1


class SegmentError(ValueError):
    """A file that is not a segment, or a document that does not fit in."""


class Document:
    """What was indexed, and how many words it has."""

    def __init__(
        self, doc_id: int, text: str, title: str | None = None, length: int | None = None
    ) -> None:
        self.doc_id = doc_id
        self.text = text
        self.title = title
        self.length = 0 if length is None else length

    def heading(self, width: int = 40) -> str:
        """The title, or else the start of the text, cut to a width."""
        heading = self.title or self.text.strip().split("\n")[0]
        if len(heading) <= width:
            return heading
        return heading[: width - 3].rstrip() + "..."


class Segment:
    """Documents with ascending ids; what is added can be found at once."""

    def __init__(self) -> None:
        self._documents: dict[int, Document] = {}
        self._postings: dict[str, PostingList] = {}
        self._sorted_terms: list[str] | None = None

    def add(self, document: Document, analyzer: Analyzer | None = None) -> None:
        """Index the text of a document, and its title in front of it."""
        analyzer = analyzer or Analyzer()
        text = document.text
        if document.title is not None:
            text = f"{document.title}\n{text}"
        positions: dict[str, list[int]] = {}
        for token in analyzer.tokens(text):
            positions.setdefault(token.term, []).append(token.position)
        document.length = sum(len(places) for places in positions.values())
        self.add_postings(document, positions)

    def add_postings(self, document: Document, positions: dict[str, list[int]]) -> None:
        """Add a document whose terms and positions are known already."""
        last = self.last_id
        if last is not None and document.doc_id <= last:
            raise SegmentError(f"document {document.doc_id} is not after {last}")
        self._documents[document.doc_id] = document
        for term in sorted(positions):
            known = self._postings.get(term)
            if known is None:
                known = self._postings[term] = PostingList()
                self._sorted_terms = None
            known.append(Posting(document.doc_id, positions[term]))

    @property
    def last_id(self) -> int | None:
        """The highest document id; None when there is no document."""
        return max(self._documents) if self._documents else None

    @property
    def total_length(self) -> int:
        """How many indexed words all documents have."""
        return sum(document.length for document in self)

    def document(self, doc_id: int) -> Document | None:
        """The document, or None."""
        return self._documents.get(doc_id)

    def postings(self, term: str) -> PostingList:
        """The postings of a term, empty for an unknown one."""
        return self._postings.get(term, PostingList())

    def positions(self, term: str, doc_id: int) -> tuple[int, ...]:
        """Where the term stands in a document."""
        posting = self.postings(term).find(doc_id)
        if posting is None:
            return ()
        return posting.positions

    def terms(self, prefix: str = "", limit: int | None = None) -> list[str]:
        """The terms that start with a prefix, in order, at most `limit`."""
        if self._sorted_terms is None:
            self._sorted_terms = sorted(self._postings)
        found: list[str] = []
        index = bisect_left(self._sorted_terms, prefix)
        while index < len(self._sorted_terms):
            term = self._sorted_terms[index]
            if not term.startswith(prefix):
                break
            if limit is not None and len(found) >= limit:
                break
            found.append(term)
            index += 1
        return found

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents.values())

    def __len__(self) -> int:
        return len(self._documents)

    def records(self) -> Iterator[tuple[Document, dict[str, list[int]]]]:
        """Each document with its terms and positions."""
        for document in self:
            positions: dict[str, list[int]] = {}
            for term in self.terms():
                places = self.positions(term, document.doc_id)
                if places:
                    positions[term] = list(places)
            yield document, positions

    def dump(self, stream: TextIO) -> None:
        """Write a header, and a line of JSON per document."""
        stream.write(json.dumps({"format": FORMAT, "documents": len(self)}) + "\n")
        for document, positions in self.records():
            record: dict[str, Any] = {"id": document.doc_id, "text": document.text}
            if document.title is not None:
                record["title"] = document.title
            record["length"] = document.length
            record["terms"] = positions
            stream.write(json.dumps(record, sort_keys=True) + "\n")


def load_segment(lines: Iterable[str]) -> Segment:
    """Read what `dump` wrote; raises SegmentError for anything else."""
    segment = Segment()
    expected: int | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            raise SegmentError(f"line {number}: not JSON") from None
        if isinstance(record, type(None)):
            continue
        if expected is None:
            expected = _check_header(record)
            continue
        try:
            document = Document(
                record["id"], record["text"], record.get("title"), record.get("length")
            )
            segment.add_postings(document, record["terms"])
        except (KeyError, TypeError):
            raise SegmentError(f"line {number}: not a document") from None
    if expected is None:
        raise SegmentError("the file is empty")
    if len(segment) < expected:
        raise SegmentError(f"{expected - len(segment)} of {expected} documents are missing")
    return segment


def _check_header(record: Any) -> int:
    """How many documents the header promises."""
    version = record.get("format") if isinstance(record, dict) else None
    if version is None:
        raise SegmentError("the header is missing")
    if version > FORMAT:
        raise SegmentError(f"format {version} is newer than {FORMAT}")
    return int(record.get("documents", 0))


def merge(segments: Iterable[Segment], deleted: Collection[int] | None = None) -> Segment:
    """One segment with the documents of all, in order of id, less the deleted ones."""
    records = [record for segment in segments for record in segment.records()]
    records.sort(key=lambda record: record[0].doc_id)
    result = Segment()
    for document, positions in records:
        if deleted is not None and document.doc_id in deleted:
            continue
        result.add_postings(document, positions)
    return result
