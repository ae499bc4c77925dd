"""kill -9 at any moment, then the same command: every answer that had arrived is still there once, the rest is fetched."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from killed import journalled, kill_once, start
from replay_run import write_run

from warehouse.store import Store

pytestmark = [pytest.mark.models]


@pytest.mark.parametrize("after", [1, 25])
def test_answers_that_arrived_before_kill_9_are_neither_lost_nor_bought_again(tmp_path: Path, prefect: str, after: int) -> None:
    run, store = write_run(tmp_path, items=6, delay_s=0.1), tmp_path / "store"
    killed = start(run, store, prefect)
    kill_once(killed, lambda: len(journalled(store)) >= after)
    had = journalled(store) | set(Store(store).scan("generations").collect()["generation_id"])
    assert len(had) >= after

    again = start(run, store, prefect, "--quiet")
    out, err = again.communicate(timeout=240)
    assert again.returncode == 0, err
    assert "recovered from the journal" in err
    assert "Q_w" in out
    generations = Store(store).scan("generations").collect()
    assert generations["generation_id"].is_unique().all()
    assert had <= set(generations["generation_id"])
    attempts = Store(store).scan("attempts").collect()
    assert attempts.filter(pl.col("generation_id").is_in(list(had))).group_by("generation_id").len()["len"].to_list() == [1] * len(had)
    assert set(Store(store).newest("evaluations").collect()["status"]) == {"interrupted", "finished"}
