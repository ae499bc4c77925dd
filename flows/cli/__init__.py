"""The console script `sextant`: one file per command, listed here, no logic.

Heavy imports stay inside the command functions: `sextant --help` and `sextant query` answer in under a second.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import sys

import typer

from schemas.errors import Interrupted, SextantError
from schemas.printable import printable

COMMANDS = (
    "init",
    "doctor",
    "evaluate",
    "nightly",
    "plan",
    "backfill",
    "publish",
    "compare",
    "query",
    "report",
    "schema",
    "datasets",
    "perturb",
    "check_answers",
    "steps",
    "calibrate",
    "export",
    "import_inspect",
    "import_rqeval",
    "prune",
)
"""Modules of this package; module `check_answers` holds the function `command` and becomes `sextant check-answers`."""

app = typer.Typer(
    name="sextant", help="Measures how well a language model reasons.", no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
)


def _register() -> None:
    for name in COMMANDS:
        module = importlib.import_module(f"flows.cli.{name}")
        app.command(name.replace("_", "-"))(module.command)


def main() -> None:
    """Run a command; an error of ours is one line on stderr and its exit code."""
    _register()
    atexit.register(gc.freeze)  # else the interpreter, when it ends, looks once more through everything that was ever imported: a second
    try:
        app()
    except SextantError as error:
        sys.exit(_say(str(error), error.exit_code))
    except KeyboardInterrupt:
        sys.exit(_say("stopped; whatever arrived is stored, run the same command again to go on", Interrupted.exit_code))
    except BrokenPipeError:
        # the reader of our output went away (`sextant query ... | head`); Python would complain once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _say(message: str, code: int) -> int:
    typer.echo(f"sextant: {printable(message)}", err=True)
    return code
