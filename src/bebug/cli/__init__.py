"""The command line: parse, call one pipeline verb, print."""

from __future__ import annotations

from importlib import import_module

import click

from bebug import __version__

COMMANDS = {
    "mutate": "Plant faults in a seed, prove them, and write the proven ones as a corpus.",
    "score": "Ask a critic about every case of a corpus and print its error rates.",
    "prove": "Run a seed's tests with any diff applied and say what they notice.",
    "show": "Show a case: its diff, its evidence, and how to run it again.",
    "replay": "Prove the labels of a corpus again, from its records alone.",
    "audit": "Check a corpus: is each case sound, and can labels be guessed without reading code?",
    "balance": "Write the part of a corpus whose labels cannot be guessed.",
    "merge": "Make one corpus of several.",
    "split": "Divide a corpus in two by seed.",
    "export": "Write a corpus in another format.",
    "seeds": "List, describe, check and fetch seeds.",
    "cache": "Show what is kept on the disk, and clean it.",
    "doctor": "Say what this machine has of what bebug needs.",
    "list": "List every open set: operators, controls, critics, codecs and more.",
}


class _Lazy(click.Group):
    """Imports a command when it is asked for: `bebug --help` loads no parser and no SDK."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"bebug.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bebug")
def main() -> None:
    """Plant known bugs in real code, prove them by the code's own tests, and measure who notices.

    \b
    Start here:
      mutate --class off-by-one --seed ledger
      bebug score generated/ledger-off-by-one --backend mock
    """
