"""Every critic holds the law of critics, and the sanity critics do what their names say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bebug import registry
from bebug.errors import CriticError, UsageError
from bebug.laws.critics import HARD_CHANGES, changes, check_critic
from bebug.records import Change, Said, Verdict

FREE = ("always-fail", "always-pass", "coin", "mock")  # they cost nothing and need nothing


def test_the_free_critics_are_there() -> None:
    assert set(FREE) <= registry.load("critics").keys()


@pytest.mark.parametrize("name", FREE)
def test_a_critic_survives_the_empty_the_huge_and_the_hostile_change(name: str) -> None:
    check_critic(registry.pick("critics", name)(""))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(change=changes(), name=st.sampled_from(FREE))
def test_a_critic_says_the_same_of_the_same_change(change: Change, name: str) -> None:
    check_critic(registry.pick("critics", name)(""), [change])


class Moody:
    def __init__(self) -> None:
        self.said = Said.PASS

    def review(self, change: Change) -> Verdict:
        self.said = Said.FAIL if self.said is Said.PASS else Said.PASS
        return Verdict(said=self.said)


class Sloppy:
    def review(self, change: Change) -> str:
        return "PASS"


class Mute:
    def review(self, change: Change) -> Verdict:
        raise CriticError("")


class Refusing:
    def review(self, change: Change) -> Verdict:
        raise CriticError("refused")


@pytest.mark.parametrize(
    ("critic", "message"),
    [(Moody(), "on the same change"), (Sloppy(), "answered with str"), (Mute(), "gives no reason")],
)
def test_the_law_notices_a_critic_that_breaks_it(critic: object, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_critic(critic)  # type: ignore[arg-type]


def test_the_law_takes_a_critic_error_for_an_answer() -> None:
    check_critic(Refusing())


def test_the_hard_changes_are_empty_huge_and_hostile() -> None:
    assert [len(change.diff) > 2_000_000 for change in HARD_CHANGES] == [False, True, False]
    assert HARD_CHANGES[0].diff == b""


@pytest.mark.parametrize("name", ["always-pass", "always-fail", "mock"])
def test_a_critic_without_argument_refuses_one(name: str) -> None:
    with pytest.raises(UsageError, match=f"'{name}' takes no argument"):
        registry.pick("critics", name)("0.5")


@pytest.mark.parametrize("argument", ["1.1", "-0.1", "heads", "nan"])
def test_a_coin_takes_a_probability_alone(argument: str) -> None:
    with pytest.raises(UsageError, match="probability from 0 to 1"):
        registry.pick("critics", "coin")(argument)


@pytest.mark.parametrize(("argument", "chance"), [("0", 0.0), ("0.3", 0.3), ("", 0.5), ("1", 1.0)])
def test_a_coin_fails_its_share_of_changes(
    change: Callable[..., Change], argument: str, chance: float
) -> None:
    coin = registry.pick("critics", "coin")(argument)
    n = 4000
    failed = sum(coin.review(change(" a", name=str(i))).said is Said.FAIL for i in range(n))
    assert failed / n == pytest.approx(chance, abs=4 * (chance * (1 - chance) / n) ** 0.5)
