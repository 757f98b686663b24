"""Controls preserve: programs out of thin air do the same before and after, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug.mutation.controls._names import WORDS, other_names
from bebug.mutation.engine import mine
from bebug.mutation.operator import Operator
from bebug.registry import load

CONTROLS: Mapping[str, Operator] = load("controls")


class Spy:
    """A value that writes down whatever is asked of it."""

    def __init__(self, n: int, log: list[str]) -> None:
        self.n, self.log = n, log

    def _asked(self, what: str) -> bool:
        self.log.append(f"{what} {self.n}")
        return self.n % 2 == 1

    def __bool__(self) -> bool:
        return self._asked("bool")

    def __eq__(self, other: object) -> Any:
        return Spy(self.n + 1, self.log) if self._asked("eq") else Spy(self.n, self.log)

    def __lt__(self, other: object) -> Any:
        return Spy(self.n + 1, self.log) if self._asked("lt") else Spy(self.n, self.log)

    def __call__(self, *values: object) -> Spy:
        self._asked(f"call {values!r}")
        return Spy(self.n + 1, self.log)

    def __repr__(self) -> str:
        return f"Spy({self.n})"

    __hash__ = object.__hash__


def happened(source: str, inputs: Sequence[int | None], *, spies: bool) -> list[str]:
    """Everything that `f` of *source* does with *inputs*: what it asks, what it calls, how it ends."""
    log: list[str] = []
    values = [Spy(each, log) if spies and isinstance(each, int) else each for each in inputs]
    space: dict[str, Any] = {"g": Spy(1, log)}
    exec(compile(source, "<program>", "exec"), space)
    try:
        log.append(f"returns {space['f'](*values, list(values))!r}")
    except (ValueError, TypeError) as error:
        log.append(f"raises {type(error).__name__}")
    # Python itself asks `a` for its truth twice in a row in `x = not (a and b)`, and once in its other form.
    return [each for number, each in enumerate(log) if number == 0 or each != log[number - 1]]


VARIABLES = st.sampled_from(["a", "b", "c", "result", "pos", "xs"])
VALUES = st.one_of(VARIABLES, st.builds("g({})".format, VARIABLES), st.sampled_from(["None", "0", "1"]))
SINGLE = st.one_of(
    VARIABLES,
    st.builds("{} is None".format, VARIABLES),
    st.builds("{} is not None".format, VARIABLES),
    st.builds("{} in xs".format, VARIABLES),
    st.builds("{} not in xs".format, VARIABLES),
    st.builds("not {}".format, VARIABLES),
    st.builds("g({})".format, VARIABLES),
    st.builds("{} < {}".format, VARIABLES, VARIABLES),
    st.builds("{} == {}".format, VARIABLES, VARIABLES),
)
TESTS = st.recursive(
    SINGLE,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({} and {})".format, inner, inner),
        st.builds("not ({} or {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
    ),
    max_leaves=4,
)
SIMPLE = st.one_of(
    st.builds("result = {}\n".format, VALUES),
    st.builds("pos = {}\n".format, TESTS),
    st.builds("result = {} if {} else {}\n".format, VALUES, TESTS, VALUES),
    st.builds("g({})\n".format, TESTS),
    st.builds("g({})\n".format, st.sampled_from(["len(xs) > 1", "len(xs) <= 2", "len(xs) >= 4"])),
    st.builds("return {}\n".format, st.one_of(VALUES, TESTS)),
    st.just("raise ValueError(a)\n"),
    st.just("pass  # nothing\n"),
)


def indented(text: str) -> str:
    return "".join("    " + line for line in text.splitlines(keepends=True))


def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=2).map(lambda parts: indented("".join(parts)))
    return st.one_of(
        st.builds("if {}:\n{}".format, TESTS, block),
        st.builds("if {} and {}:\n{}".format, TESTS, TESTS, block),
        st.builds("if {}:\n{}else:\n{}".format, TESTS, block, block),
        st.builds("if {}:\n{}elif {}:\n{}else:\n{}".format, TESTS, block, TESTS, block, block),
        st.builds("for item in xs:\n{}    pos = item is result\n".format, block),
    )


STATEMENTS = st.recursive(SIMPLE, blocks, max_leaves=5)
GUARDED = st.builds(
    str.format,
    st.sampled_from(
        [
            "if {}:\n    return {}\npos = {}\nreturn pos\n",
            "if {}:\n    return {}\nelse:\n    g({})\n",
            "if {} is None:\n    return {}\npos = {}\nreturn pos\n",
        ]
    ),
    st.one_of(VARIABLES, SINGLE, TESTS),
    VALUES,
    VALUES,
)
PROGRAMS = st.builds(
    lambda parts, tail: "def f(a, b, c, xs):\n    result = pos = a\n" + indented("".join(parts) + tail),
    st.lists(STATEMENTS, min_size=1, max_size=3),
    st.one_of(st.just(""), GUARDED),
)
INPUTS = st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=3, max_size=3)


@pytest.mark.parametrize("name", CONTROLS)
@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(program=PROGRAMS, inputs=st.lists(INPUTS, min_size=3, max_size=3))
def test_a_control_changes_nothing_that_a_program_does(
    name: str, program: str, inputs: Sequence[Sequence[int | None]]
) -> None:
    raw = program.encode()
    spies = name != "flip-comparison"  # it does ask the other side first, as its page says
    for mutant in mine("f.py", raw, [CONTROLS[name]]).mutants:
        after = mutant.apply(raw).decode()
        for each in inputs:
            assert happened(program, each, spies=spies) == happened(after, each, spies=spies), after


def test_programs_out_of_thin_air_meet_every_rule() -> None:
    met: set[str] = set()

    @settings(max_examples=200, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True)
    @given(program=PROGRAMS)
    def meet(program: str) -> None:
        mined = mine("f.py", program.encode(), list(CONTROLS.values()))
        met.update(mutant.site.rule for mutant in mined.mutants)

    meet()
    assert met == {rule.name for control in CONTROLS.values() for rule in control.rules}


def test_another_name_is_another_name_and_a_name() -> None:
    for name in (*WORDS, "last_pos", "pos_of_end"):
        others = list(other_names(name))
        assert others and name not in others and all(other.isidentifier() for other in others)
    assert list(other_names("frobnicator")) == []
    assert list(other_names("start_pos")) == ["start_position", "begin_pos"]
