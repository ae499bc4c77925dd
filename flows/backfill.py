"""Flow `backfill`: one dimension's evidence over stored generations -> publish. Never makes a request to a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl
from prefect import flow

from flows.fan_out import run_stage
from flows.places import opened, store_for
from flows.publish import publish
from schemas.errors import UnknownName
from schemas.records import DIMENSIONS
from tasks import evaluations
from tasks.run_files import load_run
from tasks.scope import Scope
from tasks.stages import READ_BY, cards, evidence_for


@dataclass(frozen=True)
class Backfilled:
    """What a backfill did: generations it covers, and new rows per table."""

    generations: int
    suites: int
    rows: dict[str, int]


@flow(name="backfill", flow_run_name="backfill {dimension}")
async def backfill(dimension: str, run_file: str, store: str | None = None) -> Backfilled:
    """Compute the evidence that `dimension` reads with the scorers of `run_file`, for every stored generation, and publish.

    Evidence of other scorers stays beside it; the marts of the covered suites switch to the configured scorers.

    Raises:
        UnknownName: no such dimension.
        Unavailable: a judge that cannot be had; it is never replaced.
    """
    if dimension not in READ_BY:
        raise UnknownName("dimension", dimension, DIMENSIONS)
    loaded = load_run(Path(run_file))
    with opened(store_for(loaded.run.store, store)) as place:
        units = evaluations.stored_units(place)
        scope = Scope(place, loaded, (), (), "", {})
        before = _rows(scope, dimension)
        for stage in evidence_for((dimension,)):
            await run_stage(stage, scope, units)
        suites = units["suite_id"].unique().to_list()
        evaluations.activate(place, suites, cards((dimension,), scope.judges))
        after = _rows(scope, dimension)
        await publish(str(place.root))
    generations = units.select("generation_id").n_unique()
    return Backfilled(generations, len(suites), {table: after[table] - before[table] for table in after})


def _rows(scope: Scope, dimension: str) -> dict[str, int]:
    return {stage.table: scope.store.scan(stage.table).select(pl.len()).collect().item() for stage in evidence_for((dimension,))}
