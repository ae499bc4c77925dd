"""`sextant nightly`."""

from __future__ import annotations

import typer

from flows.cli.options import Quiet, RunFile, StoreOption, store_of_run


def command(run_file: RunFile, store: StoreOption = None, quiet: Quiet = False) -> None:
    """Evaluate versions not evaluated yet under the run file's suite, compare each with its predecessor, publish and alert.

    Exit code 0: done or nothing new; 3: budget reached, resumable; 4: a configuration regressed.
    """
    import asyncio

    from flows.server import configure
    from schemas.errors import Regressed, RunError
    from tasks.run_files import load_run

    loaded = load_run(run_file)
    place = store_of_run(loaded.run, store).open()
    configure(place.root / "prefect")
    from flows import summary
    from flows.nightly import nightly
    from flows.nights import glance
    from flows.places import opened
    from flows.work import run_flow

    with opened(place):
        night = asyncio.run(glance(loaded, place))
    if night.is_quiet:
        typer.echo(night.said(), err=True)
        return
    probed = [probe.probe_id for probe in night.probes]
    outcome = run_flow(place, lambda: nightly(str(run_file.resolve()), place.address, probed), quiet=quiet)
    summary.show(place, outcome.suite_id)
    if outcome.regressed:
        raise Regressed(f"regressed: {', '.join(outcome.regressed)}; `sextant compare` shows by how much, the report is {place.root / 'report.html'}")
    if outcome.failed:
        raise RunError(f"could not be evaluated: {', '.join(outcome.failed)}; the others are published, run again when the model can be had")
