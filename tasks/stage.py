"""What the stages share: a shard, its asset record, and the Prefect policy that makes a cache hit agree with the disk.

A shard is plain JSON: store path, ids, settings. Its key is the digest of stage, code version and shard. The record of a finished
shard (`shards/<key>.json`) is written after its Parquet file; a hit whose file is missing or altered is a miss.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from prefect import Task
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext

from schemas.errors import Retryable, StoreError
from schemas.keys import digest
from tasks.progress import Advance, tell
from tasks.scope import Scope
from warehouse.store import Asset, Store, store_at

Shard = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Stage:
    """One table's work. `plan` says what is missing, as shards; `task` does one shard and returns its asset.

    `same_again` holds where a shard done twice gives the same rows, so that Prefect may answer from its cache. Asking a model does not: a
    shard whose every request failed is planned again under the same key; nor does reading a user's file, which may have changed.
    """

    table: str
    version: str
    plan: Callable[[Scope, pl.DataFrame], list[Shard]]
    task: Task[[Shard], Any]
    same_again: bool = True


def retryable(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    """Prefect's retry condition: provider trouble and a store that could not be written may pass; all else will not."""
    error = state.data
    return isinstance(error, Retryable) or (isinstance(error, StoreError) and isinstance(error.__cause__, OSError))


OPTIONS: dict[str, Any] = {
    "retries": 2,
    "retry_delay_seconds": [1, 5],
    "retry_jitter_factor": 0.5,
    "retry_condition_fn": retryable,
    "cache_key_fn": lambda context, parameters: cache_key(context, parameters),
    "persist_result": True,
    "result_serializer": "json",
}
"""Arguments of every stage's @task."""


def cache_key(_context: TaskRunContext, parameters: Mapping[str, Any]) -> str:
    """Prefect's cache key of a shard."""
    return shard_key(parameters["shard"])


def shard_key(shard: Shard) -> str:
    """Digest of all a shard's result depends on."""
    return digest("shard", shard)


def finished(shard: Shard) -> bool:
    """Whether the shard's record and its file are there and whole."""
    store = store_at(shard["store"])
    try:
        record = json.loads(_record(store, shard).read_text())
    except (FileNotFoundError, ValueError):
        return False
    return all(store.holds(Asset(**asset)) for asset in record)


def save(shard: Shard, tables: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Any]:
    """Write the rows of a finished shard, then its record. Returns path, rows and digest of each file.

    Raises:
        StoreError: the store cannot be written.
    """
    store = store_at(shard["store"])
    assets = [store.write(table, materialised) for table, rows in tables.items() if (materialised := list(rows))]
    record = _record(store, shard)
    record.parent.mkdir(parents=True, exist_ok=True)
    temporary = record.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(json.dumps([asdict(asset) for asset in assets]))
    temporary.replace(record)
    return {"rows": sum(asset.rows for asset in assets), "files": [asdict(asset) for asset in assets]}


def _record(store: Store, shard: Shard) -> Path:
    return store.root / "shards" / f"{shard_key(shard)}.json"


def shards(scope: Scope, stage: str, version: str, ids: Sequence[Any], size: int, **settings: Any) -> list[Shard]:
    """Cut `ids` into shards of at most `size`, each with the store's path and `settings`."""
    base = {"stage": stage, "version": version, "store": scope.store.address, **settings}
    if scope.again is not None:
        base["again"] = scope.again.isoformat()
    return [{**base, "ids": list(batch)} for batch in _batches(ids, size)]


def _batches(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def missing(wanted: pl.DataFrame, stored: pl.LazyFrame, key: str = "generation_id") -> list[str]:
    """Anti-join: the keys of `wanted` that `stored` does not hold, in order."""
    return wanted.lazy().select(key).unique().join(stored, on=key, how="anti").sort(key).collect()[key].to_list()


def advanced(shard: Shard, done: int) -> None:
    """Tell listeners that `done` more units of the shard's stage are finished."""
    tell(Advance(shard["stage"], shard.get("label", "all"), done=done))
