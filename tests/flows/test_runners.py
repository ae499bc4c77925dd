"""Scoring on two Dask worker processes: the same rows as in one process."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
import yaml
from polars.testing import assert_frame_equal
from replay_run import write_run

from schemas.config import Run
from schemas.errors import BadRow, MissingSecret, SextantError, UnknownName
from tasks.stages import EVIDENCE
from warehouse.store import Store

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.models]
DASK = {"kind": "dask", "workers": 2}
LIGHT = {"runs": 2, "operators": ["reorder"]}


def with_runner(run: Path, runner: object, **more: object) -> Path:
    path = run.with_name("dask.yaml")
    path.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"runner": runner} | more))
    return path


def evaluate(run: Path, store: Path, url: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "flows.cli", "evaluate", str(run), "--store", str(store), "--quiet"]
    return subprocess.run(line, cwd=ROOT, env={**os.environ, "PREFECT_API_URL": url}, capture_output=True, text=True, timeout=300, check=False)


def rows(store: Path, table: str) -> pl.DataFrame:
    frame = Store(store).newest(table).collect().drop("recorded_at")
    return frame.sort([name for name in frame.columns if frame[name].dtype == pl.String])


def test_two_dask_workers_yield_the_rows_that_one_process_yields(tmp_path: Path, prefect: str) -> None:
    run = write_run(tmp_path, items=3, runs=2, names=("good",))
    run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"suite": LIGHT}))
    for path, store in ((run, "threads"), (with_runner(run, DASK), "dask")):
        done = evaluate(path, tmp_path / store, prefect)
        assert done.returncode == 0, done.stderr[-3000:]
    for table in EVIDENCE:
        assert_frame_equal(rows(tmp_path / "dask", table), rows(tmp_path / "threads", table), abs_tol=1e-5)
        assert rows(tmp_path / "dask", table).height > 0, table
    again = evaluate(run, tmp_path / "dask", prefect)
    assert "nothing new" in again.stderr, "where a run was scored does not make it another run"


def test_a_scheduler_that_does_not_answer_is_one_line_with_the_remedy(tmp_path: Path, prefect: str) -> None:
    run = write_run(tmp_path, items=2, runs=2, names=("good",))
    done = evaluate(with_runner(run, {"kind": "dask", "address": "tcp://127.0.0.1:9"}), tmp_path / "store", prefect)
    assert done.returncode == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert Store(tmp_path / "store").scan("generations").collect().height == 0, "found out before anything was bought"


@pytest.mark.parametrize("runner", [{"kind": "threads", "workers": 2}, {"kind": "dask", "workers": 2, "address": "tcp://h:1"}, "ray"])
def test_a_runner_that_would_be_ignored_is_refused(tmp_path: Path, runner: object) -> None:
    with pytest.raises(ValueError, match="runner"):
        Run.model_validate(yaml.safe_load(write_run(tmp_path).read_text()) | {"runner": runner}, strict=False)


def test_a_judge_that_a_worker_cannot_load_is_the_users_one_line_and_its_exit_code(tmp_path: Path, prefect: str) -> None:
    run = write_run(tmp_path, items=2, runs=2, names=("good",))
    judge = tmp_path / "judge"
    judge.mkdir()  # labelled well, so only the worker that loads its weights finds that there are none
    (judge / "config.json").write_text(json.dumps({"model_type": "bert", "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}}))
    path = with_runner(run, {"kind": "dask", "workers": 1}, suite=LIGHT, judges={"nli": str(judge), "bertscore": "embedded", "perturbation_gate": False})
    done = evaluate(path, tmp_path / "store", prefect)
    assert done.returncode == 1, done.stderr[-3000:]
    assert f"NLI judge {judge} does not load" in done.stderr and "name another judge in `judges.nli`" in done.stderr
    assert "Traceback" not in done.stderr and "pickle" not in done.stderr
    assert Store(tmp_path / "store").scan("generations").collect().height > 0, "what was bought is kept"


SPREAD = """
import asyncio, sys
from prefect import flow, task
from flows.runners import perform, workers
from schemas.config import Runner
from schemas.errors import BadRow, SextantError

@task
def refuses(shard):
    raise BadRow("items.jsonl", 3, "no JSON")

@flow
async def spread():
    with workers(Runner(kind="dask", workers=1)):
        await perform(refuses, {})

if __name__ == "__main__":
    try:
        asyncio.run(spread())
    except SextantError as error:
        print(type(error).__name__, error.exit_code, error.line, error)
"""


def test_an_error_whose_class_takes_more_than_a_message_crosses_from_a_worker(tmp_path: Path, prefect: str) -> None:
    (tmp_path / "spread.py").write_text(SPREAD)
    environment = {**os.environ, "PREFECT_API_URL": prefect, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "spread.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "BadRow 2 3 items.jsonl:3: no JSON\n", done.stderr[-3000:]


@pytest.mark.parametrize("error", [UnknownName("dataset", "gsm", ["gsm8k"]), MissingSecret("KEY", "m"), BadRow("f", 1, "x")], ids=lambda e: type(e).__name__)
def test_an_error_survives_the_way_between_processes(error: SextantError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))
