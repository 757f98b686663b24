"""Strategies of values like those that were seen: of the same build, with other parts; each draws a text.

Runs in the seed's interpreter, with the Hypothesis that lies there or beside it.
"""

from __future__ import annotations

import ast
import collections

from bebug_types import FEW, FLOATS, INTEGERS, SCALARS, joined, pairs, texts, tuples
from hypothesis import strategies as st

NEAR = 3


def like(examples):
    """Expressions like those of *examples*, which are never empty: of the same build, with other parts."""
    groups = collections.defaultdict(list)
    for text in examples:
        node = ast.parse(text, mode="eval").body
        groups[build_of(node, text)].append((node, text))
    found = [
        of_build(build, members)
        for build, members in sorted(groups.items(), key=lambda each: len(each[0][0]))
    ]
    return st.one_of([st.sampled_from(sorted(set(examples), key=lambda text: (len(text), text))), *found])


def build_of(node, text):
    """How *node* is made: what may be varied alike."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return build_of(node.operand, text)
    if isinstance(node, ast.Constant):
        return (type(node.value).__name__,)
    if isinstance(node, (ast.List, ast.Set, ast.Dict)):
        return (type(node).__name__,)
    if isinstance(node, ast.Tuple):
        return "Tuple", str(len(node.elts))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return "Call", node.func.id, str(len(node.args)), *(each.arg or "" for each in node.keywords)
    return "other", ""


def of_build(build, members):
    nodes = [node for node, _ in members]

    def parts(nodes_of):
        return [source(text, each) for node, text in members for each in nodes_of(node)]

    def column(number):
        return [source(text, node.elts[number]) for node, text in members]

    kind = build[0]
    if kind == "bool":
        return SCALARS[bool]
    if kind == "int":
        values = [ast.literal_eval(node) for node in nodes]
        return texts(st.integers(min(values) - NEAR, max(values) + NEAR))
    if kind == "float":
        return FLOATS
    if kind == "str":
        return words([ast.literal_eval(node) for node in nodes])
    if kind in ("List", "Set"):
        inner = parts(lambda node: node.elts)
        most = max(len(node.elts) for node in nodes) + 2
        opening, closing = ("[", "]") if kind == "List" else ("set([", "])")
        return joined(like(inner) if inner else INTEGERS, opening, closing, min(most, 2 * FEW))
    if kind == "Tuple":
        size = len(nodes[0].elts)
        if size == 0 or size > FEW:
            return st.sampled_from([text for _, text in members])
        return tuples([like(column(number)) for number in range(size)])
    if kind == "Dict" and all(key is not None for node in nodes for key in node.keys):
        keys, values = parts(lambda node: node.keys), parts(lambda node: node.values)
        return pairs(like(keys), like(values)) if keys else st.just("{}")
    if kind == "Call":
        return calls_like(build, members)
    return st.sampled_from([text for _, text in members])


def calls_like(build, members):
    def given(number):
        return like([source(text, node.args[number]) for node, text in members])

    def keyword(number):
        return like([source(text, node.keywords[number].value) for node, text in members])

    name, count, names = build[1], int(build[2]), build[3:]
    if "" in names or any(isinstance(each, ast.Starred) for node, _ in members for each in node.args):
        return st.sampled_from([text for _, text in members])
    drawn = st.tuples(*map(given, range(count)), *map(keyword, range(len(names))))
    labels = ["", *[""] * (count - 1)][:count] + [f"{each}=" for each in names]
    return drawn.map(lambda parts: f"{name}({', '.join(map(str.__add__, labels, parts))})")


def words(values):
    """Strings like *values*: of their letters, or one of them with something cut out or doubled."""
    letters = sorted({letter for value in values for letter in value}) or ["a"]
    longest = max(map(len, values))

    def edited(value, start, size, doubled):
        at = start % (len(value) + 1)
        part = value[at : at + size]
        return value[:at] + (part * 2 if doubled else "") + value[at + size :]

    some = st.sampled_from(sorted(set(values), key=lambda value: (len(value), value)))
    edits = st.builds(edited, some, st.integers(0, longest), st.integers(0, 3), st.booleans())
    return texts(st.text(letters, max_size=min(longest + 2, 30)) | edits)


def source(text, node):
    return ast.get_source_segment(text, node)
