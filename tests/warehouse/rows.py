"""Raw rows for tests: omitted columns get a plain default of their type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from schemas.columns import Column
from schemas.tables import TABLES

RECORDED = datetime(2026, 1, 1, tzinfo=UTC)


def fill(table: str, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `table` with every column: the given value, else NULL where allowed, else a plain default."""
    columns = TABLES[table].columns
    known = {column.name for column in columns}
    filled = []
    for row in rows:
        unknown = set(row) - known
        if unknown:
            raise KeyError(f"{table} has no column {sorted(unknown)}")
        filled.append({column.name: _value(row[column.name], column) if column.name in row else _default(column) for column in columns})
    return filled


def _value(value: Any, column: Column) -> Any:
    if isinstance(value, str) and pa.types.is_timestamp(column.type):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return str(value) if isinstance(value, int) and pa.types.is_string(column.type) else value


def _default(column: Column) -> Any:
    if column.nullable:
        return None
    if pa.types.is_timestamp(column.type):
        return RECORDED
    if pa.types.is_boolean(column.type):
        return False
    if pa.types.is_integer(column.type):
        return int(column.low or 0)
    if pa.types.is_floating(column.type):
        return float(column.low or 0)
    if column.values:
        return column.values[0]
    return "{}" if column.text.startswith("JSON") else column.name
