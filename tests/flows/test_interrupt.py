"""One Ctrl-C while answers are scored: the run stops resumable, and the same command goes on without a request."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from replay_run import write_run

from warehouse.store import Store

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.models]


def start(run: Path, store: Path, url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flows.cli", "evaluate", str(run), "--store", str(store)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PREFECT_API_URL": url}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_one_ctrl_c_during_scoring_stops_resumable_and_nothing_is_bought_again(tmp_path: Path, prefect: str) -> None:
    run, store = write_run(tmp_path, items=30), tmp_path / "store"
    stopped = start(run, store, prefect)
    deadline = time.monotonic() + 180
    while not Store(store).files("traces") and stopped.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    stopped.send_signal(signal.SIGINT)
    _, err = stopped.communicate(timeout=240)
    assert stopped.returncode == 130, err
    assert "finishing what is in flight" in err
    assert "Traceback" not in err
    bought = Store(store).scan("attempts").collect().height
    assert bought > 0
    assert not (store / "warehouse.duckdb").exists()

    again = start(run, store, prefect)
    out, err = again.communicate(timeout=400)
    assert again.returncode == 0, err
    assert "Q_w" in out
    assert Store(store).scan("attempts").collect().height == bought
    assert set(Store(store).newest("evaluations").collect()["status"]) == {"interrupted", "finished"}
