"""A few figures about a day's sales."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kiosk.basket import Basket


def mean(sales: Sequence[int]) -> float:
    """The mean of *sales*; a day without any has 0."""
    if not sales:
        return 0.0
    return sum(sales) / len(sales)


def median(sales: Sequence[int]) -> float:
    """The sale in the middle; of an even number, halfway between the two there."""
    if not sales:
        return 0.0
    ordered = sorted(sales)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 0:
        return (ordered[middle - 1] + ordered[middle]) / 2
    return float(ordered[middle])


def best_sellers(baskets: Iterable[Basket], top: int = 3) -> list[str]:
    """The *top* things by number sold; of equal ones, the first in the alphabet."""
    sold = Counter[str]()
    for basket in baskets:
        for line in basket.lines:
            sold[line.thing] += line.count
    ranked = sorted(sold, key=lambda thing: (-sold[thing], thing))
    return ranked[:top]
