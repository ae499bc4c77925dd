"""deploy/prefect.yaml for real: a server, a process worker, deployments, a triggered evaluation, its results by SQL, and what the page shows."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from replay_run import query, write_run

ROOT = Path(__file__).parents[2]
DEPLOYMENTS = ("nightly", "evaluate", "backfill", "publish")


def prefect_cli(*arguments: str) -> str:
    command = [sys.executable, "-m", "prefect", "--no-prompt", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "PYTHONWARNINGS": "ignore"})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def deployed(prefect: str) -> str:
    prefect_cli("work-pool", "create", "sextant", "--type", "process")
    prefect_cli("deploy", "--all", "--prefect-file", "deploy/prefect.yaml")
    return prefect


@pytest.fixture(scope="module")
def triggered(deployed: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A tiny run file evaluated by the worker; the flow run as the server tells it."""
    folder = tmp_path_factory.mktemp("deployed")
    run = write_run(folder, items=10, runs=1, names=("good",))
    light = {"runs": 1, "operators": [], "dimensions": ["correctness", "efficiency"]}
    run.write_text(yaml.safe_dump(yaml.safe_load(run.read_text()) | {"suite": light}))
    deployment = httpx.get(f"{deployed}/deployments/name/evaluate/evaluate").json()
    parameters = {"run_file": str(run), "store": str(folder / "store")}
    created = httpx.post(f"{deployed}/deployments/{deployment['id']}/create_flow_run", json={"parameters": parameters}).json()
    prefect_cli("worker", "start", "--pool", "sextant", "--run-once")
    ended = asyncio.run(_ended(deployed, created["id"]))
    return {"id": created["id"], "run": ended, "store": folder / "store", "url": deployed}


async def _ended(url: str, flow_run_id: str) -> dict[str, Any]:
    async with httpx.AsyncClient() as client:
        for _ in range(600):
            run: dict[str, Any] = (await client.get(f"{url}/flow_runs/{flow_run_id}")).json()
            if run["state_type"] in ("COMPLETED", "FAILED", "CRASHED", "CANCELLED"):
                return run
            await asyncio.sleep(0.2)
    raise AssertionError(f"still {run['state_type']}")


def listed(triggered: dict[str, Any], kind: str, **where: Any) -> list[dict[str, Any]]:
    answer = httpx.post(f"{triggered['url']}/{kind}/filter", json=where)
    assert answer.is_success, answer.text
    return answer.json()  # type: ignore[no-any-return]


def test_every_deployment_is_there_and_the_nights_schedule_has_a_time_zone(deployed: str) -> None:
    found = {d["name"]: d for d in httpx.post(f"{deployed}/deployments/filter", json={}).json()}
    assert set(found) == set(DEPLOYMENTS)
    schedule = found["nightly"]["schedules"][0]["schedule"]
    assert (schedule["cron"], schedule["timezone"]) == ("0 2 * * *", "Europe/Berlin")
    assert all(d["entrypoint"].startswith("flows.") and ":" not in d["entrypoint"] for d in found.values())


def test_a_triggered_evaluation_completes_on_the_worker_and_its_scores_are_there_by_sql(triggered: dict[str, Any]) -> None:
    assert triggered["run"]["state_type"] == "COMPLETED", triggered["run"]["state"]["message"]
    scores = query(triggered["store"], "select dimension, value from marts.dimension_scores where protocol = 'paper' and dataset = 'all' and value is not null")
    assert dict(scores)["correctness"] == 1.0


def test_the_operators_page_has_tags_task_runs_logs_and_artifacts_with_links(triggered: dict[str, Any]) -> None:
    assert listed(triggered, "logs", logs={"flow_run_id": {"any_": [triggered["id"]]}})
    mine = {"flow_runs": {"id": {"any_": [triggered["id"]]}}}
    assert "sextant" in triggered["run"]["tags"]
    tasks = listed(triggered, "task_runs", **mine)
    assert {"generations", "good"} <= {tag for task in tasks for tag in task["tags"]}
    assert {task["state_type"] for task in tasks} == {"COMPLETED"}
    artifacts = {a["key"]: a for a in listed(triggered, "artifacts", artifacts={"flow_run_id": {"any_": [triggered["id"]]}})}
    assert {"scores-paper", "scores-strict", "report", "progress-generations"} <= set(artifacts)
    assert artifacts["progress-generations"]["data"] == 100.0
    assert "report.html" in artifacts["scores-paper"]["description"]
    assert "1.000" in artifacts["scores-paper"]["data"]
