"""kill -9 at any moment, then the same command: every answer that had arrived is still there once, the rest is fetched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from replay_run import write_run

from warehouse.store import Store

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.models]


def start(run: Path, store: Path, url: str, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flows.cli", "evaluate", str(run), "--store", str(store), *options]
    environment = {**os.environ, "PREFECT_API_URL": url}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def journalled(store: Path) -> set[str]:
    lines = [line for path in (store / "journal").glob("*.jsonl") for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    records = [json.loads(line.split(" ", 1)[1]) for line in lines]
    return {record["generation"]["generation_id"] for record in records if record["generation"]}


@pytest.mark.parametrize("after", [1, 25])
def test_answers_that_arrived_before_kill_9_are_neither_lost_nor_bought_again(tmp_path: Path, prefect: str, after: int) -> None:
    run, store = write_run(tmp_path, items=6, delay_s=0.1), tmp_path / "store"
    killed = start(run, store, prefect)
    deadline = time.monotonic() + 120
    while len(journalled(store)) < after and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
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
