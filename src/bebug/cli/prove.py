"""`bebug prove`: one verdict for one diff of the user's own."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bebug.cli.common import CONTEXT, INTERPRETER, print_json, say, told, watching
from bebug.cli.mutate import limits_of, sandbox_option
from bebug.errors import BebugError, UsageError
from bebug.pipeline.proving import Proof, prove


@click.command("prove", context_settings=CONTEXT)
@click.option(
    "--seed", required=True, metavar="SEED", help="A seed's name, or a path to any local repository."
)
@click.option(
    "--diff",
    "diff_file",
    required=True,
    metavar="FILE",
    help="A unified diff that applies at the seed's root; - for stdin.",
)
@click.option("--python", type=INTERPRETER, help="The interpreter for the seed's tests.")
@click.option(
    "--timeout", type=click.FloatRange(min=1), help="Seconds for a test run.  [default: from the baseline]"
)
@sandbox_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
@told
def command(
    seed: str,
    diff_file: str,
    python: Path | None,
    timeout: float | None,
    sandbox: str,
    as_json: bool,
    pytest_args: tuple[str, ...],
) -> None:
    """Run a seed's whole suite with a diff applied, in a private copy, and say what the tests notice.

    The verdict is killed, survived, broken, lost, timeout, crash, aborted, flaky or no_tests. The exit code
    is 0 whenever there is one. What stands after `--` goes to pytest.

    \b
    Examples:
      bebug prove --seed ledger --diff change.diff
      git diff | bebug prove --seed ./my-repo --diff - --json -- -k parser
    """
    try:
        with watching() as watch:
            proof = prove(
                seed,
                _read(diff_file),
                python=python,
                pytest_args=pytest_args,
                limits=limits_of(timeout, sandbox),
                observer=watch,
            )
    except BebugError as error:
        if as_json:
            print_json({"verdict": "error", "message": error.message, "detail": error.detail})
        raise
    print_json(proof.as_json()) if as_json else _print(proof)


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the diff {name}: {error.strerror}") from None


def _print(proof: Proof) -> None:
    click.echo(proof.verdict)
    for title, tests in (("fail", proof.fail_to_pass), ("are lost", proof.lost)):
        if tests:
            click.echo(f"{len(tests)} tests {title} with the diff:")
            for test in tests:
                click.echo(f"  {ascii(test)[1:-1]}")
    if proof.failure is not None:
        where = f" at {proof.failure.frame}" if proof.failure.frame else ""
        say(f"{proof.failure.exception}: {proof.failure.message}{where}")
    if proof.output:
        say(proof.output)
    if proof.set_aside:
        click.echo(f"{len(proof.set_aside)} tests fail or flake without the diff and count nowhere")
    for note in proof.notes:
        say(f"note: {note}")
