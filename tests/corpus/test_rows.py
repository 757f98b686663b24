"""A case is one line of JSON, and comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bebug.corpus import rows
from bebug.errors import CorpusError
from bebug.laws.codecs import corpora
from bebug.records import Corpus

Make = Callable[..., Any]
FIELDS = [  # in the order of the format's own table
    *(
        "id",
        "label",
        "track",
        "defect_class",
        "operator",
        "title",
        "body",
        "description",
        "seed",
        "base_patch",
    ),
    *("diff", "path", "span", "function", "twin", "evidence"),
]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpora())
def test_a_case_comes_back_from_its_line(corpus: Corpus) -> None:
    for case in corpus.cases:
        line = rows.line(rows.to_row(case))
        assert line.count(b"\n") == 1
        assert line.isascii()
        ((_, row),) = rows.read_lines(line, "x")
        assert rows.from_row(row) == case


def test_keys_stand_in_the_order_of_the_format(bad: Make) -> None:
    assert list(json.loads(rows.line(rows.to_row(bad())))) == FIELDS


def test_line_ends_of_unicode_do_not_split_a_record(bad: Make) -> None:
    odd = "-a\u2028b\u2029c\u0085d\x0b\x0c\r+e\n"
    line = rows.line(rows.to_row(bad(diff=odd.encode())))
    assert len(line.splitlines()) == 1
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["diff"] == odd


def test_bytes_that_are_no_text_are_kept_as_base64(bad: Make) -> None:
    raw = b'-x = "\xe9"  # caf\xe9\n+x = "\xe9" \n'
    row = rows.to_row(bad(diff=raw))
    assert row["diff"]["encoding"] == "base64"
    assert rows.from_row(row).diff == raw


def test_records_are_split_at_lf_alone_and_a_cr_before_it_is_forgiven() -> None:
    text = '{"id": "1", "diff": "a\u2028b\u2029\u0085"}\r\n\n{"id":\r"2"}\n{"id": "3"}'
    found = list(rows.read_lines(text.encode(), "f"))
    assert [(place, row["id"]) for place, row in found] == [("f:1", "1"), ("f:3", "2"), ("f:4", "3")]
    assert found[0][1]["diff"] == "a\u2028b\u2029\u0085"


@pytest.mark.parametrize("line", [b"{", b"\xff", b"[1,", b"[" * 100_000])
def test_a_line_that_is_not_json_is_named_by_its_number(line: bytes) -> None:
    with pytest.raises(CorpusError, match=r"cases\.jsonl:2: this line is not JSON"):
        list(rows.read_lines(b"{}\n" + line, "cases.jsonl"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "ugly"}, "label is 'ugly'"),
        ({"label": ["bad"]}, "label is"),
        ({"title": 3}, "'title' holds 3"),
        ({"span": {"start_line": 1}}, "'span'"),
        ({"span": []}, "'span'"),
        ({"twin": 1}, "'twin'"),
        ({"evidence": None}, "'evidence'"),
        ({"diff": None}, "'diff' is neither text nor base64"),
        ({"diff": {"encoding": "base64", "data": "%"}}, "'diff' is not base64"),
        ({"diff": {"encoding": "hex", "data": "00"}}, "'diff' is neither"),
    ],
)
def test_a_field_of_the_wrong_type_is_named(bad: Make, change: dict[str, Any], message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        rows.from_row({**rows.to_row(bad()), **change})


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_is_named(bad: Make, name: str) -> None:
    row = rows.to_row(bad())
    del row[name]
    with pytest.raises(CorpusError, match=f"'{name}' is missing"):
        rows.from_row(row)


def test_a_row_that_is_no_object_is_refused() -> None:
    with pytest.raises(CorpusError, match="not list"):
        rows.from_row([])


@pytest.mark.parametrize("value", [float("nan"), {1}, 10**5000], ids=["nan", "set", "huge"])
def test_what_json_cannot_hold_is_an_error_that_names_the_case(bad: Make, value: object) -> None:
    row = {**rows.to_row(bad()), "evidence": {"witness": value}}
    with pytest.raises(CorpusError, match=row["id"]):
        rows.line(row)
