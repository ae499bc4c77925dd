"""`sextant plan`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from flows.cli.options import RunFile, StoreOption, store_of_run


def command(run_file: RunFile, store: StoreOption = None, format: Annotated[str, typer.Option(help="table or json")] = "table") -> None:
    """Say what an evaluation would buy and score: requests, tokens, dollars. A dry run: makes no request and writes nothing."""
    from flows.display import shown
    from flows.server import configure
    from tasks.run_files import load_run

    loaded = load_run(run_file)
    place = store_of_run(loaded.run, store)
    place.refresh()
    with TemporaryDirectory() as scratch:
        configure(Path(scratch))  # Prefect makes its home when imported, and a dry run leaves nothing behind
        from flows import estimate
        from tasks.scope import prepare

        with shown(quiet=True):
            scope = prepare(loaded, place, buying=False)
        typer.echo(estimate.render(estimate.estimate(scope), format))
