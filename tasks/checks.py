"""Checks of stored evidence before it is published: Great Expectations over the files that no earlier publish has checked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import polars as pl
from prefect import task

from schemas.errors import CheckFailed
from schemas.keys import digest
from schemas.tables import TABLES
from warehouse.store import Store, store_at


@task(name="checks", retries=0)
async def check_evidence(store: str) -> int:
    """Check every new file of every table; returns the rows checked.

    Raises:
        CheckFailed: one line per broken rule. Nothing is published, nothing is lost.
    """
    return await asyncio.to_thread(check, store_at(store))


def check(store: Store) -> int:
    """See `check_evidence`."""
    from schemas.checks import failures

    passed = _passed(store)
    broken: list[str] = []
    rows = 0
    for table in TABLES.values():
        files = [path for path in store.files(table.name) if _mark(table.name, path) not in passed]
        if not files:
            continue
        frame = pl.read_parquet(files).unique(table.key, keep="last")
        rows += frame.height
        found = failures(table, frame.to_pandas())
        broken += found
        if not found:
            passed |= {_mark(table.name, path) for path in files}
    _remember(store, passed)
    if broken:
        raise CheckFailed("evidence checks failed, nothing was published:\n  " + "\n  ".join(broken))
    return rows


def _mark(table: str, path: Path) -> str:
    rules = digest([[c.name, c.nullable, list(c.values), c.low, c.high] for c in TABLES[table].columns], TABLES[table].needs)
    return f"{table}/{path.stem}/{rules[:8]}"


def _passed(store: Store) -> set[str]:
    path = store.root / "checked.json"
    return set(json.loads(path.read_text())) if path.exists() else set()


def _remember(store: Store, passed: set[str]) -> None:
    path = store.root / "checked.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(sorted(passed)))
    temporary.replace(path)
