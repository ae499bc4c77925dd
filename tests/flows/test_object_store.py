"""A whole evaluation on object storage: killed, resumed, repeated from another machine, read, pruned, and run by two machines at once."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import yaml
from killed import journalled, kill_once
from object_store import network, object_store, ports
from replay_run import write_run

from warehouse.store import Store, store_at

ROOT = Path(__file__).parents[2]
LIGHT = {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}
SCORES = "select configuration, dimension, value, n from marts.dimension_scores where dataset = 'all' order by all"


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with object_store(tmp_path_factory.mktemp("s3")) as environment:
        yield environment


class Machines:
    """Commands as machines run them that share nothing but a bucket, and the store as each sees it."""

    def __init__(self, folder: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.environment, self.monkeypatch = folder, environment, monkeypatch
        self.address = f"s3://evidence/{folder.name}"
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

    def start(self, machine: str, command: str, *arguments: object) -> subprocess.Popen[str]:
        environment = {**os.environ, "SEXTANT_MIRROR": str(self.folder / machine)}
        line = [sys.executable, "-m", "flows.cli", command, *map(str, arguments), "--store", self.address]
        return subprocess.Popen(line, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, machine: str, command: str, *arguments: object) -> tuple[str, str]:
        process = self.start(machine, command, *arguments)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err[-2000:]
        return out, err

    def store(self, machine: str) -> Store:
        self.monkeypatch.setenv("SEXTANT_MIRROR", str(self.folder / machine))
        return store_at(self.address)


@pytest.fixture
def machines(tmp_path: Path, bucket: dict[str, str], prefect: str, monkeypatch: pytest.MonkeyPatch) -> Machines:
    monkeypatch.setenv("PREFECT_API_URL", prefect)
    return Machines(tmp_path, bucket, monkeypatch)


def light(folder: Path, **options: object) -> Path:
    run = write_run(folder / "run", **options)  # type: ignore[arg-type]
    run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"suite": LIGHT}))
    return run


def once_each(store: Store, count: int) -> None:
    store.refresh()
    generations = store.scan("generations").collect()
    assert generations["generation_id"].is_unique().all()
    assert generations.height == store.scan("attempts").collect().height == count


def test_killed_with_9_resumed_and_repeated_elsewhere_nothing_is_lost_or_bought_twice(machines: Machines, tmp_path: Path) -> None:
    run = light(tmp_path, items=12, delay_s=0.2)
    killed = machines.start("one", "evaluate", run, "--quiet")
    root = machines.store("one").root
    kill_once(killed, lambda: len(journalled(root)) >= 5)
    had = journalled(root)
    assert len(had) >= 5

    out, err = machines.run("one", "evaluate", run, "--quiet")
    assert "recovered from the journal" in err
    once_each(machines.store("one"), 24)
    scores, _ = machines.run("one", "query", SCORES, "--format", "csv")
    assert scores.count("\n") > 2

    again, err = machines.run("two", "evaluate", run, "--quiet")
    assert "nothing new" in err
    assert again.split("warehouse  ")[0] == out.split("warehouse  ")[0]
    once_each(machines.store("two"), 24)
    assert machines.run("two", "query", SCORES, "--format", "csv")[0] == scores
    assert machines.run("three", "query", "select count(*) as n from raw.generations", "--format", "csv")[0] == "n\n24\n"

    assert "removed" in machines.run("two", "prune", "--older-than", 0, "--apply", "--quiet")[0]
    assert machines.run("one", "query", "select count(*) as n from raw.generations", "--format", "csv")[0] == "n\n0\n"
    once_each(machines.store("one"), 0)
    assert "secret" not in "".join(path.read_text(errors="replace") for path in (tmp_path / "one").rglob("*.log"))


def test_two_machines_at_once_buy_each_answer_once_and_the_second_waits_and_says_so(machines: Machines, tmp_path: Path) -> None:
    run = light(tmp_path, items=8, delay_s=0.3)
    running = [machines.start(name, "evaluate", run, "--quiet") for name in ("one", "two")]
    told = [process.communicate(timeout=300)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], "\n".join(err[-900:] for err in told)
    assert any("is writing to s3://" in err and "waiting for it" in err for err in told)
    once_each(machines.store("three"), 16)
    statuses = machines.store("three").newest("generations").select(pl.col("status").value_counts()).collect()
    assert statuses.height == 1


@pytest.fixture
def cluster(machines: Machines, tmp_path: Path) -> Iterator[str]:
    """A Dask scheduler and two workers, each a machine of its own: they share the bucket and nothing else."""
    place, *workers = ports(3)
    address = f"tcp://127.0.0.1:{place}"
    line = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(place), "--no-dashboard"]
    started = [subprocess.Popen(line, cwd=ROOT, stderr=subprocess.DEVNULL)]
    for number, _ in enumerate(workers):
        environment = {**os.environ, "SEXTANT_MIRROR": str(tmp_path / f"worker-{number}")}
        line = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
        started.append(subprocess.Popen([*line, "--local-directory", str(tmp_path)], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL))
    yield address
    for process in reversed(started):
        process.kill()
        process.wait()


def test_workers_on_other_machines_score_what_lies_in_the_bucket_and_their_rows_reach_it(machines: Machines, cluster: str, tmp_path: Path) -> None:
    run = light(tmp_path, items=6)
    run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"runner": {"kind": "dask", "address": cluster}}))
    machines.run("one", "evaluate", run, "--quiet")
    assert list((tmp_path / "worker-0").glob("*/evidence/answers/*")) + list((tmp_path / "worker-1").glob("*/evidence/answers/*")), "a worker scored"
    assert "good,correctness,1.0,6" in machines.run("one", "query", SCORES, "--format", "csv")[0]
    store = machines.store("two")
    once_each(store, 12)
    assert store.scan("answers").collect().height == 12


def test_cut_off_while_answers_arrive_the_run_stops_with_a_remedy_and_the_next_buys_only_the_rest(machines: Machines, tmp_path: Path) -> None:
    run = light(tmp_path, items=12, delay_s=0.2)
    with network(tmp_path, machines.environment["AWS_ENDPOINT_URL"]) as between:
        machines.monkeypatch.setenv("AWS_ENDPOINT_URL", between.url)
        process = machines.start("one", "evaluate", run, "--quiet")
        root = machines.store("one").root
        deadline = time.monotonic() + 120
        while len(journalled(root)) < 5 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        between.becomes("refused")
        _, err = process.communicate(timeout=300)
        assert process.returncode == 1, err[-2000:]
        assert "check the network" in err and "nothing is lost" in err and "Traceback" not in err
        had = journalled(root) | {path.name for path in (root / "unsent" / "generations").glob("*")}
        assert had

        between.becomes("open")
        machines.run("one", "evaluate", run, "--quiet")
        once_each(machines.store("one"), 24)
        assert not list((root / "unsent").glob("*/*.parquet"))
        once_each(machines.store("two"), 24)
