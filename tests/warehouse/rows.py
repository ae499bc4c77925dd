"""Raw rows for tests: omitted columns get a plain default of their type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

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
    if isinstance(value, str) and isinstance(column.type, pl.Datetime):
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    return str(value) if isinstance(value, int) and isinstance(column.type, pl.String) else value


def _default(column: Column) -> Any:
    if column.nullable:
        return None
    if isinstance(column.type, pl.Datetime):
        return RECORDED
    if isinstance(column.type, pl.Boolean):
        return False
    if column.type.is_integer():
        return int(column.low or 0)
    if column.type.is_float():
        return float(column.low or 0)
    if column.values:
        return column.values[0]
    return "{}" if column.text.startswith("JSON") else column.name
