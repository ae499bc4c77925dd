"""`sextant schema`: what the warehouse holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    relation: Annotated[str | None, typer.Argument(help="a relation, e.g. marts.dimension_scores; all are listed when absent")] = None,
    write: Annotated[Path | None, typer.Option(help="write the generated pages (relations.md, run-files.md) into this folder", metavar="FOLDER")] = None,
) -> None:
    """List the relations of the warehouse, or describe one: what a row is, its columns, types and units."""
    from flows.reference import generated
    from warehouse.reference import text

    if write is None:
        typer.echo(text(relation))
        return
    for name, page in generated().items():
        (write / name).write_text(page, encoding="utf-8")
        typer.echo(f"wrote {write / name}")
