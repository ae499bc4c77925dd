"""Running one stage: its missing shards as Prefect tasks, a few at a time."""

from __future__ import annotations

import asyncio
from collections import Counter

import polars as pl

from flows.artifacts import Progress
from flows.runners import abreast, perform
from schemas.errors import Interrupted, SextantError, Unavailable
from tasks.generations import STOP
from tasks.progress import Advance, tell
from tasks.scope import Scope
from tasks.stage import Shard, Stage, finished
from tasks.stages import EVIDENCE

ABREAST = {"generations": 2}
"""Shards of one label under way at once: two hide each other's tails; a scoring shard already uses the whole machine."""


async def run_stage(stage: Stage, scope: Scope, units: pl.DataFrame) -> int:
    """Do what `stage` has not done for `units`; returns the number of shards.

    After a failure the further shards of its label are left; those of other labels go on, then the failure is raised.
    """
    shards = stage.plan(scope, units)
    spread = stage.table in EVIDENCE  # these read nothing but the store, so they may run anywhere
    for label, total in Counter(_sizes(shards)).items():
        tell(Advance(stage.table, label, total=total))
    slots = {_label(shard): asyncio.Semaphore(ABREAST.get(stage.table, 1)) for shard in shards}
    if stage.table != "generations":
        slots = dict.fromkeys(slots, asyncio.Semaphore(abreast() if spread else 1))

    progress = Progress(stage.table, len(shards))
    await progress.start()

    failed: dict[str, SextantError] = {}

    async def one(shard: Shard) -> None:
        async with slots[_label(shard)]:
            if _label(shard) in failed or STOP.is_set():
                return
            try:
                anew = not (stage.same_again and finished(shard))
                task = stage.task.with_options(refresh_cache=anew, tags={stage.table, _label(shard)})
                await (perform(task, shard) if spread else task(shard))
            except SextantError as error:
                failed[_label(shard)] = error
            # before the slot is free: beside the next shard's request SQLite refuses one of the two, and Prefect's client sleeps 2 s
            await progress.advance()

    await asyncio.gather(*(one(shard) for shard in shards))
    if spread and shards:
        scope.store.refresh()
    # a model that cannot be had is the least of failures: what must stop the run is raised first
    for error in sorted(failed.values(), key=lambda error: isinstance(error, Unavailable)):
        raise error
    if STOP.is_set():
        raise Interrupted("stopped; every answer that arrived is stored, run the same command again to go on")
    return len(shards)


def _label(shard: Shard) -> str:
    return str(shard.get("label", "all"))


def _sizes(shards: list[Shard]) -> dict[str, int]:
    sizes: Counter[str] = Counter()
    for shard in shards:
        sizes[_label(shard)] += len(shard.get("ids") or shard.get("pairs") or ())
    return sizes
