"""Making a call smaller that shows a difference: parts are left out or made plainer while it still does.

Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations

import ast
import collections


def smaller(text):
    """Expressions plainer than *text*, of the same kind, the boldest first."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return
    for start, end, new in edits(node, text):
        if new != text[start:end]:
            yield text[:start] + new + text[end:]


def edits(node, text):
    """(start, end, replacement) of each plainer form of *node* and of what it holds."""
    start, end = place(text, node)
    if isinstance(node, ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    ):
        for new in plainer(ast.literal_eval(node)):
            yield start, end, new
        return
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        parts = [source(text, each) for each in node.elts]
        yield from ((start, end, new) for new in shorter(node, parts))
    elif isinstance(node, ast.Dict) and all(node.keys):
        pairs = zip(node.keys, node.values)  # noqa: B905 - it came with 3.10
        parts = [f"{source(text, key)}: {source(text, value)}" for key, value in pairs]
        yield from ((start, end, "{" + ", ".join(left) + "}") for left in fewer(parts))
    elif isinstance(node, ast.Call):
        for number in range(len(node.keywords)):
            left = [source(text, part) for part in node.args]
            left += [source(text, part) for at, part in enumerate(node.keywords) if at != number]
            yield start, end, f"{source(text, node.func)}({', '.join(left)})"
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.keyword):
            yield from edits(inner.value, text)
        elif isinstance(inner, ast.expr) and not isinstance(node, ast.Attribute):
            yield from edits(inner, text)


def plainer(value):
    if isinstance(value, bool):
        if value:
            yield "False"
    elif isinstance(value, (int, float)) and value == value and abs(value) != float("inf"):
        for each in (
            0,
            1,
            -1,
            2,
            int(value) // 2 if abs(value) < 10**15 else 0,
            int(value) if abs(value) < 10**15 else 0,
            value - 1,
        ):
            if (abs(each), each < 0, isinstance(each, float)) < (
                abs(value),
                value < 0,
                isinstance(value, float),
            ):
                yield repr(each)
    elif isinstance(value, (str, bytes)) and value:
        half = len(value) // 2
        for each in (value[:0], value[:half], value[half:]):
            yield repr(each)
        for at in range(min(len(value), 40)):
            yield repr(value[:at] + value[at + 1 :])
        if isinstance(value, str):
            for at in range(min(len(value), 20)):
                if value[at] not in "a0":
                    yield repr(value[:at] + ("0" if value[at].isdigit() else "a") + value[at + 1 :])


def shorter(node, parts):
    for left in fewer(parts):
        inner = ", ".join(left)
        if isinstance(node, ast.List):
            yield f"[{inner}]"
        elif isinstance(node, ast.Tuple):
            yield f"({inner}{',' if len(left) == 1 else ''})"
        elif left:
            yield "{" + inner + "}"


def fewer(parts):
    if not parts:
        return
    half = len(parts) // 2
    yield []
    if half:
        yield parts[:half]
        yield parts[half:]
    for at in range(min(len(parts), 40)):
        yield parts[:at] + parts[at + 1 :]


def place(text, node):
    """Where *node* begins and ends in *text*, which is one line, in letters."""
    raw = text.encode("utf-8")
    return len(raw[: node.col_offset].decode("utf-8")), len(raw[: node.end_col_offset].decode("utf-8"))


def source(text, node):
    start, end = place(text, node)
    return text[start:end]


def together(call):
    """Calls with one constant made plainer wherever it stands: what lies on an edge must move as one."""
    texts = [*call["args"], *call["kwargs"].values(), *([call["first"]] if call["first"] else [])]
    counted = collections.Counter(value for text in texts for *_, value in constants(text))
    for value in sorted((each for each, n in counted.items() if n > 1), key=repr):
        for new in plainer(ast.literal_eval(value)):
            yield {
                "first": call["first"] and replaced(call["first"], value, new),
                "args": [replaced(text, value, new) for text in call["args"]],
                "kwargs": {name: replaced(text, value, new) for name, text in call["kwargs"].items()},
            }


def constants(text):
    """(start, end, text) of each number and string in *text*."""
    try:
        nodes = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Constant)]
    except (SyntaxError, ValueError):
        return []
    places = sorted(place(text, node) for node in nodes if type(node.value) in (int, float, str))
    return [(start, end, text[start:end]) for start, end in places]


def replaced(text, value, new):
    for start, end, old in reversed(constants(text)):
        if old == value:
            text = text[:start] + new + text[end:]
    return text


def smaller_calls(call, required):
    """Calls plainer than *call*; as many positional arguments as are *required* stay."""
    for name in list(call["kwargs"]):
        yield {**call, "kwargs": {key: text for key, text in call["kwargs"].items() if key != name}}
    if len(call["args"]) > required:
        yield {**call, "args": call["args"][:-1]}
    for number, text in enumerate(call["args"]):
        for new in smaller(text):
            yield {**call, "args": [*call["args"][:number], new, *call["args"][number + 1 :]]}
    for name, text in call["kwargs"].items():
        for new in smaller(text):
            yield {**call, "kwargs": {**call["kwargs"], name: new}}
    if call["first"] is not None:
        for new in smaller(call["first"]):
            yield {**call, "first": new}
    yield from together(call)


def smallest(call, required, differs, most):
    """The plainest call that a walk of *most* trials reaches from *call*, each of which *differs*."""
    tried, seen = 0, {key(call)}
    better = True
    while better:
        better = False
        for each in smaller_calls(call, required):
            if key(each) in seen:
                continue
            seen.add(key(each))
            tried += 1
            if tried > most:
                return call
            if differs(each):
                call, better = each, True
                break
    return call


def key(call):
    return repr((call["first"], call["args"], sorted(call["kwargs"].items())))
