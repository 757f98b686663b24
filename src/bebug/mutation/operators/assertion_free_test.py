"""Assertion-free test: a new test that runs the code and checks nothing.

What it does: the change adds a test made of a real test of the seed, with bare calls, in the same order, in
    place of each assertion. Kept are calls of code under test, together with what takes them in: another
    builtin (`list(f(x))`), a comprehension, a conditional. Not kept are builtins that call nothing under test
    by name (`tuple(map(f, xs))`, `max(xs)`), calls that only look at a value (`len`, `isinstance`, `approx`),
    messages, lambdas, and the right side of an `or`; locals that nothing reads then go too. A generator that
    nothing takes in stays and runs nothing. `pytest.raises(E)` becomes `try` and `except E: pass`.
Why it hides: it raises coverage, it is green, its name promises a check, and its body alone shows that there
    is none.
Seen in: tests written to meet a coverage threshold, generated tests, smoke tests that were never finished.
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
    adds=True,
    examples={
        "def test_f():\n    x = f(1)\n    y = 2\n    assert x == y, 'f'\n    assert g(x).a == len(h(y))\n": [
            "def test_f():\n    x = f(1)\n    y = 2\n    g(x)\n    h(y)\n"
        ],
        "def test_f():\n    x = f(1)\n    assert x == 2\n": ["def test_f():\n    f(1)\n"],
        "def test_f():\n    with pytest.raises(E, match='x') as e:\n        f(1)\n    assert e.value.a == 1\n"
        "import pytest\npytest.skip\n": [
            "def test_f():\n    try:\n        f(1)\n    except E:\n        pass\nimport pytest\npytest.skip\n"
        ],
        "class TestF(TestCase):\n    def test_f(self):\n        self.assertEqual(f(1), 2)\n        "
        "self.assertRaises(E, f, 0)\n": [
            "class TestF(TestCase):\n    def test_f(self):\n        f(1)\n        try:\n            f(0)\n"
            "        except E:\n            pass\n"
        ],
        "class C(T):\n    def test_f(self):\n        self.assertRaisesRegex(E, 'no', f, 1)\n": [
            "class C(T):\n    def test_f(self):\n        try:\n            f(1)\n"
            "        except E:\n            pass\n"
        ],
        "class C(T):\n    def test_f(self):\n        self.assertRaises(E, lambda: f(1))\n": [
            "class C(T):\n    def test_f(self):\n        try:\n            f(1)\n"
            "        except E:\n            pass\n"
        ],
        "def test_f(m):\n    f(m)\n    m.assert_called_once_with(1)\n": ["def test_f(m):\n    f(m)\n"],
        "def check(x):\n    assert x\ndef test_f():\n    check(f(1))\n": [
            "def check(x):\n    assert x\ndef test_f():\n    f(1)\n"
        ],
        "def test_f():\n    for a, b in [(1, 2)]:\n        assert list(f(a)) == [b]\n": [
            "def test_f():\n    for a, b in [(1, 2)]:\n        list(f(a))\n"
        ],
        "def test_f():\n    assert (x := f(1)) == 2 and x\n": ["def test_f():\n    f(1)\n"],
        "def test_f():\n    assert not f(1) or g(1)\n": ["def test_f():\n    f(1)\n"],
        "def test_f():\n    g()\n    assert tuple(map(f, xs)) == y\n    assert len(f(x)) == max(xs), h()\n": [
            "def test_f():\n    g()\n    f(x)\n"
        ],
        "def test_f():\n    assert sum(f(x) for x in xs) == 1\n    assert not (f(x) for x in xs)\n": [
            "def test_f():\n    sum(f(x) for x in xs)\n    (f(x) for x in xs)\n"
        ],
        "async def test_f():\n    assert await f(1) == 2\n": ["async def test_f():\n    await f(1)\n"],
    },
    untouched=[
        "def test_f():\n    x = f(1)\n    if not x:\n        raise AssertionError\n    assert x\n",
        "class C(T):\n    def test_f(self):\n        x = self.assert_ok(f(1))\n        self.assertTrue(x)\n",
        "def test_f():\n    f(1)\n",
        "def test_f():\n    assert x == len(y)\n",
        "def helper():\n    assert f(1)\n",
        "def test_f():\n    with f(1) as x:\n        assert x\n",  # nothing would be left in the block
    ],
)


@operator.on(cst.FunctionDef)
def call_without_asserting(node: cst.FunctionDef, context: Context) -> Iterator[Rewrite]:
    """A whole test loses every assertion and keeps the calls of code under test that they make."""
    if is_test(node) and (new := weakener(context).stripped(node)) is not None:
        yield node, new
