"""Several commands on one store at once: each answer is bought once, the others wait and say so, readers read on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import yaml
from holders import hold, released
from replay_run import write_run

from warehouse.build import publish
from warehouse.query import query
from warehouse.store import Store

ROOT = Path(__file__).parents[2]
LIGHT = {"runs": 1, "operators": [], "dimensions": ["correctness"]}


def start(command: str, *arguments: object, url: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "flows.cli", command, *map(str, arguments)]
    environment = {**os.environ, "PREFECT_API_URL": url}
    return subprocess.Popen(line, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def light(folder: Path, name: str, **options: object) -> Path:
    """A run file of its own name beside the others of `folder`."""
    run = write_run(folder, items=8, delay_s=0.3, **options)  # type: ignore[arg-type]
    path = run.with_name(name)
    path.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"suite": LIGHT}))
    return path


def test_evaluations_nights_and_a_backfill_at_once_buy_each_answer_once_and_who_comes_second_says_so(tmp_path: Path, prefect: str) -> None:
    both = light(tmp_path, "both.yaml")
    one = light(tmp_path, "one.yaml", names=("good",))
    store = tmp_path / "store"
    commands = [("evaluate", both), ("nightly", one), ("nightly", one), ("backfill", "correctness", both)]
    running = [start(*command, "--store", store, "--quiet", url=prefect) for command in commands]
    ended = [(process.communicate(timeout=900), process.returncode) for process in running]
    told = [err for (_, err), _ in ended]
    assert [code for _, code in ended] == [0, 0, 0, 0], "\n".join(err[-600:] for err in told)
    assert any("is writing to" in err and "waiting for it" in err for err in told)
    assert any("nothing new" in err for err in told[1:3]), "the second night finds nothing to do"
    generations = Store(store).scan("generations").collect()
    assert generations["generation_id"].is_unique().all()
    assert generations.height == Store(store).scan("attempts").collect().height == 16
    assert query(store / "warehouse.duckdb", "select count(distinct configuration_id) as n from marts.dimension_scores", "csv") == "n\n2"


def test_a_reader_reads_on_while_a_new_warehouse_is_swapped_in(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    publish(store, replicates=10)
    with duckdb.connect(str(store.warehouse), read_only=True) as reader:
        before = reader.execute("select count(*) from seeds.estimators").fetchone()
        publish(store, replicates=10)
        assert reader.execute("select count(*) from seeds.estimators").fetchone() == before
        assert query(store.warehouse, "select 1 as one", "csv") == "one\n1"


def test_the_lock_of_a_process_killed_with_9_is_taken_over_at_once(tmp_path: Path) -> None:
    holder = hold(str(tmp_path))
    said: list[str] = []
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with Store(tmp_path).writing(waiting=said.append):
        assert said == []


def test_who_waits_is_told_which_process_holds_the_store(tmp_path: Path) -> None:
    holder = hold(str(tmp_path))
    said: list[str] = []
    with Store(tmp_path).writing(waiting=released(holder, said)):
        assert f"process {holder.pid}" in said[0]
    holder.communicate()
