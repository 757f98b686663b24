"""Neutral arguments: what a seed asks of pytest, less what would change which tests run or how they end.

Parallel workers, coverage with its threshold, stopping at a failure, memory of earlier runs, debuggers,
random order and linters that pose as tests go; import mode, strictness, warnings, plugins, reruns, `-m` and
`-k` stay.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

UNKNOWN_CACHE_DIR = ("-W", "ignore:Unknown config option:pytest.PytestConfigWarning")
ALWAYS = ("--continue-on-collection-errors", "-p", "no:randomly")
TAKING_VALUE_TEXT = """
    -n --numprocesses --dist --maxprocesses --max-worker-restart --tx --px
    --rsyncdir --rsyncignore --testrunuid
    --cov-report --cov-config --cov-fail-under --cov-context
    --maxfail --lfnf --last-failed-no-failures --pdbcls
    --random-order-bucket --random-order-seed --randomly-seed
    --mypy-config-file --pylint-rcfile --pylint-error-types --pylint-jobs --pylint-output-file --pylint-ignore
    --flake8-max-line-length
"""
FLAG_TEXT = """
    -d -f --looponfail --no-loadscope-reorder --loadscope-reorder
    -x --exitfirst --lf --last-failed --ff --failed-first --nf --new-first
    --sw --stepwise --sw-skip --stepwise-skip --sw-reset --stepwise-reset
    --cache-clear --pdb --trace --random-order --random-order-clean
    --mypy --mypy-ignore-missing-imports --mypy-only --mypy-same-process --ruff --ruff-format
    --pylint --pylint-no --no-pylint --flake8 --black --isort
    --codestyle --pycodestyle --pep8 --pydocstyle --docstyle
"""
KEPT_WITH_VALUE_TEXT = "-k -m -p -c -o -W -r --rootdir --confcutdir --deselect --ignore --ignore-glob"

TAKING_VALUE = frozenset(TAKING_VALUE_TEXT.split())  # dropped with the word that follows
MAY_TAKE_VALUE = frozenset(["--cov"])  # dropped with the word that follows, unless that is an option
FLAGS = frozenset(FLAG_TEXT.split())  # dropped
KEPT_WITH_VALUE = frozenset(
    KEPT_WITH_VALUE_TEXT.split()
)  # their values may look like options of these tables
PREFIXES = ("--cov", "--no-cov", "--cache-", "--randomly-")
PLUGINS = frozenset(
    ["cacheprovider", "xdist", "xdist.plugin", "xdist.looponfail", "randomly", "random_order"]
)
STRICT = frozenset(["--strict-config"])
SHORT = re.compile(r"-n(\d+|auto|logical)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neutral:
    """Arguments in two heaps, each in its order."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]


def words(raw: str | Sequence[str]) -> tuple[str, ...]:
    """A settings file's `addopts`, text or list, as words."""
    return tuple(shlex.split(raw) if isinstance(raw, str) else raw)


def neutralised(arguments: Iterable[str]) -> Neutral:
    """Sort *arguments* into what may stay and what has to go."""
    kept: list[str] = []
    dropped: list[str] = []
    rest = list(arguments)
    while rest:
        taken = 1 + extent(rest)
        heap = dropped if unwelcome(rest) else kept
        heap += rest[:taken]
        del rest[:taken]
    return Neutral(kept=tuple(kept), dropped=tuple(dropped))


def extent(words: Sequence[str]) -> int:
    """How many of the words after the first belong to it as its value."""
    first = words[0]
    if first in TAKING_VALUE or first in KEPT_WITH_VALUE:
        return min(1, len(words) - 1)
    follows = len(words) > 1 and not words[1].startswith("-")
    return 1 if first in MAY_TAKE_VALUE and follows else 0


def unwelcome(words: Sequence[str]) -> bool:
    first = words[0].partition("=")[0]
    if first == "-p" and len(words) > 1:
        return words[1].removeprefix("no:") in PLUGINS
    if first.startswith("-p") and len(first) > 2 and not first.startswith("--"):
        return first[2:].removeprefix("no:") in PLUGINS
    known = first in TAKING_VALUE or first in FLAGS or first.startswith(PREFIXES)
    return known or SHORT.fullmatch(words[0]) is not None


def effective(
    addopts: str | Sequence[str],
    arguments: Sequence[str],
    *,
    strict_settings: bool = True,
    extra: Sequence[str] = (),
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The seed's effective pytest arguments, and the words that were dropped from what it asked for.

    *addopts* is the settings file's own value: where something of it goes, what is left takes its place by
    `-o`. Without *strict_settings*, an unknown setting is no error. *extra* comes last.
    """
    settings, given = neutralised(words(addopts)), neutralised(arguments)
    kept, asked = list(settings.kept), list(given.kept)
    dropped = [*settings.dropped, *given.dropped]
    if not strict_settings:
        dropped += [word for word in (*kept, *asked) if word in STRICT]
        kept, asked = ([word for word in heap if word not in STRICT] for heap in (kept, asked))
        extra = ("-o", "strict_config=false", *extra)
    override = ("-o", f"addopts={shlex.join(kept)}") if kept != list(words(addopts)) else ()
    return (*override, *asked, *ALWAYS, *extra), tuple(dropped)


def of_settings(settings: dict[str, object], given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Effective and dropped arguments, from the settings file's own values.

    Without pytest's cache plugin, which every run does without, a `cache_dir` setting is unknown:
    strictness must not make that an error.
    """
    addopts = settings.get("addopts", "")
    raw: str | list[str] = addopts if isinstance(addopts, str | list) else ""
    if "cache_dir" not in settings:
        return effective(raw, given)
    return effective(raw, given, strict_settings=False, extra=UNKNOWN_CACHE_DIR)
