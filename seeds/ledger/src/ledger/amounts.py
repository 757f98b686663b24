"""Quantities of a commodity, and sums over several commodities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
PLACES = {"JPY": 0, "BTC": 8}
DEFAULT_PLACES = 2
_AMOUNT = re.compile(
    r"(?P<sign>-?)\s*(?P<symbol>[$€£]?)\s*(?P<number>[\d,.]+)\s*(?P<commodity>[^\W\d]*)"
)


class AmountError(ValueError):
    """The text is not an amount, or two amounts do not go together."""


@dataclass(frozen=True)
class Amount:
    """A quantity of one commodity."""

    quantity: Decimal
    commodity: str

    def __neg__(self) -> Amount:
        return Amount(-self.quantity, self.commodity)

    def __add__(self, other: Amount) -> Amount:
        if self.commodity != other.commodity:
            raise AmountError(f"cannot add {other.commodity} to {self.commodity}")
        return Amount(self.quantity + other.quantity, self.commodity)

    def __bool__(self) -> bool:
        return self.quantity != 0

    def __str__(self) -> str:
        return format_amount(self)

    def rounded(self, places: int | None = None) -> Amount:
        """Round half up to `places`, or to what is usual for the commodity."""
        if places is None:
            places = PLACES.get(self.commodity, DEFAULT_PLACES)
        step = Decimal(1).scaleb(-places)
        return Amount(self.quantity.quantize(step, ROUND_HALF_UP), self.commodity)


def parse_amount(text: str, default_commodity: str | None = None) -> Amount:
    """Read `$10.00`, `-£3`, `1,234.50 EUR` or, with a default commodity, `12.5`."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        raise AmountError(f"not an amount: {text.strip()!r}")
    commodity = SYMBOLS.get(match["symbol"]) or match["commodity"] or default_commodity
    if commodity is None:
        raise AmountError(f"no commodity in {text.strip()!r}")
    quantity = _parse_quantity(match["number"])
    if quantity is None:
        raise AmountError(f"not an amount: {text.strip()!r}")
    return Amount(-quantity if match["sign"] else quantity, commodity)


def _parse_quantity(text: str) -> Decimal | None:
    """The number, or None when it is not one; commas must group the thousands."""
    whole, _, fraction = text.partition(".")
    head, *groups = whole.split(",")
    if groups and not 1 <= len(head) <= 3:
        return None
    if any(len(group) != 3 for group in groups):
        return None
    digits = head + "".join(groups)
    if not (digits + fraction).isdigit():
        return None
    return Decimal(f"{digits or 0}.{fraction or 0}")


def format_amount(amount: Amount, places: int | None = None) -> str:
    """Write an amount with grouped thousands: `-1,234.50 EUR`."""
    quantity = amount.rounded(places).quantity
    sign = "-" if quantity < 0 else ""
    return f"{sign}{abs(quantity):,f} {amount.commodity}"


class Balance:
    """A sum of amounts, kept apart by commodity."""

    def __init__(self, amounts: Iterable[Amount] = ()) -> None:
        self._quantities: dict[str, Decimal] = {}
        for amount in amounts:
            self.add(amount)

    def add(self, amount: Amount | None) -> None:
        """Add an amount; a missing one counts as nothing."""
        if amount is None:
            return
        before = self._quantities.get(amount.commodity, Decimal(0))
        self._quantities[amount.commodity] = before + amount.quantity

    def update(self, other: Balance) -> None:
        """Add every amount of another balance."""
        for amount in other:
            self.add(amount)

    def get(self, commodity: str) -> Amount:
        """The amount in one commodity, which may be zero."""
        return Amount(self._quantities.get(commodity, Decimal(0)), commodity)

    def sole(self) -> Amount | None:
        """The one amount that is not zero; None if there are none or several."""
        match list(self):
            case [amount]:
                return amount
        return None

    def copy(self) -> Balance:
        """An independent balance with the same amounts."""
        return Balance(self)

    def __iter__(self) -> Iterator[Amount]:
        """The amounts that are not zero, by commodity."""
        for commodity in sorted(self._quantities):
            if self._quantities[commodity] != 0:
                yield Amount(self._quantities[commodity], commodity)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Balance):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return ", ".join(str(amount) for amount in self) or "0"

    def __repr__(self) -> str:
        return f"Balance({list(self)!r})"
