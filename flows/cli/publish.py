"""`sextant publish`."""

from __future__ import annotations

import typer

from flows.cli.options import Quiet, StoreOption


def command(store: StoreOption = None, quiet: Quiet = False) -> None:
    """Check the stored evidence, rebuild the warehouse and its report."""
    from flows.places import store_for
    from flows.server import configure

    place = store_for(None, store).open()
    configure(place.root / "prefect")
    from flows.publish import publish
    from flows.work import run_flow

    typer.echo(run_flow(place, lambda: publish(place.address), quiet=quiet))
