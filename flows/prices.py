"""What a backfill cost beside what buying the same answers anew would: from marts.costs."""

from __future__ import annotations

import duckdb

from flows.backfill import Backfilled
from warehouse.store import Store


def told(place: Store, dimension: str, done: Backfilled) -> str:
    """The result of a backfill for the terminal: rows, suites, and its price against regenerating."""
    rows = ", ".join(f"{count} new rows in {table}" for table, count in done.rows.items())
    lines = [f"backfilled {dimension} over {done.generations} stored generations of {done.suites + done.waiting} suites: {rows}; no request to any model"]
    if done.waiting:
        lines.append(f"{done.waiting} of the suites keep their former scorer until the rest of their answers is covered")
    lines.append(f"this took {done.seconds:.1f} s and $0; {regenerating(place)}")
    return "\n".join(lines)


def regenerating(place: Store) -> str:
    """What the stored answers cost when they were bought, in words."""
    with duckdb.connect(str(place.warehouse), read_only=True) as connection:
        found = connection.execute(
            """
            select sum(n_requests), sum(usd), sum(billed_output_tokens), sum(mean_latency_ms * n_answered) / 3.6e6
            from marts.costs where dataset = 'all'
            """
        ).fetchone()
    requests, usd, tokens, hours = found or (None, None, None, None)
    money = "no prices known" if usd is None else f"${usd:.4f}"
    billed = "output tokens not known" if tokens is None else f"{tokens:.0f} output tokens"
    waited = "" if hours is None else f", {hours:.2f} hours of waiting for models"
    return f"buying the answers anew: {requests or 0:.0f} requests, {money}, {billed}{waited}"
