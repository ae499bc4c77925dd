"""Arguments and options that several commands share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from schemas.config import Run
    from warehouse.store import Store

RunFile = Annotated[Path, typer.Argument(help="run file, e.g. deploy/runs/quickstart.yaml", metavar="RUN.yaml")]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="store: a folder or s3://bucket/prefix; a `store:` in the run file comes first, SEXTANT_STORE after", metavar="STORE"),
]
ReadOption = Annotated[
    str | None, typer.Option("--store", help="store: a folder or s3://bucket/prefix; SEXTANT_STORE or sextant-data when absent", metavar="STORE")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress, only the result")]


def store_of_run(run: Run, option: str | None) -> Store:
    """The store of a run file. Its own goes before --store, which is said where they differ."""
    from flows.places import store_for
    from warehouse.store import store_at

    if run.store and option and store_at(option).address != store_at(run.store).address:
        typer.echo(f"sextant: the run file names `store: {run.store}`, so --store {option} is not used", err=True)
    return store_for(run.store, option)


def warehouse_of(store: str | None) -> Path:
    """Where the published warehouse of the store lies, fetched first where the store is on object storage."""
    address = store or os.environ.get("SEXTANT_STORE") or "sextant-data"
    if not address.startswith("s3://"):
        return Path(address) / "warehouse.duckdb"
    from warehouse.published import bring
    from warehouse.store import store_at

    return bring(store_at(address))
