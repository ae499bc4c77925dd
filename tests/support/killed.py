"""A run that is killed with 9 once enough of it has arrived."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def start(run: Path, store: Path, url: str, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flows.cli", "evaluate", str(run), "--store", str(store), *options]
    environment = {**os.environ, "PREFECT_API_URL": url}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kill_once(process: subprocess.Popen[str], enough: Callable[[], bool]) -> None:
    """Kill -9 `process` when `enough`, when it has ended by itself, or after two minutes."""
    deadline = time.monotonic() + 120
    while not enough() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def journal(store: Path) -> list[dict[str, Any]]:
    """The generations in the whole lines of the journals below `store`."""
    lines = [line for path in (store / "journal").glob("*.jsonl") for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    records = [json.loads(line.split(" ", 1)[1]) for line in lines]
    return [record["generation"] for record in records if record["generation"]]


def journalled(store: Path) -> set[str]:
    return {row["generation_id"] for row in journal(store)}
