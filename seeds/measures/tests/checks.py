"""Assertions that several test files share."""

from fractions import Fraction

from measures import Quantity


def assert_quantity(found, value, symbol=None):
    """The very same number, in the same unit where one is given."""
    __tracebackhide__ = True
    assert isinstance(found, Quantity)
    assert found.value == Fraction(value)
    if symbol is not None:
        assert found.unit.symbol == symbol


def assert_span(span, low, high, *, open_low=False, open_high=False):
    """Bounds as their own text: `3 kg`."""
    for bound, text in ((span.low, low), (span.high, high)):
        if text is None:
            assert bound is None
        else:
            value, _, symbol = text.partition(" ")
            assert_quantity(bound, value, symbol)
    assert (span.open_low, span.open_high) == (open_low, open_high)


def check_all(function, cases):
    """Call the function with each key and compare with the value."""
    for argument, expected in cases.items():
        assert function(argument) == expected, argument
