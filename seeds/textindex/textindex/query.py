"""The query language: from a line of text to a tree of conditions."""

import re
from collections.abc import Sequence

_LEXEME = re.compile(
    r'\s*(?:"(?P<phrase>[^"]*)"(?:~(?P<slop>\d+))?'
    r"|NEAR/(?P<near>\d+)(?=\s|$)"
    r"|(?P<mark>[()]|-(?=\S)|OR(?=\s|$))"
    r'|(?P<word>[^\s()"]+))'
)


class QueryError(ValueError):
    """A query that cannot be understood; `column` counts from 1."""

    def __init__(self, message: str, column: int | None = None) -> None:
        if column is not None:
            message = f"{message} at column {column}"
        super().__init__(message)
        self.column = column


class Node:
    """A condition on documents; its arguments are what tells two of a kind apart."""

    def __init__(self, *arguments: object) -> None:
        self.arguments = arguments

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        inside = ", ".join(repr(argument) for argument in self.arguments)
        return f"{type(self).__name__}({inside})"


class Word(Node):
    """The document has this word."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class Prefix(Node):
    """The document has a word that starts like this."""

    def __init__(self, prefix: str) -> None:
        super().__init__(prefix)
        self.prefix = prefix


class Phrase(Node):
    """The document has these words in order, with at most `slop` others between."""

    def __init__(self, text: str, slop: int = 0) -> None:
        super().__init__(text, slop)
        self.text = text
        self.slop = slop


class Near(Node):
    """The document has both words, at most `distance` positions apart."""

    def __init__(self, left: str, right: str, distance: int) -> None:
        super().__init__(left, right, distance)
        self.left = left
        self.right = right
        self.distance = distance


class And(Node):
    """All of the conditions hold."""

    def __init__(self, *nodes: Node) -> None:
        super().__init__(*nodes)
        self.nodes = nodes


class Or(Node):
    """At least one of the conditions holds."""

    def __init__(self, *nodes: Node) -> None:
        super().__init__(*nodes)
        self.nodes = nodes


class Not(Node):
    """The condition does not hold."""

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        self.node = node


class _Lexeme:
    def __init__(self, match: "re.Match[str]") -> None:
        self.kind = "phrase" if match["phrase"] is not None else str(match.lastgroup)
        self.text = match[self.kind]
        self.column = match.end() - len(match[0].lstrip()) + 1
        self.slop = 0 if match["slop"] is None else int(match["slop"])


def _lex(text: str) -> list[_Lexeme]:
    lexemes: list[_Lexeme] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _LEXEME.match(text, position)
        if match is None:
            raise QueryError("a quote is not closed", text.index('"', position) + 1)
        lexemes.append(_Lexeme(match))
        position = match.end()
    return lexemes


def parse_query(text: str) -> Node | None:
    """The tree of a query; None when it has no condition."""
    return _Parser(_lex(text)).parse()


class _Parser:
    def __init__(self, lexemes: Sequence[_Lexeme]) -> None:
        self.lexemes = lexemes
        self.index = 0

    def peek(self, ahead: int = 0) -> _Lexeme | None:
        place = self.index + ahead
        return self.lexemes[place] if place < len(self.lexemes) else None

    def at_mark(self, text: str) -> bool:
        lexeme = self.peek()
        return lexeme is not None and lexeme.kind == "mark" and lexeme.text == text

    def parse(self) -> Node | None:
        node = self.either()
        rest = self.peek()
        if rest is not None:
            raise QueryError(f"unexpected {rest.text!r}", rest.column)
        return node

    def either(self) -> Node | None:
        nodes = [self.both()]
        while self.at_mark("OR"):
            column = self.lexemes[self.index].column
            self.index += 1
            nodes.append(self.both())
            if nodes[-1] is None or nodes[-2] is None:
                raise QueryError("OR needs a condition on each side", column)
        found = [node for node in nodes if node is not None]
        return Or(*found) if len(found) > 1 else nodes[0]

    def both(self) -> Node | None:
        nodes: list[Node] = []
        node = self.single()
        while node is not None:
            nodes.append(node)
            node = self.single()
        if not nodes:
            return None
        return And(*nodes) if len(nodes) > 1 else nodes[0]

    def single(self) -> Node | None:
        lexeme = self.peek()
        if lexeme is None or (lexeme.kind == "mark" and lexeme.text in (")", "OR")):
            return None
        self.index += 1
        if lexeme.kind == "phrase":
            return Phrase(lexeme.text, lexeme.slop)
        if lexeme.kind == "word":
            return self.word(lexeme)
        if lexeme.kind == "near":
            raise QueryError("NEAR needs a word on each side", lexeme.column)
        node = self.group(lexeme) if lexeme.text == "(" else self.single()
        if node is None:
            raise QueryError(f"nothing after {lexeme.text!r}", lexeme.column)
        return node if lexeme.text == "(" else Not(node)

    def group(self, opening: _Lexeme) -> Node | None:
        node = self.either()
        if not self.at_mark(")"):
            raise QueryError("a group is not closed", opening.column)
        self.index += 1
        return node

    def word(self, lexeme: _Lexeme) -> Node:
        near, other = self.peek(), self.peek(1)
        if near is not None and near.kind == "near":
            if other is None or other.kind != "word":
                raise QueryError("NEAR needs a word on each side", near.column)
            self.index += 2
            return Near(lexeme.text, other.text, int(near.text))
        if len(lexeme.text) > 1 and lexeme.text[-1] == "*":
            return Prefix(lexeme.text[:-1])
        return Word(lexeme.text)
