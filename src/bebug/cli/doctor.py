"""`bebug doctor`: what this machine has of what bebug needs."""

from __future__ import annotations

import click

from bebug.cli.common import CONTEXT, print_json, told
from bebug.errors import MachineError
from bebug.pipeline.doctoring import diagnose


@click.command("doctor", context_settings=CONTEXT)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@told
def command(as_json: bool) -> None:
    """Look at git, uv, interpreters, sandbox tools, cache and disk, and say what to do about what lacks.

    Ends with 16 where something is missing that bebug cannot do without.

    \b
    Examples:
      bebug doctor
      bebug doctor --json
    """
    diagnosis = diagnose()
    if as_json:
        print_json(diagnosis.as_json())
        raise SystemExit(MachineError.exit_code if diagnosis.missing else 0)
    for each in diagnosis.findings:
        step = f"; next: {each.step}" if each.step else ""
        click.echo(f"{each.state:8} {each.name:13} {each.said}{step}")
    if diagnosis.missing:
        raise MachineError(f"missing here: {', '.join(diagnosis.missing)}; the lines above say what to do")
