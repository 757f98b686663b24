"""Where planting is not worth it: places whose faults no test looks for, each by a named rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from typing import TypeAlias

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.scopes import dotted

Covers: TypeAlias = Callable[[cst.CSTNode, Context], bool]


@dataclass(frozen=True, slots=True)
class Arid:
    """A kind of unproductive place. *within*: all that it holds is, not just a site right there."""

    name: str
    kinds: tuple[type[cst.CSTNode], ...]
    within: bool
    reason: str  # the rule's docstring
    covers: Covers


ARID: dict[str, Arid] = {}


def unproductive(*kinds: type[cst.CSTNode], within: bool = True) -> Callable[[Covers], Covers]:
    """Register the decorated predicate for nodes of these *kinds* as an arid rule of its name."""

    def register(covers: Covers) -> Covers:
        name = getattr(covers, "__name__", "rule").replace("_", "-")
        ARID[name] = Arid(name, kinds, within, " ".join(cleandoc(covers.__doc__ or "").split()), covers)
        return covers

    return register


LOG_METHODS = {"debug", "info", "warning", "warn", "error", "critical", "exception", "log", "trace"}
LOGGERS = re.compile(r"(^|[._])(log|logger|logging|logs)$", re.IGNORECASE)
CLOCKS = re.compile(
    r"^(time\.(time|monotonic|perf_counter|process_time|thread_time|sleep)(_ns)?|asyncio\.sleep"
    r"|(datetime\.)?datetime\.(now|utcnow)|timeit\.default_timer)$"
)
VERSIONS = re.compile(r"(^|\.)(version_info|hexversion|api_version|__version__|VERSION|PY2|PY3|PY_\w+)$")
CACHES = re.compile(r"(^|_)(cache[sd]?|memo|memoized?|maxsize)($|_)", re.IGNORECASE)
CAPACITIES = re.compile(
    r"^(maxsize|(init(ial)?_)?capacity|size_hint|buf(fer)?_?size|buffering|chunk_?size|block_?size|backlog)$",
    re.IGNORECASE,
)
FLAGS = re.compile(r"(^|_)(feature_?flags?|features|experimental|enable_\w+|\w+_enabled)($|_)", re.IGNORECASE)


@unproductive(cst.Call)
def logging(node: cst.CSTNode, context: Context) -> bool:
    """Arguments of a logger's methods and of `warnings.warn`: a wrong log line fails no test."""
    assert isinstance(node, cst.Call)
    owner, _, method = context.origin(node.func).rpartition(".")
    return (method in LOG_METHODS and bool(LOGGERS.search(owner))) or f"{owner}.{method}" == "warnings.warn"


@unproductive(cst.Call)
def printing(node: cst.CSTNode, context: Context) -> bool:
    """Arguments of `print`, `pprint`, and writes to the standard streams: meant for people."""
    assert isinstance(node, cst.Call)
    return context.origin(node.func) in {
        "builtins.print",
        "pprint.pprint",
        "sys.stdout.write",
        "sys.stderr.write",
        "traceback.print_exc",
    }


@unproductive(cst.FunctionDef)
def repr(node: cst.CSTNode, context: Context) -> bool:  # noqa: A001 - rules are named after the place
    """The body of `__repr__`: a text for debugging."""
    assert isinstance(node, cst.FunctionDef)
    return node.name.value in {"__repr__", "__rich_repr__"}


@unproductive(cst.Call, cst.Comparison)
def timing(node: cst.CSTNode, context: Context) -> bool:
    """Arguments of a clock or a sleep, and comparisons with one: no test stands on the very tick."""
    if isinstance(node, cst.Call):
        return bool(CLOCKS.match(context.origin(node.func)))
    return any(
        isinstance(each, cst.Call) and bool(CLOCKS.match(context.origin(each.func)))
        for each in context.within(node)
    )


@unproductive(cst.IndentedBlock, cst.SimpleStatementSuite)
def main_guard(node: cst.CSTNode, context: Context) -> bool:
    """What runs under `if __name__ == "__main__":` alone, which an imported module never does."""
    parent = context.parent(node)
    if not isinstance(parent, cst.If) or parent.body is not node:
        return False
    return any(
        isinstance(each, cst.Name) and each.value == "__name__" for each in context.within(parent.test)
    )


@unproductive(cst.Comparison, cst.Subscript, cst.Call)
def version_check(node: cst.CSTNode, context: Context) -> bool:
    """Comparisons with the version of Python or of a library: only one side of it ever runs."""
    read = node.func if isinstance(node, cst.Call) else node
    if isinstance(node, cst.Call) and not context.origin(read).startswith("platform."):
        return False
    return isinstance(node, cst.Call) or any(VERSIONS.search(name) for name in context.names(node))


@unproductive(cst.If, cst.While, cst.IfExp, cst.Comparison, cst.BooleanOperation, cst.Subscript, within=False)
def cache(node: cst.CSTNode, context: Context) -> bool:
    """Tests on a cache and reads of it: with or without a hit, the answer is the same, only slower."""
    tested = getattr(node, "test", node)
    return any(CACHES.search(part) for name in context.names(tested) for part in name.split("."))


