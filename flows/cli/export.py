"""`sextant export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import ReadOption, warehouse_of


def command(
    output: Annotated[Path, typer.Argument(help="folder (csv, parquet) or file (xlsx, latex) to write")],
    format: Annotated[str, typer.Option(help="csv, parquet, xlsx or latex")] = "csv",
    store: ReadOption = None,
) -> None:
    """Write the published scores, Q_w, ranks, comparisons and costs as tables for other programs."""
    from warehouse.exports import export

    for path in export(warehouse_of(store), format, output):
        typer.echo(path)
