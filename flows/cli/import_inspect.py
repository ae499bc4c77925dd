"""`sextant import-inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import StoreOption


def command(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Inspect logs, .eval or .json")],
    store: StoreOption = None,
    dataset: Annotated[str | None, typer.Option(help="dataset name; the log's task when absent")] = None,
    answer_type: Annotated[str | None, typer.Option(help="number, choice, boolean or text, where the targets do not tell")] = None,
) -> None:
    """Take the answers of Inspect AI logs into the store, to be scored here by `sextant backfill`. Their own scores are left aside."""
    from flows.imports import told
    from flows.places import opened, store_for
    from tasks.importers.evidence import store_log
    from tasks.importers.inspect_logs import read_log

    read = [read_log(path, dataset=dataset, answer_type=answer_type) for path in logs]
    with opened(store_for(None, store).open()) as place:
        typer.echo(told([store_log(place, log) for log in read]))
