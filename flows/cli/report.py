"""`sextant report`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from flows.cli.options import StoreOption


def command(
    store: StoreOption = None,
    output: Annotated[Path | None, typer.Option(help="file to write; report.html in the store when absent", metavar="FILE")] = None,
    open: Annotated[bool, typer.Option("--open", help="show it in the browser")] = False,
) -> None:
    """Write the HTML report of the published warehouse: one file that opens from disk and asks nothing of any server."""
    from flows.places import store_for
    from warehouse.published import bring
    from warehouse.report import write

    place = store_for(None, store)
    bring(place)
    path = write(place, output)
    typer.echo(path)
    if open:
        webbrowser.open(path.absolute().as_uri())
