"""The commands as a user gives them: results on stdout, one clear line for what is wrong, exit codes."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bebug.cli import main
from bebug.cli.mutate import command as mutate
from bebug.cli.mutate import limits_of
from bebug.registry import load

REPO_CONFIG = """\
[project]
name = "till"
version = "1"
[tool.pytest.ini_options]
testpaths = ["tests"]
addopts = "-p no:hypothesispytest -p no:anyio"
"""
CODE = "def due(paid, price):\n    return paid < price\n"
TESTS = """\
from till import due


def test_due():
    assert due(1, 2)


def test_paid():
    assert not due(2, 2)
"""
DIFF = """\
--- a/till.py
+++ b/till.py
@@ -1,2 +1,2 @@
 def due(paid, price):
-    return paid < price
+    return paid <= price
"""


@pytest.fixture(scope="module")
def till(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = tmp_path_factory.mktemp("till")
    (repo / "tests").mkdir()
    (repo / "pyproject.toml").write_text(REPO_CONFIG)
    (repo / "till.py").write_text(CODE)
    (repo / "tests" / "test_till.py").write_text(TESTS)
    return repo


@pytest.fixture(scope="module")
def corpus(till: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "corpus"
    result = run_mutate(
        "--class", "off-by-one", "--seed", str(till), "--python", sys.executable, "--out", str(out)
    )
    assert result.exit_code == 0, result.output
    return out


def run_mutate(*words: str) -> Result:
    return CliRunner().invoke(mutate, words)


def rows(corpus: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (corpus / "cases.jsonl").read_text("ascii").split("\n") if line]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_mutate_tells_what_it_did_and_where_the_corpus_is(till: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    words = ["--class", "off-by-one", "--seed", str(till), "--python", sys.executable, "--out", str(out)]
    result = run_mutate(*words)
    assert result.exit_code == 0, result.output
    assert "1 sites, 1 mutants tried: 1 proved\n" in result.stdout
    assert "1 proven bad cases and 2 controls (1 twins, 1 preserving changes)" in result.stdout
    again = json.loads(run_mutate(*words, "--json").stdout)
    assert (again["sites"], again["killed"], again["cases"], again["controls"]) == (1, 1, 1, 2)
    assert again["outcomes"] == {"proved": 1}


def test_what_is_asked_of_runs_is_what_the_manifest_says(till: Path, tmp_path: Path) -> None:
    words = ("--confirm", "none", "--timeout-floor", "5", "--timeout-factor", "2", "--no-controls")
    out = tmp_path / "out"
    result = run_mutate(
        "--class", "off-by-one", "--seed", str(till), "--python", sys.executable, *words, "--out", str(out)
    )
    assert result.exit_code == 0, result.output
    assert json.loads((out / "manifest.json").read_text())["recipe"]["confirm"] == "none"
    limits = limits_of(None, "auto", floor=5, factor=2)
    assert (limits.seconds(3), limits_of(4, "auto", floor=5, factor=2).seconds(3)) == (11, 4)


def test_list_runs_no_test(till: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bebug.verification.cold.ColdRunner.run", None)
    result = run_mutate("--class", "all", "--seed", str(till), "--python", sys.executable, "--list", "--json")
    rows = json.loads(result.stdout)["sites"]
    assert ("till.py", 2, "off-by-one/step-the-boundary") in {
        (row["path"], row["line"], row["rule"]) for row in rows
    }
    assert {Path(row["path"]).name for row in rows} == {"till.py", "test_till.py"}


def test_dry_run_estimates_the_minutes(till: Path) -> None:
    words = ["--class", "all", "--seed", str(till), "--python", sys.executable, "--dry-run", "--json"]
    assert json.loads(run_mutate(*words).stdout)["minutes"] > 0


def test_explain_shows_the_table_and_needs_no_seed() -> None:
    result = run_mutate("--class", "off-by-one", "--explain")
    assert result.exit_code == 0
    assert "lo <= x < hi" in result.stdout and "lo < x < hi" in result.stdout


def test_score_prints_sl2s_keys_and_measures_nothing_it_has_not(corpus: Path) -> None:
    report = json.loads(run("score", str(corpus), "--backend", "mock", "--json").stdout)
    assert (report["n_cases"], report["n_bad"], report["n_good"]) == (3, 1, 2)
    assert (report["false_passes"], report["false_pass_rate"]) == (1, 1.0)
    assert (report["false_fails"], report["false_fail_rate"]) == (0, 0.0)
    assert {row["label"] for row in report["results"]} == {"bad", "good"}


def test_score_names_each_wrong_verdict(corpus: Path) -> None:
    bad = next(row for row in rows(corpus) if row["label"] == "bad")
    assert bad["id"] in run("score", str(corpus), "--backend", "always-pass").stdout


@pytest.mark.parametrize(
    ("diff", "verdict"), [(DIFF, "killed"), (DIFF.replace("<= price", "< price  # so"), "survived")]
)
def test_prove_gives_one_object_and_exits_0(till: Path, tmp_path: Path, diff: str, verdict: str) -> None:
    file = tmp_path / "change.diff"
    file.write_text(diff)
    result = run("prove", "--seed", str(till), "--diff", str(file), "--python", sys.executable, "--json")
    said = json.loads(result.stdout)
    assert (result.exit_code, said["verdict"]) == (0, verdict)
    assert said["fail_to_pass"] == (["tests/test_till.py::test_paid"] if verdict == "killed" else [])
    assert "tests/test_till.py::test_due" in said["pass_to_pass"]


def test_prove_says_error_for_a_diff_that_does_not_apply(till: Path, tmp_path: Path) -> None:
    file = tmp_path / "change.diff"
    file.write_text(DIFF.replace("paid < price", "something else"))
    result = run("prove", "--seed", str(till), "--diff", str(file), "--python", sys.executable, "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["verdict"] == "error"


def test_show_prints_the_diff_to_the_byte(corpus: Path) -> None:
    for row in rows(corpus):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "from bebug.cli import main; main()",
                "show",
                row["id"],
                "--corpus",
                str(corpus),
                "--diff",
            ],
            capture_output=True,
            check=True,
        )
        assert done.stdout.decode() == row["diff"]


def test_show_tells_evidence_and_how_to_run_it_again(corpus: Path, till: Path) -> None:
    bad = next(row for row in rows(corpus) if row["label"] == "bad")
    text = run("show", bad["id"][:12], "--corpus", str(corpus)).stdout
    assert "tests/test_till.py::test_paid" in text
    assert f"bebug prove --seed {till} --diff case.diff" in text
    assert not [line for line in text.splitlines() if line.endswith((": None", "_diff: ", ":  "))]


def test_show_obeys_nothing_that_a_case_says_to_the_terminal(corpus: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(corpus, tmp_path / "corpus")
    bad = next(row for row in rows(copy) if row["label"] == "bad")
    told = (copy / "cases.jsonl").read_text("ascii")
    message = json.dumps(bad["evidence"]["signature"]["message"])
    assert message in told
    hostile = json.dumps("\x1b[31mred\x1b[0m\x1b]0;title\x07\r\u202eassert\nnext")
    (copy / "cases.jsonl").write_text(told.replace(message, hostile))
    text = run("show", bad["id"], "--corpus", str(copy)).stdout
    assert "redassert\n    next\n" in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)


WRONG: list[tuple[Sequence[str], int, str]] = [
    (["mutate", "--class", "off-by-two", "--seed", "ledger"], 2, "off-by-one"),
    (["mutate", "--class", "of-by-one", "--seed", "ledger"], 2, "did you mean off-by-one?"),
    (["mutate", "--class", "renamed-locals", "--seed", "ledger"], 2, "did you mean renamed-local?"),
    (["mutate", "--class", "off-by-one"], 2, "--seed"),
    (["mutate", "--seed", "ledger"], 2, "--class"),
    (["mutate", "--class", "off-by-one", "--seed", "leger"], 2, "ledger"),
    (["mutate", "--class", "off-by-one", "--seed", "./not/there"], 10, "not/there"),
    (["mutate", "--class", "off-by-one", "--seed", "ledger", "--keep-arid", "nothing"], 2, "logging"),
    (["score", "not-there", "--backend", "mock"], 12, "not-there"),
    (["score", ".", "--backend", "nobody"], 2, "mock"),
    (["prove", "--seed", "ledger", "--diff", "not-there.diff"], 2, "not-there.diff"),
    (["show", "no-such-case", "--corpus", "not-there"], 12, "not-there"),
    (["seeds", "show", "leger"], 2, "ledger"),
]


@pytest.mark.parametrize(("words", "code", "named"), WRONG)
def test_what_is_wrong_is_told_in_a_line_that_names_it(
    words: Sequence[str], code: int, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.exit_code == code, result.output
    assert named in result.stderr
    assert "Traceback" not in result.output


def test_an_unknown_class_is_told_classes_and_controls_apart_and_no_internal_faults() -> None:
    said = run_mutate("--class", "x", "--seed", "ledger").stderr
    faults, controls = said.partition("controls")[::2]
    assert set(load("operators")) == set(re.findall(r"[a-z-]+", faults)) & {
        *load("operators"),
        *load("controls"),
    }
    assert all(name in controls for name in load("controls"))
    assert not [name for name in load("faults") if name in said]


def test_seeds_list_is_a_table_of_a_line_each() -> None:
    heading, *lines = run("seeds", "list").stdout.splitlines()
    assert len(lines) == len(json.loads(run("seeds", "list", "--json").stdout))
    starts = [heading.index(word) for word in ("version", "source", "licence", "summary")]
    assert all(line[start - 1] == " " != line[start] for line in lines for start in starts)


def test_seeds_list_names_the_seeds_that_ship() -> None:
    names = {row["name"] for row in json.loads(run("seeds", "list", "--json").stdout)}
    assert {"ledger", "textindex", "toolz"} <= names


def test_seeds_show_gives_what_another_prover_needs() -> None:
    facts = json.loads(run("seeds", "show", "ledger", "--json").stdout)
    assert (Path(facts["tree"]) / "pyproject.toml").is_file()
    assert Path(facts["python"]).is_file()


def test_seeds_show_gives_the_arguments_that_a_manifest_gives(till: Path, corpus: Path) -> None:
    (seed,) = json.loads((corpus / "manifest.json").read_text())["seeds"]
    facts = json.loads(run("seeds", "show", str(till), "--python", sys.executable, "--json").stdout)
    assert "-p" in seed["test_argv"]
    assert {key: facts[key] for key in ("test_argv", "cwd", "env", "sha256")} == {
        key: seed[key] for key in ("test_argv", "cwd", "env", "sha256")
    }


def test_replay_of_a_path_seed_says_what_to_type(corpus: Path, till: Path) -> None:
    result = run("replay", str(corpus), "--python", sys.executable)
    assert result.exit_code == 10
    typed = re.search(r"type: bebug (.*) \(where it lay", result.stderr)
    assert typed, result.stderr
    words = shlex.split(typed[1])
    assert words == ["replay", str(corpus), "--seed", f"till={till}"]
    assert run(*words, "--sample", "1", "--python", sys.executable).exit_code == 0


def test_ctrl_c_says_what_is_kept_of_that_command(corpus: Path, till: Path, tmp_path: Path) -> None:
    words = ["--seed", str(till), "--python", sys.executable, "--class", "off-by-one"]
    mutate_ = ["mutate", *words, "--out", str(tmp_path / "out")]
    replay = ["replay", str(corpus), "--seed", f"till={till}", "--python", sys.executable]
    assert "the same command goes on from here" in interrupted(*mutate_)
    said = interrupted(*replay)
    assert "no result is kept" in said and "goes on" not in said


def interrupted(*words: str) -> str:
    """What a command says on stderr that gets Ctrl-C when it has begun to run tests."""
    script = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    script += "from bebug.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", script, *words], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        said = ""
        while "untouched" not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
        process.send_signal(signal.SIGINT)
        said += process.stderr.read()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    return said


def test_seeds_check_runs_the_untouched_suite(till: Path) -> None:
    facts = json.loads(run("seeds", "check", str(till), "--python", sys.executable, "--json").stdout)
    assert (facts["tests_collected"], facts["green"], facts["set_aside"]) == (2, 2, [])


def test_list_names_every_open_set() -> None:
    found = json.loads(run("list", "--json").stdout)
    assert {"operators", "controls", "faults", "critics", "codecs", "oracles", "reports", "tiers"} == set(
        found
    )
    assert all(text for members in found.values() for text in members.values())


@pytest.mark.parametrize("script", ["mutate", "bebug"])
def test_the_console_scripts_start(script: str) -> None:
    done = subprocess.run([Path(sys.executable).with_name(script), "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "Usage:" in done.stdout
