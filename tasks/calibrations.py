"""Stage `calibrations`: how often the judge is wrong on pairs whose label is known. Read by strict coherence."""

from __future__ import annotations

import asyncio
from typing import Any

import polars as pl
from prefect import task

from schemas.config import Dataset, Judges
from tasks import datasets
from tasks.identities import fingerprint
from tasks.scope import Scope, now
from tasks.scorers.calibration import calibrate
from tasks.scorers.nli import load_judge, nli_card
from tasks.stage import OPTIONS, Shard, Stage, advanced, save, shards

VERSION = "1"
PAIR_SET = "synthetic"
ITEMS = 100


def plan(scope: Scope, _units: pl.DataFrame) -> list[Shard]:
    """One shard when the configured judge has not been measured."""
    scorer = fingerprint(nli_card(scope.judges))
    measured = scope.scored("calibrations").filter(pl.col("scorer") == scorer).select("scorer").head(1).collect()
    if measured.height:
        return []
    return shards(scope, "calibrations", VERSION, [PAIR_SET], 1, judges=scope.judges.model_dump(), scorer=scorer, label=scope.judges.nli)


@task(name="calibrations", task_run_name="calibrations {shard[label]}", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Measure the judge on the computed worked solutions of the synthetic set: no file and no hub needed."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    from pathlib import Path

    judge = load_judge(Judges.model_validate(shard["judges"]))
    items = [item for item in datasets.load(Dataset(name="synthetic"), Path(), 42).items if item.solution]
    rows = [{**row, "recorded_at": now()} for row in calibrate(judge, items, seed=42, limit=ITEMS, pair_set=PAIR_SET)]
    result = save(shard, {"calibrations": rows})
    advanced(shard, 1)
    return result


STAGE = Stage("calibrations", VERSION, plan, score)
