"""What a customer takes, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """*count* of one thing at *price* cents each."""

    thing: str
    price: int
    count: int

    @property
    def cost(self) -> int:
        return self.price * self.count


class Basket:
    """Lines in the order in which their things were first taken."""

    def __init__(self) -> None:
        self._lines: dict[str, Line] = {}

    @property
    def lines(self) -> list[Line]:
        return list(self._lines.values())

    def add(self, thing: str, price: int, count: int = 1) -> None:
        """Take *count* of *thing*; more of the same joins its line, at the price of that line."""
        if count < 1:
            raise ValueError(f"cannot take {count} of {thing}")
        held = self._lines.get(thing)
        if held is not None:
            price, count = held.price, held.count + count
        self._lines[thing] = Line(thing, price, count)

    def remove(self, thing: str, count: int = 1) -> None:
        """Put *count* of *thing* back; a ValueError where the basket does not hold so many."""
        held = self._lines.get(thing)
        if held is None or held.count < count:
            raise ValueError(f"there are not {count} of {thing} in the basket")
        if held.count == count:
            del self._lines[thing]
        else:
            self._lines[thing] = Line(thing, held.price, held.count - count)

    def total(self) -> int:
        return sum(line.cost for line in self._lines.values())
