"""Answering queries: which documents, in what order, on which page."""

from collections.abc import Iterator

from textindex.index import Index
from textindex.postings import exclude, intersect, nearest, phrase_starts, union
from textindex.query import And, Near, Node, Not, Or, Phrase, Prefix, Word, parse_query
from textindex.ranking import BM25, best
from textindex.snippets import Snippeter
from textindex.spelling import Speller
from textindex.tokens import scan

KEYWORDS = ("OR", "NEAR")


class Hit:
    """A document that was found."""

    def __init__(self, doc_id: int, score: float, heading: str, snippet: str) -> None:
        self.doc_id = doc_id
        self.score = score
        self.heading = heading
        self.snippet = snippet


class Results:
    """A page of hits out of `total`; `page` counts from 1."""

    def __init__(
        self, hits: list[Hit], total: int, page: int, size: int, suggestion: str | None = None
    ) -> None:
        self.hits = hits
        self.total = total
        self.page = page
        self.size = size
        self.suggestion = suggestion

    @property
    def pages(self) -> int:
        """How many pages there are; an empty result has one."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int | None:
        """The rank of the first hit on the page; None when the page is empty."""
        if not self.hits:
            return None
        return (self.page - 1) * self.size + 1

    @property
    def last(self) -> int | None:
        """The rank of the last hit on the page; None when the page is empty."""
        return None if self.first is None else self.first + len(self.hits) - 1

    @property
    def has_next(self) -> bool:
        """True when there is a page after this one."""
        return self.page < self.pages

    def neighbours(self, reach: int = 2) -> list[int]:
        """The pages to link to: this one and up to `reach` on each side."""
        low = max(1, self.page - reach)
        high = min(self.pages, self.page + reach)
        return list(range(low, high + 1))


class Searcher:
    """Searches an index."""

    def __init__(
        self, index: Index, scorer: BM25 | None = None, snippeter: Snippeter | None = None
    ) -> None:
        self.index = index
        self.scorer = BM25() if scorer is None else scorer
        self.snippeter = snippeter or Snippeter(index.analyzer)
        self._speller: Speller | None = None

    def search(
        self, query: str, page: int = 1, size: int = 10, min_score: float | None = None
    ) -> Results:
        """One page of the documents that fit the query, the best first."""
        if page < 1 or size < 1:
            raise ValueError("pages and their sizes count from 1")
        node = parse_query(query)
        if node is None:
            return Results([], 0, page, size)
        terms = list(dict.fromkeys(self.terms(node)))
        scores = self.score(self.matches(node), terms)
        if min_score is not None:
            scores = {doc_id: score for doc_id, score in scores.items() if score >= min_score}
        hits = [
            self.hit(doc_id, score, terms)
            for doc_id, score in best(scores, size, (page - 1) * size)
        ]
        suggestion = self.suggestion(query) if not scores else None
        return Results(hits, len(scores), page, size, suggestion)

    def hit(self, doc_id: int, score: float, terms: list[str]) -> Hit:
        """The document as it is shown."""
        document = self.index.document(doc_id)
        if document is None:
            raise KeyError(doc_id)
        snippet = self.snippeter.snippet(document.text, terms)
        return Hit(doc_id, score, document.heading(), snippet)

    def matches(self, node: Node) -> list[int]:
        """The ids of the documents that fit, ascending."""
        if isinstance(node, Word):
            return self.holding(node.word)
        if isinstance(node, Prefix):
            found: list[int] = []
            for term in self.index.terms(node.prefix.lower()):
                found = list(union(found, self.index.ids(term)))
            return found
        if isinstance(node, Phrase):
            return list(self.phrase(node))
        if isinstance(node, Near):
            return list(self.near(node))
        if isinstance(node, Not):
            return list(exclude(self.index.ids(), self.matches(node.node)))
        if isinstance(node, Or):
            found = []
            for child in node.nodes:
                found = list(union(found, self.matches(child)))
            return found
        assert isinstance(node, And)
        found = self.matches(node.nodes[0])
        for child in node.nodes[1:]:
            found = list(intersect(found, self.matches(child)))
        return found

    def holding(self, word: str) -> list[int]:
        """The documents with a word; a stop word is in all, `well-known` is a phrase."""
        terms = self.index.analyzer.terms(word)
        if len(terms) > 1:
            return list(self.phrase(Phrase(word)))
        return self.index.ids(terms[0] if terms else None)

    def phrase(self, node: Phrase) -> Iterator[int]:
        """The documents with a phrase; one of nothing but stop words is in none."""
        tokens = list(self.index.analyzer.tokens(node.text))
        if not tokens:
            return
        offsets = [token.position for token in tokens]
        found = self.index.ids(tokens[0].term)
        for token in tokens[1:]:
            found = list(intersect(found, self.index.ids(token.term)))
        for doc_id in found:
            positions = [self.index.positions(token.term, doc_id) for token in tokens]
            if phrase_starts(positions, offsets, node.slop):
                yield doc_id

    def near(self, node: Near) -> Iterator[int]:
        """The documents with both words close together."""
        left, right = self.index.analyzer.term(node.left), self.index.analyzer.term(node.right)
        if left is None or right is None:
            return
        for doc_id in intersect(self.index.ids(left), self.index.ids(right)):
            gap = nearest(self.index.positions(left, doc_id), self.index.positions(right, doc_id))
            if gap is not None and gap <= node.distance:
                yield doc_id

    def terms(self, node: Node) -> Iterator[str]:
        """The terms that count for the score: all but the negated ones."""
        if isinstance(node, Prefix):
            yield from self.index.terms(node.prefix.lower())
        elif isinstance(node, (And, Or)):
            for child in node.nodes:
                yield from self.terms(child)
        elif isinstance(node, (Word, Phrase)):
            text = node.word if isinstance(node, Word) else node.text
            yield from self.index.analyzer.terms(text)
        elif isinstance(node, Near):
            yield from self.index.analyzer.terms(f"{node.left} {node.right}")

    def score(self, doc_ids: list[int], terms: list[str]) -> dict[int, float]:
        """The score of each document, summed over the terms."""
        scores = dict.fromkeys(doc_ids, 0.0)
        average = self.index.average_length
        for term in terms:
            rarity = self.scorer.rarity(len(self.index.ids(term)), len(self.index))
            for doc_id in doc_ids:
                document = self.index.document(doc_id)
                if document is None:
                    continue
                frequency = len(self.index.positions(term, doc_id))
                weight = self.scorer.weight(frequency, document.length, average)
                scores[doc_id] += rarity * weight
        return scores

    @property
    def speller(self) -> Speller:
        """Knows the terms of the index; made when it is first asked for."""
        if self._speller is None:
            counts = {term: len(self.index.ids(term)) for term in self.index.terms()}
            self._speller = Speller(counts)
        return self._speller

    def suggestion(self, query: str) -> str | None:
        """The query with unknown words put right; None when nothing changes."""
        better = query
        for start, end in reversed(list(scan(query))):
            word = query[start:end]
            term = self.index.analyzer.term(word)
            if term is None or word in KEYWORDS or word.isdigit():
                continue
            correct = self.speller.correct(term)
            if correct is not None and correct != term:
                better = better[:start] + correct + better[end:]
        return better if better != query else None
