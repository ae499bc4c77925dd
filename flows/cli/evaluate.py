"""`sextant evaluate`."""

from __future__ import annotations

import json
import shlex
from typing import Annotated

import typer

from flows.cli.options import Quiet, RunFile, StoreOption, store_of_run


def command(
    run_file: RunFile,
    store: StoreOption = None,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="print the result as one JSON object: suite_id, warehouse, report, scores, quality")] = False,
    retry_errors: Annotated[bool, typer.Option("--retry-errors", help="ask again what failed for good (bad request, overflow, filter)")] = False,
    publishing: Annotated[bool, typer.Option("--publish/--no-publish", help="whether to build the tables and show them; else `sextant publish` later")] = True,
) -> None:
    """Buy the missing answers of a run file, score them, publish, and show the result. A second time does nothing, quickly."""
    from flows.server import configure
    from tasks.run_files import load_run

    loaded = load_run(run_file)
    place = store_of_run(loaded.run, store).open()
    configure(place.root / "prefect")
    from flows.display import shown
    from flows.evaluate import evaluate, outstanding
    from flows.places import opened
    from flows.work import run_flow
    from tasks.scope import prepare

    with shown(quiet=True), opened(place):
        scope = prepare(loaded, place, retry_errors=retry_errors)
        work = outstanding(scope, publishing=publishing)
    if work:
        run_flow(place, lambda: evaluate(str(run_file.resolve()), place.address, retry_errors=retry_errors, publishing=publishing), quiet=quiet)
    else:
        typer.echo(f"nothing new: every answer and score of this run is stored{' and published' if publishing else ''}; no request was made", err=True)
    if not publishing:
        typer.echo(f"stored, not published: `sextant publish --store {shlex.quote(place.address)}` builds the tables of all that is stored", err=True)
        if as_json:
            typer.echo(json.dumps({"suite_id": scope.suite_id, "published": False}))
        return
    from flows import summary

    if as_json:
        typer.echo(summary.as_json(place, scope.suite_id))
    else:
        summary.show(place, scope.suite_id)
