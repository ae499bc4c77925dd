"""Flow `backfill`: one dimension's evidence over stored generations -> publish. Never makes a request to a model."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
from prefect import flow

from flows.fan_out import run_stage
from flows.places import opened, store_for
from flows.publish import publish
from flows.runners import workers
from schemas.errors import UnknownName
from schemas.records import DIMENSIONS
from tasks import evaluations
from tasks.notices import notice
from tasks.run_files import load_run
from tasks.scope import Scope
from tasks.selection import Selection, begun_again, ended_again, judges_for, selected
from tasks.stages import READ_BY, cards, evidence_for


@dataclass(frozen=True)
class Backfilled:
    """What a backfill did: generations it covers, new rows per table, suites whose marts read the scorer now and those that wait for the rest."""

    generations: int
    suites: int
    rows: dict[str, int]
    waiting: int = 0
    seconds: float = 0.0


ALL = Selection()


@flow(name="backfill", flow_run_name="backfill {dimension}")
async def backfill(dimension: str, run_file: str, store: str | None = None, choice: Selection = ALL) -> Backfilled:
    """Compute the evidence that `dimension` reads with the scorers of `run_file` over the stored generations that `choice` covers, and publish.

    Evidence of other scorers stays beside it. A suite's marts switch to the configured scorers once all its generations have their evidence:
    two scorers never mix. Stopped at any moment, the same call goes on.

    Raises:
        UnknownName: no such dimension, model or dataset.
        Unavailable: a judge that cannot be had; it is never replaced.
    """
    if dimension not in READ_BY:
        raise UnknownName("dimension", dimension, DIMENSIONS)
    loaded = load_run(Path(run_file))
    judges = judges_for(dimension, loaded.run.judges, choice.scorer)
    loaded = replace(loaded, run=loaded.run.model_copy(update={"judges": judges}))
    began = time.monotonic()
    with opened(store_for(loaded.run.store, store)) as place, workers(loaded.run.runner):
        everything = evaluations.stored_units(place)
        units = selected(everything, place, choice)
        scope = Scope(place, loaded, (), (), "", {}, again=begun_again(place, dimension, judges, choice))
        before = _rows(scope, dimension)
        for stage in evidence_for((dimension,)):
            await run_stage(stage, scope, units)
        switched, waiting = _switch(replace(scope, again=None), dimension, everything, units)
        after = _rows(scope, dimension)
        await publish(place.address)
        ended_again(place, dimension, judges, choice)
    rows = {table: after[table] - before[table] for table in after}
    return Backfilled(units["generation_id"].n_unique(), switched, rows, waiting, time.monotonic() - began)


def _switch(scope: Scope, dimension: str, everything: pl.DataFrame, units: pl.DataFrame) -> tuple[int, int]:
    """Let the marts of the covered suites read the configured scorers, where no generation lacks their evidence; returns (switched, waiting)."""
    suites = units["suite_id"].unique(maintain_order=True).to_list()
    whole = [suite for suite in suites if not _lacks(scope, dimension, everything.filter(pl.col("suite_id") == suite))]
    evaluations.activate(scope.store, whole, cards((dimension,), scope.judges))
    for suite in set(suites) - set(whole):
        notice(f"suite {suite[:12]} keeps its former scorer of {dimension} until all its answers are scored by the new one; backfill the rest to switch")
    return len(whole), len(suites) - len(whole)


def _lacks(scope: Scope, dimension: str, units: pl.DataFrame) -> bool:
    return any(stage.plan(scope, units) for stage in evidence_for((dimension,)))


def _rows(scope: Scope, dimension: str) -> dict[str, int]:
    return {stage.table: scope.store.scan(stage.table).select(pl.len()).collect().item() for stage in evidence_for((dimension,))}
