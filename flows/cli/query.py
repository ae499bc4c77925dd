"""`sextant query`: SQL over the published warehouse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import ReadOption, warehouse_of


def command(
    sql: Annotated[str, typer.Argument(help="one SELECT, e.g. 'select * from report.scores'")],
    store: ReadOption = None,
    format: Annotated[str, typer.Option(help="table, csv, json or parquet")] = "table",
    output: Annotated[Path | None, typer.Option(help="file to write instead of printing")] = None,
) -> None:
    """Read the warehouse with SQL. Nothing can be written; works while a run is writing. `sextant schema` lists the relations."""
    from schemas.printable import printable
    from warehouse.query import query

    text = query(warehouse_of(store), sql, format, output)
    if text:
        sys.stdout.write(f"{printable(text) if sys.stdout.isatty() else text}\n")  # csv is exact in a pipe; typer.echo would take colours out of it
