"""What lies between two quantities, either of which may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from measures.quantities import Quantity


@dataclass(frozen=True)
class Span:
    """From `low` to `high`; None is no bound. `open_high`: the upper bound itself is outside."""

    low: Quantity | None = None
    high: Quantity | None = None
    open_low: bool = False
    open_high: bool = False

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("a span begins before it ends")

    def __contains__(self, quantity: Quantity) -> bool:
        return self.side(quantity) == 0

    def side(self, quantity: Quantity) -> int:
        """-1 for what lies below the span, 1 for what lies above, 0 for what lies in it."""
        if self.low is not None:
            if quantity < self.low or (self.open_low and quantity == self.low):
                return -1
        if self.high is not None:
            if quantity > self.high or (self.open_high and quantity == self.high):
                return 1
        return 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing can lie in it."""
        if self.low is None or self.high is None:
            return False
        return self.low == self.high and (self.open_low or self.open_high)

    @property
    def width(self) -> Quantity | None:
        """The distance between the bounds, None when one of them is missing."""
        if self.low is None or self.high is None:
            return None
        return self.high - self.low

    def clamp(self, quantity: Quantity | None) -> Quantity | None:
        """The nearest quantity between the bounds."""
        if quantity is None:
            return None
        if self.low is not None and quantity < self.low:
            return self.low
        if self.high is not None and quantity > self.high:
            return self.high
        return quantity

    def meet(self, other: Span | None) -> Span | None:
        """What lies in both, None when nothing does; None is met by everything."""
        if other is None:
            return self
        low, open_low = _stricter((self.low, self.open_low), (other.low, other.open_low), 1)
        high, open_high = _stricter((self.high, self.open_high), (other.high, other.open_high), -1)
        if low is not None and high is not None and low > high:
            return None
        met = Span(low, high, open_low, open_high)
        return None if met.is_empty else met

    def split(self, count: int) -> list[Span]:
        """That many spans of the same width, which touch but do not overlap."""
        width = self.width
        if width is None or self.low is None:
            raise ValueError("a span without bounds cannot be split")
        if count < 1:
            raise ValueError(f"split into 1 or more, not {count}")
        low, step = self.low, width * Fraction(1, count)
        edges = [low + step * number for number in range(count + 1)]
        return [
            Span(
                edges[number],
                edges[number + 1],
                open_low=self.open_low and number == 0,
                open_high=self.open_high or number < count - 1,
            )
            for number in range(count)
        ]


Bound = tuple[Quantity | None, bool]


def _stricter(first: Bound, second: Bound, direction: int) -> Bound:
    """The one of two bounds that lets less in; `direction` is 1 for lower bounds, -1 for upper."""
    if first[0] is None:
        return second
    if second[0] is None:
        return first
    if first[0] == second[0]:
        return first[0], first[1] or second[1]
    return first if (first[0] > second[0]) == (direction > 0) else second


def histogram(quantities: Sequence[Quantity | None], spans: Sequence[Span]) -> list[int]:
    """How many of the quantities lie in each span; each is counted in the first that has it."""
    counts = [0] * (len(spans) + 1)
    for quantity in quantities:
        if quantity is None:
            continue
        index = next((i for i, span in enumerate(spans) if quantity in span), len(spans))
        counts[index] += 1
    return counts
