"""Deleted assertion: a test that no longer looks at what it used to check.

What it does: deletes an assertion of a test (`assert`, `self.assert...`, a `with pytest.raises(...)` block, a
    mock's or a helper's assertion), or all of several, with what it calls; where nothing else would be left
    of the test, its calls stay. A local that only it read goes too; the call that gave it its value stays.
Why it hides: the suite is as green as before, and a shorter test reads like a tidier one.
Seen in: changes that make a red build green, refactorings of tests, merges resolved in a hurry.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from bebug.mutation.context import Context
from bebug.mutation.operator import Operator, Rewrite
from bebug.mutation.stripping import is_test, weakener
from bebug.records import Claim

operator = Operator(
    __name__,
    claim=Claim.WEAKENS,
    examples={
        "def test_f():\n    x = f(1)\n    assert x\n": ["def test_f():\n    f(1)\n"],
        "def test_f():\n    assert f(1) == 2\n": ["def test_f():\n    f(1)\n"],
        "def test_f():\n    g()\n    # the edge\n    assert f(1) == 2\n    assert f(2) == 3\n": [
            "def test_f():\n    g()\n    assert f(2) == 3\n",
            "def test_f():\n    g()\n    # the edge\n    assert f(1) == 2\n",
            "def test_f():\n    g()\n",
        ],
        "class TestF(T):\n    def test_f(self):\n        x = f(1)\n        self.assertEqual(x.a, 2)\n        "
        "self.assertTrue(x.b)\n": [
            "class TestF(T):\n    def test_f(self):\n        x = f(1)\n        self.assertTrue(x.b)\n",
            "class TestF(T):\n    def test_f(self):\n        x = f(1)\n        self.assertEqual(x.a, 2)\n",
            "class TestF(T):\n    def test_f(self):\n        f(1)\n",
        ],
        "import pytest\ndef test_f():\n    g()\n    with pytest.raises(E):\n        f(1)\ndef test_g():\n    "
        "pytest.skip()\n": ["import pytest\ndef test_f():\n    g()\ndef test_g():\n    pytest.skip()\n"],
        "def test_f():\n    for x in xs:\n        assert f(x)\n": [
            "def test_f():\n    for x in xs:\n        f(x)\n"
        ],
    },
    untouched=[
        "def helper():\n    assert f(1) == 2\n",
        "def test_f():\n    f(1)\n",
        "def test_f():\n    assert x\n",
        "assert f(1)",
        # an import would be left unused:
        "import pytest\ndef test_f():\n    g()\n    with pytest.raises(E):\n        f(1)\n",
    ],
)


@operator.on(cst.FunctionDef)
def delete_the_assertion(node: cst.FunctionDef, context: Context) -> Iterator[Rewrite]:
    """One assertion of a test is deleted; where nothing else would be left, its calls stay."""
    if not is_test(node):
        return
    weaken = weakener(context)
    for mark in weaken.assertions.within(node):
        if (new := weaken.without_one(node, mark)) is not None:
            yield node, new


@operator.on(cst.FunctionDef)
def delete_every_assertion(node: cst.FunctionDef, context: Context) -> Iterator[Rewrite]:
    """All of a test's several assertions are deleted."""
    if is_test(node) and (new := weakener(context).emptied(node)) is not None:
        yield node, new
