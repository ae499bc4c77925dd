"""A published store of the world that the warehouse's cases share: two configurations, twelve items, every dimension. Built once a session."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from tests.warehouse.rows import fill
from tests.warehouse.test_cases import CASES, raw_rows
from warehouse.build import publish
from warehouse.store import Store


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="sextant-small-")


@functools.cache
def small_store() -> Store:
    """The store; read it only."""
    store = Store(Path(_folder().name) / "store").open()
    for table, rows in raw_rows(CASES).items():
        store.write(table, fill(table, rows))
    publish(store, replicates=20)
    return store
