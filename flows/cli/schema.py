"""`sextant schema`: what the warehouse holds."""

from __future__ import annotations

from typing import Annotated

import typer

from warehouse.reference import text


def command(relation: Annotated[str | None, typer.Argument(help="a relation, e.g. marts.dimension_scores; all are listed when absent")] = None) -> None:
    """List the relations of the warehouse, or describe one: what a row is, its columns, types and units."""
    typer.echo(text(relation))
