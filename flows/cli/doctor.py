"""`sextant doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import StoreOption


def command(
    run_file: Annotated[Path | None, typer.Argument(help="also look at what this run file needs", metavar="[RUN.yaml]")] = None, store: StoreOption = None
) -> None:
    """Look at the environment, keys (present or not, never shown), models, hub, disk, server and store, and say what to do."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from flows.doctor import findings

    table = Table("", "what", "found", "what to do")
    bad = 0
    for finding in findings(run_file, store):
        bad += bool(finding.remedy) and not finding.optional
        table.add_row(
            "ok" if not finding.remedy else "note" if finding.optional else "!", *(Text(text) for text in (finding.what, finding.found, finding.remedy))
        )
    Console().print(table)
    raise typer.Exit(0 if not bad else 1)
