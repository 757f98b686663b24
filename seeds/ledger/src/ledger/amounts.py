"""Quantities of a commodity, and sums over several commodities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
PLACES = {"JPY": 0, "BTC": 8}
DEFAULT_PLACES = 2


class AmountError(ValueError):
    """The text is not an amount, or two amounts do not go together."""


@dataclass(frozen=True, order=False)
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
    body = text.strip()
    if not body:
        raise AmountError("the amount is empty")
    negative = body[0] == "-"
    if negative:
        body = body[1:].lstrip()
    commodity = SYMBOLS.get(body[:1])
    if commodity is not None:
        body = body[1:].lstrip()
    else:
        body, commodity = _split_commodity(body)
    if commodity is None:
        commodity = default_commodity
    if commodity is None:
        raise AmountError(f"no commodity in {text.strip()!r}")
    quantity = _parse_quantity(body)
    if quantity is None:
        raise AmountError(f"not an amount: {text.strip()!r}")
    return Amount(-quantity if negative else quantity, commodity)


def format_amount(amount: Amount, places: int | None = None) -> str:
    """Write an amount with grouped thousands: `-1,234.50 EUR`."""
    quantity = amount.rounded(places).quantity
    sign = "-" if quantity < 0 else ""
    whole, _, fraction = f"{abs(quantity):f}".partition(".")
    number = group_thousands(whole)
    if fraction:
        number = f"{number}.{fraction}"
    return f"{sign}{number} {amount.commodity}"


def group_thousands(digits: str, separator: str = ",") -> str:
    """Put a separator before every third digit from the right."""
    groups: list[str] = []
    end = len(digits)
    while end > 3:
        groups.append(digits[end - 3 : end])
        end -= 3
    groups.append(digits[:end])
    return separator.join(reversed(groups))


def _split_commodity(text: str) -> tuple[str, str | None]:
    """Split `12.50 EUR` (or `12.50EUR`) into its number and its commodity, if it has one."""
    cut = len(text)
    while cut > 0 and text[cut - 1].isalpha():
        cut -= 1
    return text[:cut].rstrip(), text[cut:] or None


def _parse_quantity(text: str) -> Decimal | None:
    """The number, or None when it is not one; commas must group the thousands."""
    whole, point, fraction = text.partition(".")
    groups = whole.split(",")
    if len(groups) > 1 and not 1 <= len(groups[0]) <= 3:
        return None
    if any(len(group) != 3 for group in groups[1:]):
        return None
    digits = "".join(groups)
    if not (digits + fraction).isdigit():
        return None
    try:
        return Decimal(f"{digits}{point}{fraction}")
    except InvalidOperation:
        return None


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
        amounts = list(self)
        return amounts[0] if len(amounts) == 1 else None

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
