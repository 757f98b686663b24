import pytest


@pytest.fixture
def broken():
    raise RuntimeError("no database")


@pytest.fixture
def ends_badly():
    yield 1
    raise RuntimeError("cannot close")


def test_red():
    assert 1 == 2


def test_set_up_fails(broken):
    pass


def test_tear_down_fails(ends_badly):
    assert ends_badly == 1


@pytest.mark.skip(reason="not now")
def test_skipped():
    pass


@pytest.mark.xfail(reason="known")
def test_expected():
    assert False


@pytest.mark.xfail(reason="known", strict=True)
def test_expected_strictly():
    assert False


@pytest.mark.xfail(reason="thought so")
def test_unexpected():
    pass


@pytest.mark.xfail(reason="thought so", strict=True)
def test_unexpected_strictly():
    pass


@pytest.mark.xfail(run=False)
def test_never_run():
    assert False
