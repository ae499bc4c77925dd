"""What an operator sees on the Prefect page: progress of each stage, the table of scores with where to read more.

The page is a window, not the ledger: where the server does not take an artifact the run goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any
from uuid import UUID

import httpx
from prefect.artifacts import acreate_link_artifact, acreate_progress_artifact, acreate_table_artifact, aupdate_progress_artifact
from prefect.context import FlowRunContext

from schemas.records import DIMENSIONS
from warehouse.store import Store

SQL = """
select configuration, dimension, value, ci_low, ci_high, n, status, reason
from marts.dimension_scores
where suite_id = ? and protocol = ? and dataset = 'all'
order by configuration, dimension
"""


class Progress:
    """The progress artifact of one stage: shards done of shards planned."""

    def __init__(self, stage: str, total: int) -> None:
        self._stage, self._total, self._done = stage, total, 0
        self._artifact: UUID | None = None
        self._updating = asyncio.Lock()

    async def start(self) -> None:
        """Show the stage with nothing done."""
        if self._total and FlowRunContext.get() is not None:
            described = f"{self._stage}: {self._total} shards"
            self._artifact = await _shown(acreate_progress_artifact(0.0, key=f"progress-{self._stage.replace('_', '-')}", description=described))

    async def advance(self) -> None:
        """One more shard is done."""
        self._done += 1
        if self._artifact is None:
            return
        async with self._updating:  # a later share must not be overtaken by an earlier one
            await _shown(aupdate_progress_artifact(self._artifact, 100.0 * self._done / self._total))


async def show_scores(place: Store, suite_id: str) -> None:
    """The table of six scores per protocol as artifacts `scores-paper` and `scores-strict`, and a link to the report."""
    if FlowRunContext.get() is None:
        return
    report = (place.root / "report.html").as_uri()
    for protocol in ("paper", "strict"):
        described = (
            f"Six scores [95 % interval], {protocol} protocol, all datasets, suite {suite_id[:12]}. Report: [{report}]({report}). "
            f'SQL: `sextant query "from marts.dimension_scores" --store {place.address}`'
        )
        await _shown(acreate_table_artifact(_table(place, suite_id, protocol), key=f"scores-{protocol}", description=described))
    await _shown(acreate_link_artifact(report, link_text="report", key="report", description="The HTML report, one self-contained file"))


def _table(place: Store, suite_id: str, protocol: str) -> list[dict[str, Any]]:
    import duckdb

    with duckdb.connect(str(place.warehouse), read_only=True) as connection:
        rows = connection.execute(SQL, [suite_id, protocol]).fetchall()
    table: dict[str, dict[str, Any]] = {}
    for configuration, dimension, value, low, high, n, status, reason in rows:
        row = table.setdefault(configuration, {"configuration": configuration} | dict.fromkeys(DIMENSIONS, "not asked") | {"items": 0})
        interval = "" if low is None else f" [{low:.2f}, {high:.2f}]"
        row[dimension] = f"{value:.3f}{interval}" if value is not None else f"none: {reason or status}"
        row["items"] = max(row["items"], n)
    return list(table.values())


async def _shown(asked: Awaitable[Any]) -> Any:
    try:
        return await asked
    except httpx.HTTPError:
        return None