@unproductive(cst.Arg, cst.Param, cst.Assign, cst.AnnAssign)
def capacity_hint(node: cst.CSTNode, context: Context) -> bool:
    """Sizes of buffers, chunks and pools: a hint, not a boundary."""
    if isinstance(node, cst.Arg):
        return node.keyword is not None and bool(CAPACITIES.match(node.keyword.value))
    if isinstance(node, cst.Param):
        return bool(CAPACITIES.match(node.name.value))
    targets = (
        [each.target for each in node.targets]
        if isinstance(node, cst.Assign)
        else [node.target]
        if isinstance(node, cst.AnnAssign)
        else []
    )
    return any(CAPACITIES.match(dotted(target).rpartition(".")[2]) for target in targets)


@unproductive(cst.If, cst.IfExp, cst.Comparison, cst.BooleanOperation, within=False)
def feature_flag(node: cst.CSTNode, context: Context) -> bool:
    """Tests of a feature flag: a decision of the day, not a boundary of the program."""
    tested = getattr(node, "test", node)
    return any(FLAGS.search(name.rpartition(".")[2]) for name in context.names(tested))


@unproductive(cst.Assert)
def assertion(node: cst.CSTNode, context: Context) -> bool:
    """Assertions in the code under test: they hold or the test fails already."""
    return True


@unproductive(cst.Raise)
def error_message(node: cst.CSTNode, context: Context) -> bool:
    """What an exception is raised with: words, mostly."""
    return True


# --------------------------------------------------------------------------------------------- typing only


def typing_only(node: cst.CSTNode, context: Context) -> bool:
    """Whether *node* holds nothing that runs: annotations, type aliases, stubs. No option plants there."""
    check = TYPING_ONLY.get(type(node))
    return check is not None and check(node, context)


def _always(node: cst.CSTNode, context: Context) -> bool:
    return True


def _under_type_checking(node: cst.CSTNode, context: Context) -> bool:
    parent = context.parent(node)
    return (
        isinstance(parent, cst.If)
        and parent.body is node
        and dotted(parent.test).rpartition(".")[2] == "TYPE_CHECKING"
    )


def _overload(node: cst.CSTNode, context: Context) -> bool:
    assert isinstance(node, cst.FunctionDef)
    names = {dotted(each.decorator).rpartition(".")[2] for each in node.decorators}
    return "overload" in names or (is_stub(node.body) and _in_protocol(node, context))


def _in_protocol(node: cst.CSTNode, context: Context) -> bool:
    owner = next((each for each in context.ancestors(node) if isinstance(each, cst.ClassDef)), None)
    return owner is not None and _is_protocol(owner)


def _is_protocol(node: cst.ClassDef) -> bool:
    bases = [arg.value.value if isinstance(arg.value, cst.Subscript) else arg.value for arg in node.bases]
    return any(dotted(base).rpartition(".")[2] == "Protocol" for base in bases)


def _protocol_attribute(node: cst.CSTNode, context: Context) -> bool:
    block = context.parent(node)
    owner = context.parent(block) if block is not None else None
    return isinstance(owner, cst.ClassDef) and _is_protocol(owner)


def is_stub(body: cst.BaseSuite) -> bool:
    """Whether a function does nothing: a docstring, `...` or `pass`."""
    lines = [line for line in body.body if isinstance(line, cst.SimpleStatementLine)]
    small = (
        [part for line in lines for part in line.body] if isinstance(body, cst.IndentedBlock) else body.body
    )
    if isinstance(body, cst.IndentedBlock) and len(lines) < len(body.body):
        return False
    return all(
        isinstance(part, cst.Pass)
        or (isinstance(part, cst.Expr) and isinstance(part.value, cst.Ellipsis | cst.BaseString))
        for part in small
    )


TYPE_FORMS = {"Literal", "Annotated", "Optional", "Union", "Callable", "ClassVar", "Final"}
TYPE_MAKERS = {"TypeVar", "ParamSpec", "NewType", "cast"}


def _type_form(node: cst.CSTNode, context: Context) -> bool:
    assert isinstance(node, cst.Subscript)
    module, _, name = context.origin(node.value).rpartition(".")
    return name in TYPE_FORMS and module in {"", "typing", "typing_extensions", "collections.abc", "t"}


def _type_maker(node: cst.CSTNode, context: Context) -> bool:
    assert isinstance(node, cst.Call)
    module, _, name = context.origin(node.func).rpartition(".")
    return name in TYPE_MAKERS - {"cast"} and module in {"typing", "typing_extensions"}


TYPING_ONLY: dict[type[cst.CSTNode], Covers] = {
    cst.Annotation: _always,
    cst.TypeAlias: _always,
    cst.TypeParameters: _always,
    cst.IndentedBlock: _under_type_checking,
    cst.SimpleStatementSuite: _under_type_checking,
    cst.FunctionDef: _overload,
    cst.SimpleStatementLine: _protocol_attribute,
    cst.Subscript: _type_form,
    cst.Call: _type_maker,
}
