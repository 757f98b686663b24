"""Account names such as `Expenses:Food:Groceries`, and the tree that they form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ledger.amounts import Balance

SEPARATOR = ":"


class AccountError(ValueError):
    """The text is not the name of an account."""


def check_name(name: str) -> str:
    """Return the name, or raise AccountError when a part of it is empty or padded."""
    for position, part in enumerate(name.split(SEPARATOR), start=1):
        if not part or part != part.strip():
            raise AccountError(f"part {position} of account {name!r} is not a name")
    return name


def parent_of(name: str) -> str | None:
    """`Assets` for `Assets:Cash`; None for a top-level account."""
    cut = name.rfind(SEPARATOR)
    if cut < 0:
        return None
    return name[:cut]


def lineage(name: str) -> list[str]:
    """The name and its ancestors, the top first."""
    parts = name.split(SEPARATOR)
    return [SEPARATOR.join(parts[:size]) for size in range(1, len(parts) + 1)]


def depth_of(name: str) -> int:
    """1 for a top-level account."""
    return name.count(SEPARATOR) + 1


def truncate(name: str, depth: int | None) -> str:
    """Keep the first `depth` parts; None keeps all."""
    if depth is None:
        return name
    if depth < 1:
        raise AccountError("a depth is 1 or more")
    return SEPARATOR.join(name.split(SEPARATOR)[:depth])


def is_within(name: str, ancestor: str | None) -> bool:
    """True for the ancestor itself and all below it; None is the root of everything."""
    return ancestor is None or name == ancestor or name.startswith(ancestor + SEPARATOR)


def abbreviate(name: str, width: int) -> str:
    """Fit a name into a column: shorten the leading parts first, then cut the end."""
    parts = name.split(SEPARATOR)
    for index in range(len(parts) - 1):
        if len(SEPARATOR.join(parts)) <= width:
            break
        parts[index] = parts[index][:2]
    short = SEPARATOR.join(parts)
    if len(short) > width:
        return short[: width - 1] + "…"
    return short


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
        depth = 0
        node = self.parent
        while node is not None:
            depth += 1
            node = node.parent
        return depth

    def find(self, name: str) -> Account | None:
        """The account of that full name, or None."""
        node = self
        for part in name.split(SEPARATOR):
            child = node.children.get(part)
            if child is None:
                return None
            node = child
        return node

    def require(self, name: str) -> Account:
        """Find an account, making it and its ancestors when they are missing."""
        node = self
        for ancestor in lineage(check_name(name)):
            label = ancestor.split(SEPARATOR)[-1]
            child = node.children.get(label)
            if child is None:
                child = Account(ancestor, parent=node)
                node.children[label] = child
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
