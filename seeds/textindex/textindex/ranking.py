"""How well a document fits, and the best ones of many."""

import heapq
import math
from collections.abc import Mapping


class BM25:
    """The Okapi BM25 weight: rare terms count more, long documents less.

    `k1` says how soon more of the same term adds nothing, `b` how much the length matters.
    """

    def __init__(self, k1: float = 1.2, b: float = 0.75) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise ValueError("k1 is at least 0, and b between 0 and 1")
        self.k1 = k1
        self.b = b

    def rarity(self, holding: int, documents: int) -> float:
        """The inverse document frequency, always above zero."""
        return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))

    def weight(self, frequency: int, length: int, average: float | None = None) -> float:
        """What the occurrences of a term count in a document of a length."""
        if frequency <= 0:
            return 0.0
        ratio = 1.0
        if average is not None and average > 0:
            ratio = length / average
        return frequency * (self.k1 + 1) / (frequency + self.k1 * (1 - self.b + self.b * ratio))


def best(scores: Mapping[int, float], limit: int, offset: int = 0) -> list[tuple[int, float]]:
    """Ids and scores, the highest first and of equal ones the lower id; a slice of them."""
    top = heapq.nsmallest(offset + limit, scores.items(), key=lambda item: (-item[1], item[0]))
    return top[offset:]
