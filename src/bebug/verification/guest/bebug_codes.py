"""What a change of a file changes in functions that are there: their code, and defaults that are literals.

Both can be swapped while a program runs. Runs in the seed's interpreter; standard library only.
"""

from __future__ import annotations
import __future__

import ast
import io
import tokenize
import types
from pathlib import Path

FUTURE = 0
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag


class Unswappable(Exception):
    """More than the code of functions and literal defaults changed."""


def inner_codes(code):
    """The code objects made in *code*, each by its name and which of that name it is."""
    found, seen = {}, {}
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            seen[const.co_name] = seen.get(const.co_name, 0) + 1
            found[const.co_name, seen[const.co_name]] = const
    return found


def own(code):
    """What *code* does itself, without the code objects in it and whatever the lines are."""
    consts = tuple("code" if isinstance(c, types.CodeType) else (type(c).__name__, c) for c in code.co_consts)
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def is_function(code):
    return bool(code.co_flags & 2)  # CO_NEWLOCALS: no class body and no module has it


def differs(one, other):
    """Whether two functions differ, themselves or in a function that they make."""
    first, second = inner_codes(one), inner_codes(other)
    if own(one) != own(other) or list(first) != list(second):
        return True
    return any(differs(first[key], second[key]) for key in first)


def changed_functions(old, new):
    """(old code, new code, at the top?) of each function that changed or holds one that did.

    Raises `Unswappable` where a module or a class body did.
    """
    before, after = inner_codes(old), inner_codes(new)
    at_top = not is_function(old)
    if at_top and (list(before) != list(after) or own(old) != own(new)):
        raise Unswappable
    for key, code in before.items():
        if key not in after:
            continue
        if not is_function(code):
            yield from changed_functions(code, after[key])
        elif differs(code, after[key]):
            yield code, after[key], at_top
            yield from changed_functions(code, after[key])


class Source:
    """The file *path* with its content as it runs: what a change of it changes.

    A change inside one function or class at the top is compiled with that statement alone, on its own lines,
    since compiling a whole file takes longer than running most tests.
    """

    def __init__(self, path):
        self.path = str(path)
        self.raw = Path(path).read_bytes()
        self.code = self.compiled(self.raw, 0)
        self.flags = self.code.co_flags & FUTURE
        self.lines = self.raw.split(b"\n")
        tree = ast.parse(self.raw)
        self.blocks = list(blocks(tree)) if plain(self.raw) else []
        names = sorted(set(imported(tree)))  # the compiler makes other calls of what is imported at the top
        self.imports = ("import " + ", ".join(names) + "\n").encode() if names else b""
        self.pieces = {}

    def compiled(self, source, flags):
        return compile(source, self.path, "exec", flags=flags, dont_inherit=True)

    def changed(self, raw):
        """The functions that differ in *raw*, see `changed_functions`, and the defaults, see `Defaults`.

        Raises what compiling *raw* raises, and `Unswappable`.
        """
        lines = raw.split(b"\n")
        first, last = extent(self.lines, lines)
        for start, end in self.blocks if plain(raw) else ():
            if start <= first <= end and last <= end:
                if start not in self.pieces:
                    piece = self.piece(self.lines, start, end)
                    self.pieces[start] = piece, self.compiled(piece, self.flags)
                end += len(lines) - len(self.lines)
                return self.compared(*self.pieces[start], self.piece(lines, start, end))
        return self.compared(self.raw, self.code, raw)

    def compared(self, before, old, after):
        try:
            return list(changed_functions(old, self.compiled(after, self.flags))), []
        except Unswappable:
            defaults = Defaults(ast.parse(before), ast.parse(after), old)
            return list(changed_functions(old, self.compiled(defaults.without, self.flags))), defaults.found

    def piece(self, lines, start, end):
        """*lines* from *start* to *end* alone."""
        return b"\n" * (start - 1) + b"\n".join(lines[start - 1 : end]) + b"\n" + self.imports


class Defaults:
    """The literal defaults that differ between two modules or class bodies.

    *found*: (code of the function, position or name, value before, value now) of each; *without*: the second
    module with the defaults of the first.
    """

    def __init__(self, old, new, code):
        self.found, self.without = [], new
        self.compare(old, new, code)

    def compare(self, old, new, code):
        for before, after in zip(old.body, new.body):  # noqa: B905 - not in Python 3.9
            if type(before) is not type(after) or not isinstance(before, BLOCKS):
                continue
            inner = code_of(code, before)
            if inner is None:
                continue
            if isinstance(before, ast.ClassDef):
                self.compare(before, after, inner)
                continue
            one, two = before.args, after.args
            names = [each.arg for each in one.kwonlyargs]
            for places, first, second in (
                (range(len(one.defaults)), one.defaults, two.defaults),
                (names, one.kw_defaults, two.kw_defaults),
            ):
                if len(first) == len(second):
                    self.take(inner, places, first, second)

    def take(self, code, places, first, second):
        for number, (place, old, new) in enumerate(zip(places, first, second)):  # noqa: B905
            if old is None or new is None or ast.dump(old) == ast.dump(new):
                continue
            try:
                self.found.append((code, place, ast.literal_eval(old), ast.literal_eval(new)))
            except ValueError:
                raise Unswappable from None
            second[number] = old


BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def code_of(code, node):
    """The code in *code* that *node* makes."""
    where = node.name, first_line(node)
    found = [each for each in inner_codes(code).values() if (each.co_name, each.co_firstlineno) == where]
    return found[0] if len(found) == 1 else None


def first_line(node):
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def plain(raw):
    """Whether a piece of *raw* reads as it does in its place: as UTF-8, in lines that a newline ends."""
    encoding = tokenize.detect_encoding(io.BytesIO(raw).readline)[0]
    return encoding == "utf-8" and b"\r" not in raw.replace(b"\r\n", b"\n") and b"\f" not in raw


def imported(node):
    """The names that imports bind in the scope of *node*."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, (ast.Import, ast.ImportFrom)):
            names = [name.asname or name.name.partition(".")[0] for name in each.names]
            yield from (name for name in names if name != "*")
        elif not isinstance(each, BLOCKS):
            yield from imported(each)


def blocks(tree):
    """(first line, last line) of each function and class at the top."""
    for node in tree.body:
        if isinstance(node, BLOCKS):
            yield first_line(node), node.end_lineno


def extent(old, new):
    """(first, last): the lines of *old* from *first* to *last* are not in *new*; the others are, in order."""
    first = 0
    shortest = min(len(old), len(new))
    while first < shortest and old[first] == new[first]:
        first += 1
    last = 0
    while last < shortest - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return first + 1, len(old) - last
