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
    "inversions": "marts.ranking_inversions",
    "twins": "marts.profile_twins",
    "validity": "marts.discriminant_validity",
    "reliability": "marts.reliability",
    "comparisons": "marts.comparisons",
    "diagnoses": "marts.diagnoses",
    "extraction": "marts.extraction",
    "judge_cards": "marts.judge_cards",
    "costs": "marts.costs",
    "simplex": "marts.weight_simplex",
    "flips": "marts.weight_flips",
    "coverage": "marts.coverage",
    "unanswered": "marts.unscored_reasons",
    "majority": "marts.majority_votes",
    "gates": "marts.perturbation_gates",
    "shapes": "marts.trace_shapes",
}
"""Name in the report -> relation. A relation that is not there or has no rows is shown as not measured."""

Rows = dict[str, Any]


def catalogue(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """What is shown before a suite is chosen: suites newest first, schemes, nights, versions."""
    suites = table(connection, "select * from report.suites")
    return {
        "suites": [dict(zip(suites["columns"], row, strict=True)) for row in suites["rows"]],
        "schemes": table(connection, "select weight_set, scheme, dimension, weight from report.schemes order by all"),
        "nights": table(connection, "select * from report.nights order by night_at, configuration, protocol, weight_set, scheme"),
        "version": importlib.metadata.version("sextant-reasoning"),
        "duckdb": duckdb.__version__,
    }


def suite_tables(connection: duckdb.DuckDBPyConnection, suite_id: str) -> dict[str, Any]:
    """Every relation of `RELATIONS`, cut to one suite: name -> {columns, rows}, empty where it does not exist."""
    return {name: _of_suite(connection, relation, suite_id) for name, relation in RELATIONS.items()}


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


def _of_suite(connection: duckdb.DuckDBPyConnection, relation: str, suite_id: str) -> Rows:
    schema, name = relation.split(".")
    columns = [
        row[0] for row in connection.execute("select column_name from duckdb_columns() where schema_name = ? and table_name = ?", [schema, name]).fetchall()
    ]
    if not columns:
        return {"columns": [], "rows": []}
    if "suite_id" not in columns:
        return table(connection, f"select * from {relation} order by all")
    return table(connection, f"select * exclude (suite_id) from {relation} where suite_id = ? order by all", suite_id)
