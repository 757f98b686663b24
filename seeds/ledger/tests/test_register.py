from datetime import date

import pytest

from ledger.periods import parse_period
from ledger.reports import page_of, register, render_page


def test_the_running_balance(household):
    lines = register(household, "Assets:Checking")
    assert [str(line.running) for line in lines] == [
        "1,000.00 USD",
        "957.90 USD",
        "157.90 USD",
        "2,157.90 USD",
        "2,140.00 USD",
        "1,340.00 USD",
        "1,280.00 USD",
    ]


def test_the_register_of_everything_ends_at_zero(household):
    lines = register(household)
    assert len(lines) == 15
    assert not lines[-1].running


def test_the_register_of_a_period_starts_at_zero(household):
    lines = register(household, "Assets:Checking", parse_period("2024-02"))
    assert [line.date.day for line in lines] == [1, 10, 29]
    assert str(lines[0].running) == "2,000.00 USD"


def test_the_register_of_a_text(household):
    lines = register(household, "Expenses", text="corner")
    assert [line.date for line in lines] == [date(2024, 1, 5), date(2024, 3, 1)]


@pytest.mark.parametrize(
    ("number", "size", "count"),
    [(1, 15, 15), (2, 14, 1), (3, 5, 5), (1, 100, 15)],
)
def test_page_of(household, number, size, count):
    lines = register(household)
    page = page_of(lines, number, size)
    start = (number - 1) * size
    assert list(page.lines) == lines[start : start + count]


@pytest.mark.parametrize(("size", "pages"), [(1, 15), (7, 3), (15, 1)])
def test_the_last_page_is_shown_without_a_number(household, size, pages):
    page = page_of(register(household), size=size)
    assert (page.number, page.pages) == (pages, pages)


def test_no_lines_are_one_empty_page():
    page = page_of([])
    assert (page.number, page.pages, page.lines) == (1, 1, ())


@pytest.mark.parametrize("number", [0, 4])
def test_pages_that_do_not_exist(household, number):
    with pytest.raises(ValueError, match=f"no page {number} of 3"):
        page_of(register(household), number, 5)


def test_a_page_needs_a_line():
    with pytest.raises(ValueError, match="one line or more"):
        page_of([], size=0)


def test_render_page_shows_a_transaction_once(household):
    page = page_of(register(household, period=parse_period("2024-02-10")))
    rows = render_page(page)
    assert len(rows) == 2
    assert rows[0].startswith("2024-02-10 Noodle Bar           Expenses:Food:Restaurants ")
    assert rows[1].startswith(" " * 31 + " Assets:Checking ")
    assert rows[1].endswith("-17.90 USD 0")


def test_render_page_repeats_the_payee_of_another_day(household):
    page = page_of(register(household, "Expenses:Rent"))
    assert [row[:19] for row in render_page(page)] == ["2024-01-31 Landlord", "2024-02-29 Landlord"]


def test_render_page_names_the_page_only_when_there_are_several(household):
    lines = register(household, "Expenses")
    assert render_page(page_of(lines, 1, 3))[-1] == "page 1 of 2"
    assert len(render_page(page_of(lines, 1, 5))) == 5


def test_render_page_shortens_accounts(household):
    page = page_of(register(household, "Expenses:Food:Restaurants"))
    assert "Ex:Food:Restaurants " in render_page(page, 19)[0]
