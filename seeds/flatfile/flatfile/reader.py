"""Readers: records from lines, with a header and a trailer that have to agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from flatfile.codes import is_checked
from flatfile.fields import FieldError, Value
from flatfile.layout import Layout

Record = dict[str, Value]


class RecordError(ValueError):
	"""A line is no good; `number` counts from 1."""

	def __init__(self, message: str, number: int) -> None:
		super().__init__(f"line {number}: {message}")
		self.number = number


class Reader:
	"""Reads lines by a layout. `marks` are the first characters of header and trailer."""

	def __init__(
		self,
		layout: Layout,
		*,
		marks: tuple[str, str] | None = None,
		checked: str | None = None,
		total: str | None = None,
	) -> None:
		for name in (checked, total):
			if name is not None and name not in layout.by_name:
				raise ValueError(f"there is no field {name!r}")
		self.layout = layout
		self.marks = marks
		self.checked = checked
		self.total = total

	def read(self, lines: Iterable[str]) -> list[Record]:
		"""All records; a RecordError for the first line that is no good."""
		found: list[Record] = []
		numbered = list(self._content(lines))
		if self.marks is not None:
			numbered = self._without_frame(numbered)
		for number, line in numbered:
			found.append(self._record(number, line))
		return found

	def problems(self, lines: Iterable[str], limit: int | None = None) -> list[RecordError]:
		"""What is wrong with each line that is no good, the first `limit` of them."""
		found: list[RecordError] = []
		for number, line in self._content(lines):
			if limit is not None and len(found) >= limit:
				break
			try:
				self._record(number, line)
			except RecordError as error:
				found.append(error)
		return found

	def page(self, records: list[Record], number: int, size: int | None = None) -> list[Record]:
		"""Page `number`, which counts from 1, of so many records; all for None."""
		if size is None:
			return records if number == 1 else []
		if number < 1 or size < 1:
			raise ValueError("a page has a number and a size")
		first = (number - 1) * size
		return records[first : first + size]


	def _content(self, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
		"""The lines that are not blank, with their numbers."""
		for number, line in enumerate(lines, 1):
			plain = line.rstrip("\r\n")
			if plain.strip():
				yield number, plain

	def _record(self, number: int, line: str) -> Record:
		if len(line) > self.layout.width:
			raise RecordError(f"{len(line) - self.layout.width} characters too many", number)
		try:
			record = self.layout.read(line)
		except FieldError as error:
			raise RecordError(str(error), number) from None
		if self.checked is not None:
			value = record[self.checked]
			if value is not None and not is_checked(str(value)):
				raise RecordError(f"{self.checked}: wrong check digit in {value}", number)
		return record

	def _without_frame(self, numbered: list[tuple[int, str]]) -> list[tuple[int, str]]:
		"""The lines between header and trailer, once the trailer agrees with them."""
		header, trailer = self.marks or ("", "")
		if not numbered or not numbered[0][1].startswith(header):
			raise RecordError(f"a header begins with {header!r}", numbered[0][0] if numbered else 1)
		last, line = numbered[-1]
		if len(numbered) < 2 or not line.startswith(trailer):
			raise RecordError(f"a trailer begins with {trailer!r}", last)
		body = numbered[1:-1]
		count, _, rest = line[len(trailer) :].strip().partition(" ")
		if not count.isdecimal() or int(count) != len(body):
			raise RecordError(f"the trailer counts {count or 'nothing'}, not {len(body)}", last)
		if self.total is not None and rest:
			found = self.sum(self._record(*item) for item in body)
			if Decimal(rest) != found:
				raise RecordError(f"the trailer sums up to {rest.strip()}, not {found}", last)
		return body

	def sum(self, records: Iterable[Record]) -> Decimal:
		"""The sum of the field `total` where there is a number in it."""
		result = Decimal(0)
		if self.total is None:
			return result
		for record in records:
			value = record.get(self.total)
			if value is None or not isinstance(value, Decimal):
				continue
			result += value
		return result