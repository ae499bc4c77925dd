"""`sextant import-rqeval`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import StoreOption


def command(
    results: Annotated[list[Path], typer.Argument(metavar="CHECKPOINT...", help="checkpoints: outputs/checkpoints/<experiment>/<model>.jsonl")],
    datasets: Annotated[list[Path], typer.Option("--dataset", help="dataset file of the same run: outputs/dataset_<name>.json; once per dataset")],
    store: StoreOption = None,
) -> None:
    """Take the answers of RQEval runs into the store with their rewordings, to be scored here by `sextant backfill`."""
    from flows.imports import told
    from flows.places import opened, store_for
    from tasks.importers.evidence import store_log
    from tasks.importers.rqeval import read_results

    read = [read_results(path, datasets) for path in results]
    with opened(store_for(None, store).open()) as place:
        typer.echo(told([store_log(place, log) for log in read]))
