from decimal import Decimal
from unittest import mock

import pytest

from flatfile import Layout, Reader, RecordError

LAYOUT = Layout.parse("id 1-4\nname 5-8\namount 9-12 number.2")
ADA = "1115Ada 0150"
BOB = "2220Bob 0275"


def names(records):
	return [record["name"] for record in records]


def assert_error(caught, number, text):
	"""The error names the line, and says what is wrong."""
	assert caught.value.number == number
	assert str(caught.value).startswith(f"line {number}: ")
	assert text in str(caught.value)


def test_records():
	assert Reader(LAYOUT).read([ADA, BOB]) == [
		{"id": "1115", "name": "Ada", "amount": Decimal("1.50")},
		{"id": "2220", "name": "Bob", "amount": Decimal("2.75")},
	]


def test_blank_lines_and_line_ends_do_not_count():
	reader = Reader(LAYOUT)
	assert names(reader.read([ADA + "\r\n", "\n", "   \r\n", BOB + "\n"])) == ["Ada", "Bob"]
	assert reader.read([]) == []


def test_short_lines_have_missing_values():
	(record,) = Reader(LAYOUT).read(["7"])
	assert record == {"id": "7", "name": None, "amount": None}


@pytest.mark.parametrize(("extra", "good"), [("", True), (" ", False), ("xyz", False)])
def test_long_lines(extra, good):
	reader = Reader(LAYOUT)
	if good:
		assert len(reader.read([ADA + extra])) == 1
	else:
		with pytest.raises(RecordError) as caught:
			reader.read(["", ADA + extra])
		assert_error(caught, 2, f"{len(extra)} characters too many")


def test_a_field_that_is_no_good():
	with pytest.raises(RecordError) as caught:
		Reader(LAYOUT).read([ADA, "", "3333Cy  x"])
	assert_error(caught, 3, "amount: not a number: 'x'")


def test_check_digits():
	reader = Reader(LAYOUT, checked="id")
	assert names(reader.read(["1115Ada", "    Bob"])) == ["Ada", "Bob"]
	with pytest.raises(RecordError) as caught:
		reader.read(["1116Ada"])
	assert_error(caught, 1, "id: wrong check digit in 1116")


@pytest.mark.parametrize("option", ["checked", "total"])
def test_fields_that_are_not_there(option):
	with pytest.raises(ValueError, match="there is no field 'size'"):
		Reader(LAYOUT, **{option: "size"})


def test_problems():
	reader = Reader(LAYOUT, checked="id")
	lines = [ADA, "1116Ada", "", ADA + "!", "2220Bob x", BOB]
	found = reader.problems(lines)
	assert [problem.number for problem in found] == [2, 4, 5]
	assert "check digit" in str(found[0])
	assert "1 characters too many" in str(found[1])
	for limit, expected in ((0, []), (1, [2]), (2, [2, 4]), (3, [2, 4, 5]), (9, [2, 4, 5])):
		assert [problem.number for problem in reader.problems(lines, limit)] == expected
	assert reader.problems([ADA, BOB]) == []


def test_problems_stop_reading_at_the_limit():
	layout = mock.Mock(width=99, by_name={})
	layout.read.return_value = {}
	assert Reader(layout).problems(["a", "b"], 0) == []
	layout.read.assert_not_called()
	Reader(layout).problems(["a", "b"], 1)
	assert layout.read.call_args_list == [mock.call("a"), mock.call("b")]


@pytest.mark.parametrize(
	("number", "size", "expected"),
	[
		(1, 2, [1, 2]),
		(2, 2, [3, 4]),
		(3, 2, [5]),
		(4, 2, []),
		(1, 1, [1]),
		(5, 1, [5]),
		(1, 5, [1, 2, 3, 4, 5]),
		(1, None, [1, 2, 3, 4, 5]),
		(2, None, []),
	],
)
def test_pages(number, size, expected):
	assert Reader(LAYOUT).page([1, 2, 3, 4, 5], number, size) == expected


@pytest.mark.parametrize(("number", "size"), [(0, 1), (1, 0), (-1, -1)])
def test_pages_count_from_one(number, size):
	with pytest.raises(ValueError, match="a number and a size"):
		Reader(LAYOUT).page([1], number, size)


@pytest.fixture
def framed():
	return Reader(LAYOUT, marks=("HDR", "TRL"), total="amount")


@pytest.mark.parametrize("trailer", ["TRL2", "TRL 2", "TRL0002 4.25", "TRL2  4.250"])
def test_header_and_trailer(framed, trailer):
	assert names(framed.read(["HDR May", ADA, BOB, trailer])) == ["Ada", "Bob"]


def test_nothing_between_header_and_trailer(framed):
	assert framed.read(["HDR", "TRL0"]) == []
	assert framed.read(["HDR", "TRL0 0"]) == []


@pytest.mark.parametrize(
	("lines", "number", "message"),
	[
		([], 1, "a header begins with 'HDR'"),
		(["", ADA], 2, "a header begins with 'HDR'"),
		(["HDR"], 1, "a trailer begins with 'TRL'"),
		(["HDR", "", ADA], 3, "a trailer begins with 'TRL'"),
		(["HDR", ADA, "TRL2"], 3, "the trailer counts 2, not 1"),
		(["HDR", ADA, "TRL0"], 3, "the trailer counts 0, not 1"),
		(["HDR", ADA, "TRL"], 3, "the trailer counts nothing, not 1"),
		(["HDR", ADA, "TRLx"], 3, "the trailer counts x, not 1"),
		(["HDR", ADA, "TRL1 1.51"], 3, "the trailer sums up to 1.51, not 1.50"),
	],
)
def test_frames_that_do_not_agree(framed, lines, number, message):
	with pytest.raises(RecordError) as caught:
		framed.read(lines)
	assert_error(caught, number, message)


def test_a_sole_line_is_not_both_header_and_trailer():
	with pytest.raises(RecordError, match="a trailer begins"):
		Reader(LAYOUT, marks=("X", "X")).read(["X0"])


def test_sums_of_trailers_count_only_where_asked_for():
	reader = Reader(LAYOUT, marks=("HDR", "TRL"))
	assert names(reader.read(["HDR", ADA, "TRL1 99"])) == ["Ada"]


def test_sums(framed):
	records = [{"amount": Decimal("1.5")}, {"amount": None}, {}, {"amount": "x"}, {"amount": Decimal(2)}]
	assert framed.sum(records) == Decimal("3.5")
	assert framed.sum([]) == 0
	assert Reader(LAYOUT).sum(records) == 0
