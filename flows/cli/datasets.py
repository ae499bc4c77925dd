"""`sextant datasets`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    name: Annotated[str | None, typer.Argument(help="show items of this dataset; all known datasets are listed when absent")] = None,
    path: Annotated[Path | None, typer.Option(help="local file or folder to read instead of the hub")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="items to show, drawn as a run would; 10 unless said, or all with --format jsonl")] = None,
    subjects: Annotated[str | None, typer.Option(help="subjects to keep, separated by commas")] = None,
    fields: Annotated[list[str] | None, typer.Option("--field", help="our=theirs, e.g. question=Body,Question; once per field")] = None,
    skip_bad_rows: Annotated[bool, typer.Option(help="set unreadable rows aside instead of stopping")] = False,
    format: Annotated[str, typer.Option(help="table or jsonl")] = "table",
) -> None:
    """List the known datasets, or show the items of one as a run would draw them."""
    from tasks.datasets.show import described, listing, showing

    if name is None:
        typer.echo(listing(format))
        return
    spec = described(name, path, subjects, fields or [])
    shown = limit if limit is not None or format == "jsonl" else 10
    typer.echo(showing(spec.model_copy(update={"limit": shown, "on_bad_row": "skip" if skip_bad_rows else "error"}), format))
