"""Stage `step_pairs`: the NLI judge reads each step with the one before it, (step i-1, step i) as (premise, hypothesis)."""

from __future__ import annotations

import asyncio
from typing import Any

import polars as pl
from prefect import task

from schemas.config import Judges
from tasks.evidence import of_scorer, stamped, unseen
from tasks.identities import fingerprint
from tasks.scope import Scope, store_of
from tasks.scorers import steps
from tasks.scorers.nli import load_judge, step_pairs_card
from tasks.stage import OPTIONS, Shard, Stage, advanced, save

VERSION = "1"
SHARD = 500


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Traces of two or more steps that the configured judge has not read."""
    split = scope.store.newest("traces").filter(pl.col("scorer") == fingerprint(steps.CARD), pl.col("n_steps") > 1).select("generation_id").collect()
    planned = unseen(scope, units.join(split, on="generation_id", how="semi"), step_pairs_card(scope.judges), SHARD)
    return [{**shard, "judges": scope.judges.model_dump(), "label": scope.judges.nli} for shard in planned]


@task(name="step_pairs", task_run_name="step_pairs {shard[label]}", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Judge the neighbouring steps of one shard's traces."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    judge = load_judge(Judges.model_validate(shard["judges"]))
    traces = of_scorer(store_of(shard["store"]).newest("traces"), fingerprint(steps.CARD), shard["ids"])
    pairs = [(trace["generation_id"], index, pair) for trace in traces.iter_rows(named=True) for index, pair in enumerate(steps.adjacent(trace["steps"]), 2)]
    scores = judge.score([pair for _, _, pair in pairs])
    rows = [
        stamped(
            shard,
            generation_id,
            kind="adjacent",
            step_index=index,
            status="scored",
            reason=None,
            label=score.label,
            p_entailment=score.p_entailment,
            p_neutral=score.p_neutral,
            p_contradiction=score.p_contradiction,
            truncated_pair=score.truncated,
        )
        for (generation_id, index, _), score in zip(pairs, scores, strict=True)
    ]
    result = save(shard, {"step_pairs": rows})
    advanced(shard, traces.height)
    return result


STAGE = Stage("step_pairs", VERSION, plan, score)
