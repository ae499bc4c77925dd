"""`sextant export`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer


def command(
    output: Annotated[Path, typer.Argument(help="folder (csv, parquet) or file (xlsx, latex) to write")],
    format: Annotated[str, typer.Option(help="csv, parquet, xlsx or latex")] = "csv",
    store: Annotated[Path | None, typer.Option(help="folder of the store; SEXTANT_STORE or sextant-data when absent")] = None,
) -> None:
    """Write the published scores, Q_w, ranks, comparisons and costs as tables for other programs."""
    from warehouse.exports import export

    root = store or Path(os.environ.get("SEXTANT_STORE") or "sextant-data")
    for path in export(root / "warehouse.duckdb", format, output):
        typer.echo(path)
