"""What the scoring stages share: which stored generations a scorer has not seen, and their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from schemas.records import ScorerCard
from tasks.identities import fingerprint
from tasks.scope import Scope, now, store_of
from tasks.stage import Shard, missing, shards

SCORABLE = ("answered", "empty", "truncated")
"""What a model said, were it nothing. Errors are ours and are never scored."""


def unseen(scope: Scope, units: pl.DataFrame, card: ScorerCard, size: int, only: pl.Expr | None = None) -> list[Shard]:
    """Shards of scorable generations of `units` that `card.stage` holds no row for under `card`'s fingerprint."""
    generations = scope.store.newest("generations").filter(pl.col("status").is_in(SCORABLE))
    if only is not None:
        generations = generations.filter(only)
    wanted = units.lazy().select("generation_id").unique().join(generations.select("generation_id"), on="generation_id").collect()
    stored = scope.scored(card.stage).filter(pl.col("scorer") == fingerprint(card)).select("generation_id")
    return shards(scope, card.stage, card.version, missing(wanted, stored), size, scorer=fingerprint(card))


def texts(shard: Shard) -> Iterator[dict[str, Any]]:
    """Stored generations of the shard with their items' question, choices, gold and answer_type, by generation id."""
    store = store_of(shard["store"])
    generations = store.newest("generations").filter(pl.col("generation_id").is_in(shard["ids"]))
    items = store.newest("items").select("item_id", "dataset", "question", "choices", "gold", "answer_type")
    yield from generations.join(items, on="item_id").sort("generation_id").collect().iter_rows(named=True)


def trace_text(row: dict[str, Any]) -> str:
    """What the model reasoned: thinking where the provider returns it, then the response."""
    return "\n".join(part for part in (row["thinking"], row["text"]) if part and part.strip())


def stamped(shard: Shard, generation_id: str, **values: Any) -> dict[str, Any]:
    """A row of unit evidence under the shard's scorer."""
    return {"generation_id": generation_id, "scorer": shard["scorer"], "recorded_at": now(), **values}


def of_scorer(rows: pl.LazyFrame, scorer: str, ids: Sequence[str]) -> pl.DataFrame:
    """Rows of one scorer about the generations `ids`."""
    return rows.filter(pl.col("scorer") == scorer, pl.col("generation_id").is_in(ids)).collect()
