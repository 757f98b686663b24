import pytest

from measures import Span, parse


@pytest.fixture(params=["kg", "g", "lb", "µg"], ids=lambda unit: f"in {unit}")
def mass_unit(request):
    return request.param


@pytest.fixture(params=[None, "", "m"], ids=["no default", "", "m [default]"])
def default_unit(request):
    return request.param


@pytest.fixture
def metres():
    """Make a span of metres: `metres(1, 5)`, None for a missing bound."""

    def make(low=None, high=None, **options):
        bounds = [None if bound is None else parse(f"{bound} m") for bound in (low, high)]
        return Span(*bounds, **options)

    return make
