"""Stage `answers`: the answer found in each stored generation, compared with the gold."""

from __future__ import annotations

import asyncio
from typing import Any

import polars as pl
from prefect import task

from tasks.evidence import stamped, texts, unseen
from tasks.scope import Scope
from tasks.scorers.answers import CARD, extract
from tasks.stage import OPTIONS, Shard, Stage, advanced, save

SHARD = 5000


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Generations without an answer row of this extractor."""
    return unseen(scope, units, CARD, SHARD)


@task(name="answers", task_run_name="answers", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Extract and compare the answers of one shard."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    rows = [_row(shard, generation) for generation in texts(shard)]
    result = save(shard, {"answers": rows})
    advanced(shard, len(rows))
    return result


def _row(shard: Shard, generation: dict[str, Any]) -> dict[str, Any]:
    nothing = {"extracted": None, "value": None, "canonical": None, "strategy": None, "correct": False, "ambiguous": False}
    if generation["status"] != "answered":
        return stamped(shard, generation["generation_id"], status=generation["status"], reason=generation["reason"], **nothing)
    found = extract(
        generation["text"] or "",
        answer_type=generation["answer_type"],
        gold=generation["gold"],
        choices=tuple(generation["choices"] or ()),
        finish_reason=generation["finish_reason"],
        question=generation["question"],
    )
    return stamped(
        shard,
        generation["generation_id"],
        status=found.status,
        reason=None if found.status == "scored" else found.status,
        extracted=found.extracted,
        value=found.value,
        canonical=found.canonical,
        correct=found.correct,
        strategy=found.strategy,
        ambiguous=found.ambiguous,
    )


STAGE = Stage("answers", CARD.version, plan, score)
