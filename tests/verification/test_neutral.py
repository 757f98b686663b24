"""Which of a seed's own pytest options may stay."""

from __future__ import annotations

import pytest

from bebug.verification.neutral import ALWAYS, effective, neutralised


@pytest.mark.parametrize(
    "text",
    [
        "-n 2",
        "-n2",
        "-nauto",
        "-n=4",
        "--numprocesses auto",
        "--numprocesses=2",
        "--dist loadfile",
        "--maxprocesses=3",
        "--cov=pkg",
        "--cov pkg",
        "--cov-branch",
        "--cov-fail-under=100",
        "--cov-report term-missing",
        "--cov-report=xml:out.xml",
        "--no-cov-on-fail",
        "-x",
        "--exitfirst",
        "--maxfail=1",
        "--maxfail 2",
        "--lf --lfnf=all",
        "--lf --lfnf none",
        "--ff --nf --sw --stepwise-skip",
        "--cache-clear",
        "-p cacheprovider",
        "-pcacheprovider",
        "-p no:cacheprovider",
        "-p xdist.plugin",
        "--pdb --trace",
        "--pdbcls IPython.terminal.debugger:Pdb",
        "--random-order --random-order-seed=1",
        "--randomly-seed=last",
        "--mypy --ruff --ruff-format --flake8 --pylint --black --isort --codestyle",
        "--mypy-config-file mypy.ini",
    ],
)
def test_what_steers_the_run_goes(text: str) -> None:
    found = neutralised(["a", *text.split(), "b"])
    assert found.kept == ("a", "b")
    assert found.dropped == tuple(text.split())


@pytest.mark.parametrize(
    "words",
    [
        ["--import-mode=importlib", "--strict-markers", "--strict-config", "-W", "error"],
        ["-p", "bbplug.plugin", "--reruns", "2", "-m", "not slow", "-k", "-x or --cov"],
        ["--pyargs", "--doctest-modules", "-ra", "-vv", "--tb=short", "--durations=10", "--timeout=30"],
        ["-p", "no:terminal", "-s", "--deselect", "tests/test_a.py::test_b", "-c", "other.ini"],
        ["--ignore", "-n", "tests/test_x.py", "--rootdir", "--lf"],
        ["--continue-on-collection-errors", "--no-header", "-nope"],
    ],
)
def test_all_else_stays_in_order(words: list[str]) -> None:
    assert neutralised(words).kept == tuple(words)
    assert neutralised(words).dropped == ()


def test_cov_takes_a_following_word_but_not_an_option() -> None:
    assert neutralised(["--cov", "-v"]).kept == ("-v",)


def test_what_is_left_of_the_settings_takes_their_place() -> None:
    argv, dropped = effective("-n 2 -k 'a or b' --cov=pkg", ["tests", "-x"])
    assert argv == ("-o", "addopts=-k 'a or b'", "tests", *ALWAYS)
    assert dropped == ("-n", "2", "--cov=pkg", "-x")


def test_harmless_settings_are_left_where_they_are() -> None:
    assert effective(["-ra", "--strict-markers"], ["tests"]) == (("tests", *ALWAYS), ())


def test_a_last_option_without_its_value_is_no_crash() -> None:
    assert neutralised(["-n"]).dropped == ("-n",)
    assert neutralised(["-k"]).kept == ("-k",)


def test_an_unknown_setting_may_be_made_harmless() -> None:
    argv, dropped = effective("--strict-config -ra", [], strict_settings=False, extra=("-W", "ignore"))
    assert argv == ("-o", "addopts=-ra", *ALWAYS, "-o", "strict_config=false", "-W", "ignore")
    assert dropped == ("--strict-config",)
