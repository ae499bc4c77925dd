"""Stage `traces`: each stored generation split into reasoning steps."""

from __future__ import annotations

import asyncio
from typing import Any

import polars as pl
from prefect import task

from tasks.evidence import stamped, texts, trace_text, unseen
from tasks.scope import Scope
from tasks.scorers.steps import CARD, split
from tasks.stage import OPTIONS, Shard, Stage, advanced, save

SHARD = 5000


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Generations without a trace row of this splitter."""
    return unseen(scope, units, CARD, SHARD)


@task(name="traces", task_run_name="traces", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Split the traces of one shard."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    rows = [_row(shard, generation) for generation in texts(shard)]
    result = save(shard, {"traces": rows})
    advanced(shard, len(rows))
    return result


def _row(shard: Shard, generation: dict[str, Any]) -> dict[str, Any]:
    steps = split(trace_text(generation))
    status = "scored" if steps else "empty"
    return stamped(shard, generation["generation_id"], status=status, reason=None if steps else "empty", n_steps=len(steps), steps=steps)


STAGE = Stage("traces", CARD.version, plan, score)
