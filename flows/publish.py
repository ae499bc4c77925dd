"""Flow `publish`: checks -> build the warehouse aside -> SQL checks -> swap -> report."""

from __future__ import annotations

import asyncio

from prefect import flow, task

from flows.places import opened, store_for
from tasks.checks import check_evidence
from tasks.notices import notice
from warehouse import build
from warehouse.published import share
from warehouse.store import store_at


@task(name="warehouse", retries=0)
async def build_warehouse(store: str) -> list[str]:
    """Build every relation aside, run the SQL checks and swap the file in; returns warnings."""
    return [str(finding) for finding in await asyncio.to_thread(build.publish, store_at(store))]


@task(name="report", retries=0)
async def write_report(store: str) -> str:
    """Write the HTML report from report.*; returns its path."""
    from warehouse.report import write

    return str(await asyncio.to_thread(write, store_at(store)))


@flow(name="publish", flow_run_name="publish")
async def publish(store: str | None = None) -> str:
    """Check new evidence, rebuild the warehouse and its report; returns the report's path. The store is found as for a command where none is named.

    Raises:
        CheckFailed: the published warehouse stays as it was.
    """
    with opened(store_for(None, store)) as place:
        root = place.address
        await check_evidence(root)
        for warning in await build_warehouse(root):
            notice(warning)
        report = await write_report(root)
        share(place)
    return report
