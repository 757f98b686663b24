"""Whom the till knows, and how it greets them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class User:
    """A customer with a card; *visits* counts the days on which it was used."""

    card: str
    name: str
    visits: int = 0


def find(users: Iterable[User], card: str) -> User | None:
    """The user with *card*, or None for one that was never given out."""
    for user in users:
        if user.card == card:
            return user
    return None


def greeting(user: User | None) -> str:
    """What the till shows when a card is held to it; None is a card that it does not know."""
    if user is None:
        return "Welcome!"
    return f"Welcome back, {user.name}!"


def is_regular(user: User, visits: int = 10) -> bool:
    return user.visits >= visits
