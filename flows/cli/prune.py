"""`sextant prune`."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.options import Quiet, StoreOption


def command(
    store: StoreOption = None,
    older_than: Annotated[float | None, typer.Option(min=0, help="configurations whose newest answer is older", metavar="DAYS")] = None,
    version: Annotated[list[str] | None, typer.Option(help="configurations of this model version: version, model name, or first digits of its id")] = None,
    apply: Annotated[bool, typer.Option("--apply", help="do it; without this it is only told")] = False,
    quiet: Quiet = False,
) -> None:
    """Let evidence of old configurations go, by age or version. Tells first; refuses what a published comparison needs."""
    from flows.places import opened, store_for
    from flows.server import configure
    from warehouse import prune

    place = store_for(None, store).open()
    place.refresh()
    going = prune.candidates(place, older_than_days=older_than, versions=version or [])
    for candidate in going:
        newest = f"{candidate.newest_answer:%Y-%m-%d}" if candidate.newest_answer else "never answered"
        typer.echo(f"{candidate.configuration} ({candidate.version}), {candidate.configuration_id[:12]}, newest answer {newest}")
    told = prune.measure(place, going)
    rows = ", ".join(f"{count} rows of {table}" for table, count in told.rows.items()) or "nothing"
    typer.echo(f"{len(going)} configurations: {rows}, in files of {told.bytes / 1e6:.1f} MB")
    for reason in prune.needed(place, going):
        typer.echo(f"refused: {reason}")
    if not apply:
        typer.echo("dry run: nothing was removed; --apply does it")
        return
    configure(place.root / "prefect")
    from flows.publish import publish
    from flows.work import run_flow

    with opened(place):
        prune.apply(place, going)
    typer.echo(f"removed; report {run_flow(place, lambda: publish(place.address), quiet=quiet)}")
