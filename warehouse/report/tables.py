"""What the report shows in figures: relations of the warehouse as small column-wise tables, one set per suite."""

from __future__ import annotations

import importlib.metadata
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb

RELATIONS = {
    "configurations": "report.configurations",
    "scores": "report.scores",
    "rankings": "report.rankings",
    "draws": "report.draws",
    "datasets": "report.datasets",
    "rewording_coverage": "report.rewording_coverage",
    "scorers": "report.scorers",
    "inversions": "report.inversions",
    "twins": "report.twins",
    "validity": "report.validity",
    "reliability": "report.reliability",
    "comparisons": "report.comparisons",
    "diagnoses": "report.diagnoses",
    "extraction": "report.extraction",
    "judges": "report.judges",
    "costs": "report.costs",
    "simplex": "report.weight_simplex",
    "flips": "report.weight_flips",
    "coverage": "report.coverage",
    "unanswered": "report.unscored",
    "majority": "report.agreement",
    "gates": "report.perturbations",
    "shapes": "report.traces",
}
"""Name in the page -> relation. A relation that is not there or has no rows is shown as not measured."""

_KNOWN = {"suite_id", "run_name", "configuration_a", "configuration_b"}
"""Columns that the page knows from elsewhere."""
_ONLY = {"inversions": "supported"}
"""What the page shows of a relation where it does not show all."""

Rows = dict[str, Any]


def catalogue(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What is shown before a suite is chosen: suites newest first, schemes, nights, versions."""
    suites = table(connection, "select * from report.suites")
    return {
        "suites": [dict(zip(suites["columns"], row, strict=True)) for row in suites["rows"]],
        "schemes": table(connection, "select weight_set, scheme, dimension, weight from report.schemes order by all"),
        "nights": table(connection, "select * from report.nights order by night_at, configuration, protocol, weight_set, scheme"),
        "reference": table(connection, "select * from report.published_reference"),
        "version": importlib.metadata.version("sextant-reasoning"),
        "duckdb": duckdb.__version__,
    }


def suite_tables(connection: duckdb.DuckDBPyConnection, suite_id: str) -> dict[str, Any]:
    """Every relation of `RELATIONS`, cut to one suite: name -> {columns, rows}, empty where it does not exist."""
    return {name: _of_suite(connection, name, suite_id) for name in RELATIONS}


def table(connection: duckdb.DuckDBPyConnection, sql: str, *parameters: object) -> Rows:
    """The result of `sql` as {columns, rows}, every value one that JSON has."""
    result = connection.execute(sql, list(parameters))
    columns = [column[0] for column in result.description or ()]
    return {"columns": columns, "rows": [[plain(value) for value in row] for row in result.fetchall()]}


def plain(value: Any) -> Any:
    """`value` as JSON has it: times as ISO text, floats to six digits, structs as lists."""
    if isinstance(value, float | Decimal):
        return float(f"{value:.6g}")
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def _of_suite(connection: duckdb.DuckDBPyConnection, shown: str, suite_id: str) -> Rows:
    schema, relation = RELATIONS[shown].split(".")
    listed = "select column_name from duckdb_columns() where schema_name = ? and table_name = ? order by column_index"
    columns = [row[0] for row in connection.execute(listed, [schema, relation]).fetchall()]
    if not columns:
        return {"columns": [], "rows": []}
    kept = ", ".join(f'"{name}"' for name in columns if name not in _KNOWN)
    condition = "suite_id = ?" if "suite_id" in columns else "list_contains(suites, ?)"
    return table(connection, f"select {kept} from {schema}.{relation} where {condition} and {_ONLY.get(shown, 'true')} order by all", suite_id)
