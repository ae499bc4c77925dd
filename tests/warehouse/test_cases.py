"""Runs the case folders: cases/<relation>/<what_it_proves>/ with expect.yaml and raw rows.

`cases/raw.<table>.yaml` are the rows all cases share (see cases/README.md). A case folder replaces a table (`raw.<table>.yaml`), takes shared rows
away (`drop.<table>.yaml`, rows that match) or adds rows, newer than the shared ones (`more.<table>.yaml`). Rows may omit columns.
expect.yaml: `relation`, optional `where` or a whole `sql` that reads it, `rows`; each expected row must match exactly one actual row in the columns
it names (numbers within `tolerance`, 1e-9), and nothing else may be there unless `others: true`.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from tests.warehouse.rows import fill
from warehouse.build import populate
from warehouse.relations import LAYERS, layer
from warehouse.store import Store

CASES = Path(__file__).parent / "cases"
REPLICATES = 40
FOLDERS = sorted(path.parent for path in CASES.glob("*/*/expect.yaml"))


@pytest.fixture(scope="module")
def shared_world(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    """All relations over the shared rows: built once for the cases that change nothing."""
    return world(CASES, tmp_path_factory.mktemp("shared"), replicates=REPLICATES, only=None)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_case(folder: Path, tmp_path: Path, shared_world: duckdb.DuckDBPyConnection) -> None:
    expected = yaml.safe_load((folder / "expect.yaml").read_text())
    if len(list(folder.glob("*.yaml"))) == 1 and "replicates" not in expected:
        actual = read(shared_world, expected)
    else:
        with world(folder, tmp_path, replicates=expected.get("replicates", REPLICATES), only=[expected["relation"]]) as connection:
            actual = read(connection, expected)
    compare(expected["rows"], actual, expected.get("tolerance", 1e-9), others=expected.get("others", False))


def world(folder: Path, place: Path, *, replicates: int, only: list[str] | None) -> duckdb.DuckDBPyConnection:
    store = Store(place).open()
    for table, rows in raw_rows(folder).items():
        store.write(table, fill(table, rows))
    connection = duckdb.connect(config={"threads": 1})
    populate(connection, store, replicates=replicates, only=only)
    return connection


@pytest.mark.parametrize("name", [r.full_name for s in LAYERS for r in layer(s)])
def test_every_relation_has_a_case_folder(name: str) -> None:
    schema, relation = name.split(".")
    folder = CASES / (relation if schema != "report" else f"report.{relation}")
    assert list(folder.glob("*/expect.yaml")), f"{name} has no case: a relation without a case folder does not exist"


def raw_rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows per raw table: shared ones, replaced, less the dropped, plus the case's own."""
    rows = dict(_files(CASES, "raw") | _files(folder, "raw"))
    for table, gone in _files(folder, "drop").items():
        before = len(rows[table])
        rows[table] = [row for row in rows[table] if not any(all(row.get(k) == v for k, v in drop.items()) for drop in gone)]
        assert len(rows[table]) < before, f"drop.{table}.yaml of {folder} drops nothing"
    for table, added in _files(folder, "more").items():
        rows[table] = rows.get(table, []) + [{"recorded_at": "2026-02-01T00:00:00"} | row for row in added]
    return rows


@functools.cache
def _files(folder: Path, kind: str) -> dict[str, list[dict[str, Any]]]:
    found = {path.name.split(".")[1]: yaml.safe_load(path.read_text()) or [] for path in sorted(folder.glob(f"{kind}.*.yaml"))}
    return {table: [row for entry in entries for row in expand(entry)] for table, entries in found.items()}


def expand(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """`{for: {i: [1, 2], r: [0, 1]}, ...: "x{i}"}` is one row per combination, with {i} replaced in texts."""
    loops = entry.get("for", {})
    rows = [{key: value for key, value in entry.items() if key != "for"}]
    for name, values in loops.items():
        values = range(values) if isinstance(values, int) else values
        rows = [{key: _replaced(value, name, v) for key, value in row.items()} for row in rows for v in values]
    return rows


def _replaced(value: Any, name: str, by: Any) -> Any:
    if value == "{" + name + "}":
        return by
    if isinstance(value, list):
        return [_replaced(part, name, by) for part in value]
    return value.replace("{" + name + "}", str(by)) if isinstance(value, str) else value


def read(connection: duckdb.DuckDBPyConnection, expected: dict[str, Any]) -> list[dict[str, Any]]:
    where = f"where {expected['where']}" if "where" in expected else ""
    result = connection.execute(expected.get("sql") or f"select * from {expected['relation']} {where}")
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def compare(expected: list[dict[str, Any]], actual: list[dict[str, Any]], tolerance: float, *, others: bool) -> None:
    left = list(actual)
    for row in expected:
        matches = [candidate for candidate in left if all(_same(candidate.get(key, "no such column"), value, tolerance) for key, value in row.items())]
        keys = {key for row in expected for key in row}
        shown = "\n".join(str({key: value for key, value in candidate.items() if key in keys}) for candidate in left[:20])
        assert len(matches) == 1, f"{len(matches)} rows match {row}; there are:\n{shown}"
        left.remove(matches[0])
    assert others or not left, f"unexpected rows: {left[:5]}"


def _same(actual: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(expected, int | float) and not isinstance(expected, bool) and isinstance(actual, int | float):
        return math.isclose(actual, expected, rel_tol=0, abs_tol=tolerance)
    return bool(actual == expected)
