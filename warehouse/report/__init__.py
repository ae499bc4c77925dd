"""The HTML report: one self-contained file made from the published warehouse at every publish."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from schemas.errors import StoreError
from warehouse.report.blocks import Block, Budget, item_blocks
from warehouse.report.page import render
from warehouse.report.tables import catalogue, suite_tables
from warehouse.store import Store

EVIDENCE_BYTES = 48 * 2**20
"""Most bytes of item evidence (compressed, as embedded) in one report; what does not fit is named in it."""


def write(store: Store, output: Path | None = None, *, evidence_bytes: int = EVIDENCE_BYTES) -> Path:
    """Write the report of the published warehouse, by rename, so that a reader never sees half a file.

    Args:
        store: the store whose `warehouse.duckdb` is read (read-only).
        output: the file to write; `report.html` in the store when absent.
        evidence_bytes: most bytes of item evidence to embed, newest suite first.

    Returns:
        The file written.

    Raises:
        StoreError: nothing is published yet, or the file cannot be written.
    """
    target = output or store.root / "report.html"
    if not store.warehouse.exists():
        raise StoreError(f"{store.warehouse} does not exist; run `sextant evaluate` or `sextant publish` first")
    temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(str(store.warehouse), read_only=True) as connection, temporary.open("w", encoding="utf-8") as handle:
            connection.execute("set enable_progress_bar = false; set timezone = 'UTC'")
            start = catalogue(connection) | {
                "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
                "warehouse": f"{store.root.absolute().name}/{store.warehouse.name}",
            }
            for part in render(start, _blocks(connection, start["suites"], Budget(evidence_bytes))):
                handle.write(part)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(target)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}; choose another file with --output") from error
    except duckdb.Error as error:
        raise StoreError(f"cannot read {store.warehouse}: {error}; run `sextant publish` to rebuild it") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _blocks(connection: duckdb.DuckDBPyConnection, suites: list[dict[str, object]], budget: Budget) -> Iterator[Block]:
    for number, suite in enumerate(suites):
        yield Block.of(f"suite-{number}", suite_tables(connection, str(suite["suite_id"])))
        yield from item_blocks(connection, number, str(suite["suite_id"]), budget)
