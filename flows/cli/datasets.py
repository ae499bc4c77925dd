"""`sextant datasets`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    name: Annotated[str | None, typer.Argument(help="show items of this dataset; all datasets are listed when absent")] = None,
    path: Annotated[Path | None, typer.Option(help="local file or folder to read instead of the hub")] = None,
    limit: Annotated[int, typer.Option(min=1, help="items to show")] = 10,
    format: Annotated[str, typer.Option(help="table or jsonl")] = "table",
) -> None:
    """List the known datasets, or show the items of one."""
    from tasks.datasets.show import listing, showing

    typer.echo(listing(format) if name is None else showing(name, path, limit, format))
