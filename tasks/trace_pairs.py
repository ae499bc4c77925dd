"""Stage `trace_pairs`: BERTScore between traces, K runs of one item (`within`) and of different items (`null`).

Null pairs are drawn by digest, so the same pairs are drawn whatever is added later; the mart takes the smallest draws of its suite.
"""

from __future__ import annotations

import asyncio
from itertools import combinations
from typing import Any

import polars as pl
from prefect import task

from schemas.config import Judges
from schemas.keys import digest
from schemas.records import ORIGINAL
from tasks.evidence import SCORABLE, trace_text
from tasks.identities import fingerprint
from tasks.scope import Scope, now, store_of
from tasks.scorers.bertscore import bertscore_card, load_encoder
from tasks.stage import OPTIONS, Shard, Stage, advanced, save, shards

VERSION = "1"
SHARD = 900
NULL_PAIRS = 200
NULL_POOL = 150
"""Generations that null pairs are drawn among: 11,175 pairs, so planning stays cheap for any suite."""

Pair = tuple[str, str, str, str, str, str]


def plan(scope: Scope, units: pl.DataFrame) -> list[Shard]:
    """Pairs of stored traces that the configured encoder has not compared."""
    scorer = fingerprint(bertscore_card(scope.judges))
    scorable = scope.store.newest("generations").filter(pl.col("status").is_in(SCORABLE)).select("generation_id").collect()
    runs = units.filter(pl.col("operator") == ORIGINAL).join(scorable, on="generation_id", how="semi")
    wanted = [
        pair for _, group in runs.sort("generation_id").group_by("suite_id", "configuration_id", "dataset", maintain_order=True) for pair in _pairs(group)
    ]
    stored = scope.scored("trace_pairs").filter(pl.col("scorer") == scorer).select("generation_id_a", "generation_id_b", "kind").collect()
    known = set(stored.iter_rows())
    lacking = [pair for pair in dict.fromkeys(wanted) if pair[:3] not in known]  # an item's pairs side by side: a shard encodes each text once
    settings = {"scorer": scorer, "judges": scope.judges.model_dump(), "label": scope.judges.bertscore}
    return [{**shard, "pairs": shard.pop("ids")} for shard in shards(scope, "trace_pairs", VERSION, lacking, SHARD, **settings)]


def _pairs(group: pl.DataFrame) -> list[Pair]:
    """(a, b, kind, configuration_id, dataset, draw) of one suite, configuration and dataset; a < b."""
    first = group.row(0, named=True)
    place = (first["configuration_id"], first["dataset"])
    within: list[Pair] = []
    for _, runs in group.group_by("item_id", maintain_order=True):
        within += [(a, b, "within", *place, "") for a, b in combinations(sorted(runs["generation_id"]), 2)]
    primary = group.filter(pl.col("run_index") == 0).sort("generation_id").head(NULL_POOL)
    drawn = sorted((digest("null", a, b), a, b) for a, b in combinations(primary["generation_id"], 2))[:NULL_PAIRS]
    return within + [(a, b, "null", *place, draw) for draw, a, b in drawn]


@task(name="trace_pairs", task_run_name="trace_pairs {shard[label]}", **OPTIONS)
async def score(shard: Shard) -> dict[str, Any]:
    """Compare the traces of one shard's pairs."""
    return await asyncio.to_thread(_score, shard)


def _score(shard: Shard) -> dict[str, Any]:
    encoder = load_encoder(Judges.model_validate(shard["judges"]))
    pairs = [tuple(pair) for pair in shard["pairs"]]
    ids = {name for pair in pairs for name in pair[:2]}
    stored = store_of(shard["store"]).newest("generations").filter(pl.col("generation_id").is_in(list(ids))).select("generation_id", "text", "thinking")
    text = {row["generation_id"]: trace_text(row) for row in stored.collect().iter_rows(named=True)}
    scores = encoder.score([(text[pair[0]], text[pair[1]]) for pair in pairs])
    rows = []
    for (a, b, kind, configuration, dataset, draw), score in zip(pairs, scores, strict=True):
        if score is None:
            values: dict[str, Any] = {"status": "empty", "reason": "empty", "precision": None, "recall": None, "f1": None, "chunked": False}
        else:
            values = {"status": "scored", "reason": None, "precision": score.precision, "recall": score.recall, "f1": score.f1, "chunked": score.chunked}
        key = {"generation_id_a": a, "generation_id_b": b, "kind": kind, "scorer": shard["scorer"], "configuration_id": configuration, "dataset": dataset}
        rows.append({**key, "draw": draw or None, "recorded_at": now(), **values})
    result = save(shard, {"trace_pairs": rows})
    advanced(shard, len(rows))
    return result


STAGE = Stage("trace_pairs", VERSION, plan, score)
