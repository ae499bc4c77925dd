"""Stage `equations`: every `a op b = c` of each step, checked exactly."""

from __future__ import annotations

import asyncio
from typing import Any

import polars as pl
from prefect import task

from tasks.evidence import of_scorer, stamped, unseen
from tasks.identities import fingerprint
from tasks.scope import Scope, store_of
from tasks.scorers import steps
from tasks.scorers.equations import CARD, check
from tasks.stage import OPTIONS, Shard, Stage, advanced, save

SHARD = 5000


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Traces with steps whose equations this checker has not read."""
    split = scope.store.newest("traces").filter(pl.col("scorer") == fingerprint(steps.CARD), pl.col("n_steps") > 0).select("generation_id").collect()
    return unseen(scope, units.join(split, on="generation_id", how="semi"), CARD, SHARD)


@task(name="equations", task_run_name="equations", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Check the equations of one shard's steps."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    traces = of_scorer(store_of(shard["store"]).newest("traces"), fingerprint(steps.CARD), shard["ids"])
    rows = []
    for trace in traces.iter_rows(named=True):
        for index, step in enumerate(trace["steps"], 1):
            found = check(step)
            rows.append(
                stamped(
                    shard,
                    trace["generation_id"],
                    step_index=index,
                    n_equations=found.n,
                    n_true=found.n_true,
                    n_false=found.n_false,
                    n_undecidable=found.n_undecidable,
                    false_equations=list(found.false),
                )
            )
    result = save(shard, {"equations": rows})
    advanced(shard, traces.height)
    return result


STAGE = Stage("equations", CARD.version, plan, score)
