"""Traps of planning trace pairs: an item's runs spread over shards are encoded once in each."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from replay_run import write_run

from tasks import trace_pairs
from tasks.run_files import load_run
from tasks.scope import Scope
from tests.warehouse.rows import fill
from warehouse.store import Store


@pytest.mark.models
def test_the_pairs_of_an_item_lie_side_by_side(tmp_path: Path) -> None:
    units = [{"generation_id": f"{run}{n}", "item_id": f"i{n}", "run_index": run, "operator": "original"} for run in range(3) for n in range(4)]
    store = Store(tmp_path / "store").open()
    store.write("generations", fill("generations", [unit | {"status": "answered"} for unit in units]))
    wanted = pl.DataFrame([unit | {"suite_id": "s", "configuration_id": "A", "dataset": "sums"} for unit in units])
    shards = trace_pairs.plan(Scope(store, load_run(write_run(tmp_path)), (), (), "", {}), wanted)
    within = [pair[:2] for shard in shards for pair in shard["pairs"] if pair[2] == "within"]
    assert within == [(f"{a}{n}", f"{b}{n}") for n in range(4) for a, b in ((0, 1), (0, 2), (1, 2))]
