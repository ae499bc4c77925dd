"""Where scoring shards run: in this process, or on the workers of a Dask cluster (`runner:` in the run file).

Only scoring is spread. Asking models stays in the flow's own process, so that one limiter keeps each model's pace and one purse the budget.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any

from prefect import Task

from schemas.config import Runner
from schemas.errors import Unavailable
from tasks.stage import Shard, advanced


@dataclass(frozen=True)
class Cluster:
    """A started Dask task runner and how many shards it takes at once."""

    runner: Any
    abreast: int
    waiting: ThreadPoolExecutor


_cluster: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


def abreast() -> int:
    """Scoring shards under way at once: one here, as it uses the whole machine; one per worker of a cluster."""
    cluster = _cluster.get()
    return cluster.abreast if cluster else 1


async def perform(task: Task[[Shard], Any], shard: Shard) -> None:
    """Run one scoring shard where the run file says."""
    cluster = _cluster.get()
    if cluster is None:
        await task(shard)
        return
    runner, inherited = cluster.runner, copy_context()  # the task belongs to this flow run
    await asyncio.get_running_loop().run_in_executor(cluster.waiting, lambda: inherited.run(lambda: runner.submit(task, {"shard": shard}).result()))
    advanced(shard, len(shard.get("ids") or shard.get("pairs") or ()))  # the worker's own word does not reach this process


@contextmanager
def workers(spec: Runner) -> Iterator[None]:
    """Spread the scoring of this block as `spec` says.

    Raises:
        Unavailable: Dask is not installed, or no scheduler answers at the address.
    """
    if spec.kind == "threads":
        yield
        return
    with _started(spec) as runner:
        threads = sum(worker["nthreads"] for worker in runner.client.scheduler_info(n_workers=-1)["workers"].values())
        with ThreadPoolExecutor(max(threads, 1)) as waiting:
            token = _cluster.set(Cluster(runner, max(threads, 1), waiting))
            try:
                yield
            finally:
                _cluster.reset(token)


@contextmanager
def _started(spec: Runner) -> Iterator[Any]:
    try:
        from prefect_dask.task_runners import DaskTaskRunner
    except ImportError as error:
        raise Unavailable("`runner: dask` needs prefect-dask: pip install prefect-dask==0.3.7, or install Sextant with the extra `dask`") from error
    # no dashboard: it would listen on every address of this machine
    local = {"n_workers": spec.workers, "threads_per_worker": 1, "dashboard_address": None}
    where: dict[str, Any] = {"address": spec.address} if spec.address else {"cluster_kwargs": local}
    with DaskTaskRunner(**where, client_kwargs={"timeout": 10}) as runner:
        try:
            _ = runner.client
        except (OSError, TimeoutError) as error:
            raise Unavailable(f"no Dask scheduler answers at {spec.address or 'this machine'}: {error}; start it, or take `runner:` out") from error
        yield runner
