"""`sextant backfill`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import Quiet, StoreOption, store_of_run


def command(  # noqa: PLR0913 - each option of the command is one argument
    dimension: Annotated[str, typer.Argument(help="correctness, consistency, robustness, coherence, efficiency or stability")],
    run_file: Annotated[Path, typer.Argument(help="run file that names the scorers", metavar="[RUN.yaml]")] = Path("deploy/runs/quickstart.yaml"),
    store: StoreOption = None,
    since: Annotated[str | None, typer.Option(help="only answers bought since this date or time, e.g. 2026-11-30", metavar="DATE")] = None,
    models: Annotated[str, typer.Option(help="only these configurations or models, separated by commas", metavar="NAMES")] = "",
    datasets: Annotated[str, typer.Option(help="only these datasets, separated by commas", metavar="NAMES")] = "",
    scorer: Annotated[str | None, typer.Option(help="judge instead of the run file's: embedded, hub id or path (coherence, stability)")] = None,
    again: Annotated[bool, typer.Option("--again", help="score anew what is scored already; stopped, the same command goes on")] = False,
    quiet: Quiet = False,
) -> None:
    """Compute one dimension's evidence again over stored generations and publish. Makes no request to any model."""
    from flows.server import configure
    from schemas.errors import UnknownName
    from schemas.records import DIMENSIONS
    from tasks.run_files import load_run

    if dimension not in DIMENSIONS:
        raise UnknownName("dimension", dimension, DIMENSIONS)
    place = store_of_run(load_run(run_file).run, store).open()
    configure(place.root / "prefect")
    from flows.backfill import backfill
    from flows.prices import told
    from flows.work import run_flow
    from tasks.selection import Selection

    choice = Selection(since=since, models=_split(models), datasets=_split(datasets), scorer=scorer, again=again)
    done = run_flow(place, lambda: backfill(dimension, str(run_file.resolve()), place.address, choice), quiet=quiet)
    typer.echo(told(place, dimension, done))


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
