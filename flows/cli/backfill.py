"""`sextant backfill`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Quiet, StoreOption


def command(
    dimension: Annotated[str, typer.Argument(help="correctness, consistency, robustness, coherence, efficiency or stability")],
    run_file: Annotated[Path, typer.Argument(help="run file that names the scorers", metavar="[RUN.yaml]")] = Path("deploy/runs/quickstart.yaml"),
    store: StoreOption = None,
    quiet: Quiet = False,
) -> None:
    """Compute one dimension's evidence again over stored generations and publish. Makes no request to any model."""
    from flows.places import store_for
    from flows.server import configure
    from schemas.errors import UnknownName
    from schemas.records import DIMENSIONS
    from tasks.run_files import load_run

    if dimension not in DIMENSIONS:
        raise UnknownName("dimension", dimension, DIMENSIONS)
    place = store_for(load_run(run_file).run.store, store).open()
    configure(place.root / "prefect")
    from flows.backfill import backfill
    from flows.work import run_flow

    done = run_flow(place, lambda: backfill(dimension, str(run_file.resolve()), str(place.root)), quiet=quiet)
    rows = ", ".join(f"{count} new rows in {table}" for table, count in done.rows.items())
    typer.echo(f"backfilled {dimension} over {done.generations} stored generations of {done.suites} suites: {rows}; no request to any model")
