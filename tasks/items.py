"""Stage `items`: records of datasets become rows, one per item."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import polars as pl
from prefect import task

from schemas.config import Dataset
from schemas.records import Item
from tasks import datasets
from tasks.identities import from_json, json_text
from tasks.scope import Scope, now, store_of
from tasks.stage import OPTIONS, Shard, Stage, advanced, save, shards

VERSION = "1"


def plan(scope: Scope, _units: pl.DataFrame) -> list[Shard]:
    """One shard per dataset that has items the store does not hold, or holds with other rewordings of the user's own, which are not in an item's id."""
    stored = dict(scope.store.newest("items").select("item_id", "own_perturbations").collect().iter_rows())
    new = {item.item_id for item in scope.items if item.item_id not in stored or stored[item.item_id] != _own(item)}
    planned = []
    for spec in scope.loaded.run.datasets:
        ids = [item.item_id for item in scope.items if item.dataset == spec.name and item.item_id in new]
        settings = {"dataset": spec.model_dump(mode="json"), "base": str(scope.loaded.base), "seed": scope.suite.seed, "label": spec.name}
        planned += shards(scope, "items", VERSION, ids, max(len(ids), 1), **settings)
    return planned


@task(name="items", task_run_name="items {shard[label]}", **OPTIONS)
async def collect(shard: Shard) -> dict[str, Any]:
    """Load one dataset and store the planned items."""
    return await asyncio.to_thread(_collect, shard)


def _collect(shard: Shard) -> dict[str, Any]:
    spec = Dataset.model_validate(shard["dataset"], strict=False)
    loaded = datasets.load(spec, Path(shard["base"]), shard["seed"])
    wanted = set(shard["ids"])
    result = save(shard, {"items": [item_row(item, loaded.version) for item in loaded.items if item.item_id in wanted]})
    advanced(shard, len(wanted))
    return result


def item_row(item: Item, version: str) -> dict[str, Any]:
    """`item` as a row of raw.items; `version` pins where it came from."""
    return {
        "item_id": item.item_id,
        "dataset": item.dataset,
        "source_id": item.source_id,
        "question": item.question,
        "choices": list(item.choices),
        "answer_type": item.answer_type,
        "gold": item.gold,
        "subject": item.subject,
        "template": item.template,
        "cluster": item.template or item.item_id,
        "solution": item.solution,
        "own_perturbations": _own(item),
        "dataset_version": version,
        "recorded_at": now(),
    }


def _own(item: Item) -> str | None:
    return json_text([list(pair) for pair in item.perturbations]) if item.perturbations else None


def read_items(store_path: str, ids: list[str]) -> list[Item]:
    """The stored items of `ids`, ordered by id."""
    rows = store_of(store_path).newest("items").filter(pl.col("item_id").is_in(ids)).sort("item_id").collect()
    return [_item(row) for row in rows.iter_rows(named=True)]


def _item(row: dict[str, Any]) -> Item:
    own = from_json(row["own_perturbations"]) if row["own_perturbations"] else []
    names = ("item_id", "dataset", "source_id", "question", "answer_type", "gold", "subject", "template", "solution")
    return Item(**{name: row[name] for name in names}, choices=tuple(row["choices"] or ()), perturbations=tuple((a, b) for a, b in own))


STAGE = Stage("items", VERSION, plan, collect, same_again=False)
