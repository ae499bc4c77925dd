"""The console script `sextant`: one file per command, listed here, no logic.

Heavy imports stay inside the command functions: `sextant --help` and `sextant query` answer in under a second.
"""

from __future__ import annotations

import importlib
import sys

import typer

from schemas.errors import SextantError

COMMANDS = ("check_answers", "perturb", "steps", "calibrate", "datasets", "query")
"""Modules of this package; module `check_answers` holds the function `command` and becomes `sextant check-answers`."""

app = typer.Typer(name="sextant", help="Measures how well a language model reasons.", no_args_is_help=True, pretty_exceptions_enable=False)


def _register() -> None:
    for name in COMMANDS:
        module = importlib.import_module(f"flows.cli.{name}")
        app.command(name.replace("_", "-"))(module.command)


def main() -> None:
    """Run a command; an error of ours is one line on stderr and its exit code."""
    _register()
    try:
        app()
    except SextantError as error:
        typer.echo(f"sextant: {error}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
