"""`sextant query`: SQL over the published warehouse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer


def command(
    sql: Annotated[str, typer.Argument(help="one SELECT, e.g. 'select * from report.scores'")],
    store: Annotated[Path | None, typer.Option(help="folder of the store; SEXTANT_STORE or sextant-data when absent")] = None,
    format: Annotated[str, typer.Option(help="table, csv, json or parquet")] = "table",
    output: Annotated[Path | None, typer.Option(help="file to write instead of printing")] = None,
) -> None:
    """Read the warehouse with SQL. Nothing can be written; works while a run is writing. `sextant schema` lists the relations."""
    from warehouse.query import query

    root = store or Path(os.environ.get("SEXTANT_STORE") or "sextant-data")
    text = query(root / "warehouse.duckdb", sql, format, output)
    if text:
        typer.echo(text)
