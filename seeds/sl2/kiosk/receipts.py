"""The receipt, and the change in coins."""

from __future__ import annotations

from kiosk.basket import Basket

COINS = (200, 100, 50, 20, 10, 5, 2, 1)


def money(cents: int) -> str:
    """*cents* as the till prints them: `2.50`, and `-0.05` for what is given back."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def receipt(basket: Basket) -> str:
    """A numbered line for each thing, and the sum below them."""
    lines = basket.lines
    rows = []
    for i in range(len(lines)):
        line = lines[i]
        rows.append(f"{i + 1:2d}  {line.count} {line.thing:<12}{money(line.cost):>8}")
    rows.append(f"    {'total':<14}{money(basket.total()):>8}")
    return "\n".join(rows)


def change(paid: int, due: int) -> list[int]:
    """The coins to give back, the largest first, as few as can be."""
    left = paid - due
    if left < 0:
        raise ValueError(f"{money(-left)} is missing")
    coins = []
    for coin in COINS:
        count, left = divmod(left, coin)
        coins += [coin] * count
    return coins
