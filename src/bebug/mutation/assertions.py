"""What asserts in a test: statements, context managers and helpers whose only purpose is to fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.scopes import dotted

ASSERTING_NAME = re.compile(r"_*(assert|Assert)|eq_$|ok_$")
"""Calls of such names assert wherever they come from: unittest's, mock's, numpy's and most helpers."""

HELPER_NAME = re.compile(r"_*(check|verify|expect|ensure|should|validate|compare)")
"""Calls of such names assert where the name comes from a module of test helpers."""

HELPER_MODULE = re.compile(r"(^|[._])(tests?|testing|conftest)([._]|$)")

RAISING = frozenset(
    ("raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assertRaisesMessage")
)
NOTICING = frozenset(
    (
        "warns",
        "deprecated_call",
        "assertWarns",
        "assertWarnsRegex",
        "assertWarnsMessage",
        "assertLogs",
        "assertNoLogs",
        "assertNumQueries",
    )
)


class Assertions:
    """Tells what asserts in one file."""

    def __init__(self, context: Context, module: cst.Module) -> None:
        self._context = context
        self._functions = {
            each.name.value: each for each in context.within(module) if isinstance(each, cst.FunctionDef)
        }
        self._helpers: dict[str, bool] = {}

    def asserts(self, statement: cst.BaseSmallStatement) -> bool:
        """Whether *statement* does nothing but assert."""
        if isinstance(statement, cst.Assert):
            return True
        call = call_of(statement)
        return call is not None and self.is_asserting(call)

    def is_asserting(self, call: cst.Call) -> bool:
        """Whether *call*, a statement of its own, is there to fail: `self.assertEqual(...)` and its like."""
        name = last_name(call.func)
        if ASSERTING_NAME.match(name) or self.is_failing(call) or self.is_raising(call):
            return True
        origin = self._context.origin(call.func)
        if HELPER_NAME.match(name) and origin != name and HELPER_MODULE.search(origin.rpartition(".")[0]):
            return not origin.startswith("self.")
        return self.is_helper(call) and not self._gives_back(last_name(call.func))

    def is_helper(self, call: cst.Call) -> bool:
        """Whether *call* is of a function of this file that asserts, itself or through another one."""
        owner = dotted(call.func).rpartition(".")[0]
        return owner in ("", "self", "cls") and self._asserts_inside(last_name(call.func))

    def is_failing(self, call: cst.Call) -> bool:
        """Whether *call* is `pytest.fail(...)` or `self.fail(...)`."""
        owner, _, name = dotted(call.func).rpartition(".")
        return name == "fail" and (owner == "self" or self._context.origin(call.func) == "pytest.fail")

    def is_raising(self, call: cst.Call) -> bool:
        """Whether *call* is of `pytest.raises`, `self.assertRaises` or the like."""
        return self._is_of(call, RAISING)

    def is_noticing(self, call: cst.Call) -> bool:
        """Whether *call* is of `pytest.warns`, `self.assertLogs` or the like."""
        return self._is_of(call, NOTICING)

    def _is_of(self, call: cst.Call, names: frozenset[str]) -> bool:
        name = last_name(call.func)
        if name not in names:
            return False
        if name.startswith("assert"):
            return isinstance(call.func, cst.Attribute)
        return self._context.origin(call.func) == f"pytest.{name}"

    def of(self, item: cst.WithItem) -> cst.Call | None:
        """The asserting call of a `with` item, None where it only manages a context."""
        call = item.item
        if isinstance(call, cst.Call) and (self.is_raising(call) or self.is_noticing(call)):
            return call
        return None

    def still_in(self, function: cst.FunctionDef) -> bool:
        """Whether anything in *function*, a rewritten one, may be there to fail.

        Such as an assertion by another name, one whose result is used, or a `raise` of the test's own.
        """
        search = _Search(self)
        function.body.visit(search)
        return search.found

    def may_assert(self, call: cst.Call) -> bool:
        """Whether *call*, wherever it stands, may assert, by its name alone."""
        name = last_name(call.func)
        if name in RAISING or name in NOTICING or name in ("RaisesGroup", "fail"):
            known = self._context.origins.get(name) == f"pytest.{name}"
            return known or isinstance(call.func, cst.Attribute)
        return ASSERTING_NAME.match(name) is not None or self.is_helper(call)

    def within(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The asserting statements and `with` statements in *node*, in source order."""
        for each in self._context.within(node):
            if isinstance(each, cst.With):
                found = any(self.of(item) is not None for item in each.items)
            else:
                found = isinstance(each, cst.BaseSmallStatement) and self.asserts(each)
            if found:
                yield each

    def _gives_back(self, name: str) -> bool:
        """Whether the function *name* of this file returns something: calling it is more than a check."""
        within = self._context.within(self._functions[name])
        return any(isinstance(each, cst.Return) and each.value is not None for each in within)

    def _asserts_inside(self, name: str) -> bool:
        if name not in self._helpers:
            self._helpers[name] = False  # a helper that calls itself asserts by something else
            function = self._functions.get(name)
            self._helpers[name] = function is not None and next(self.within(function), None) is not None
        return self._helpers[name]


class _Search(cst.CSTVisitor):
    """Looks for what may assert; functions defined in a test may raise as they like."""

    def __init__(self, assertions: Assertions) -> None:
        super().__init__()
        self._assertions = assertions
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef | cst.Lambda):
            return False
        asserting = isinstance(node, cst.Call) and self._assertions.may_assert(node)
        if isinstance(node, cst.WithItem) and isinstance(node.item, cst.Call):
            asserting = last_name(node.item.func) in RAISING | NOTICING
        self.found = self.found or asserting or isinstance(node, cst.Assert | cst.Raise)
        return not self.found


def call_of(statement: cst.CSTNode) -> cst.Call | None:
    """The call that *statement* consists of, awaited or not."""
    value = statement.value if isinstance(statement, cst.Expr) else None
    if isinstance(value, cst.Await):
        value = value.expression
    return value if isinstance(value, cst.Call) else None


def last_name(node: cst.CSTNode) -> str:
    """`c` of `a.b.c` or `a().c`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
