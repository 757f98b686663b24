"""Account names such as `Expenses:Food:Groceries`, and the tree that they form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ledger.amounts import Balance

SEPARATOR = ":"


class AccountError(ValueError):
    """The text is not the name of an account, or there is no such account."""


def check_name(name: str) -> str:
    """Return the name, or raise AccountError when a part of it is empty or padded."""
    for part in name.split(SEPARATOR):
        if not part or part != part.strip():
            raise AccountError(f"{part!r} is not a part of an account's name, in {name!r}")
    return name


def lineage(name: str) -> list[str]:
    """The name and its ancestors, the top first."""
    parts = name.split(SEPARATOR)
    return [SEPARATOR.join(parts[:size]) for size in range(1, len(parts) + 1)]


def truncate(name: str, depth: int | None) -> str:
    """Keep the first `depth` parts; None keeps all."""
    if depth is None:
        return name
    if depth < 1:
        raise AccountError("a depth is 1 or more")
    return SEPARATOR.join(name.split(SEPARATOR)[:depth])


def is_within(name: str, ancestor: str | None) -> bool:
    """True for the ancestor itself and all below it; None is the root of everything."""
    if ancestor is None or name == ancestor:
        return True
    return name.startswith(ancestor) and name[len(ancestor)] == SEPARATOR


def abbreviate(name: str, width: int) -> str:
    """Shorten parts from the left, all but the last, until the name fits if it can."""
    parts = name.split(SEPARATOR)
    for index in range(len(parts) - 1):
        if len(SEPARATOR.join(parts)) <= width:
            break
        parts[index] = parts[index][:2]
    return SEPARATOR.join(parts)


@dataclass
class Account:
    """A node of the tree: what was posted to it, and the accounts below."""

    name: str
    own: Balance = field(default_factory=Balance)
    children: dict[str, Account] = field(default_factory=dict)
    parent: Account | None = field(default=None, repr=False, compare=False)

    @property
    def label(self) -> str:
        """The last part of the name."""
        return self.name.split(SEPARATOR)[-1]

    @property
    def total(self) -> Balance:
        """What was posted here and anywhere below."""
        total = self.own.copy()
        for child in self.children.values():
            total.update(child.total)
        return total

    @property
    def depth(self) -> int:
        """0 for the root, 1 for a top-level account."""
        if self.parent is None:
            return 0
        return self.parent.depth + 1

    def find(self, name: str) -> Account | None:
        """The account of that full name, or None."""
        found: Account | None = self
        for part in name.split(SEPARATOR):
            if found is None:
                break
            found = found.children.get(part)
        return found

    def nearest(self, name: str) -> Account:
        """The account of that name, or the deepest of its ancestors that is there."""
        node = self
        for part in name.split(SEPARATOR):
            child = node.children.get(part)
            if child is None:
                break
            node = child
        return node

    def require(self, name: str) -> Account:
        """Find an account, making it and its ancestors when they are missing."""
        node = self
        for ancestor in lineage(check_name(name)):
            child = self.find(ancestor)
            if child is None:
                child = Account(ancestor, parent=node)
                node.children[child.label] = child
            node = child
        return node

    def walk(self, max_depth: int | None = None) -> Iterator[Account]:
        """The accounts below this one, each before its children, in order of name."""
        if max_depth is not None and max_depth <= 0:
            return
        for label in sorted(self.children):
            child = self.children[label]
            yield child
            yield from child.walk(None if max_depth is None else max_depth - 1)


def build_tree(names: Iterable[str]) -> Account:
    """A tree with all of the accounts and nothing posted."""
    root = Account("")
    for name in names:
        root.require(name)
    return root
