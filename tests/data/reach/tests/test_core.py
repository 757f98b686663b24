from concurrent.futures import ThreadPoolExecutor

import pytest

from pkg import core

LOG = []


@pytest.fixture(scope="session")
def rows():
    return core.by_session(3)


@pytest.fixture(scope="module", autouse=True)
def logged():
    yield
    core.by_module_end(LOG)


@pytest.fixture
def pair():
    return core.direct(5, 6), core.direct(6, 6)


def test_direct():
    assert core.direct(1, 2) and not core.direct(2, 2)


def test_fixture(pair):
    assert pair == (True, False)


def test_thread():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(core.threaded, 2, 2).result() is False


def test_rows(rows):
    assert rows == [0, 1, 2]


def test_rows_again(rows):
    assert len(rows) == 3


def test_spanning():
    assert core.spanning(1) and not core.spanning(2)


def test_table():
    assert not core.OPERATIONS["lt"](2, 2)
