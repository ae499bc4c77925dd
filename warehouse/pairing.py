"""A warehouse of two configurations in memory: what both sides share, and the marts built over it by their own SQL files."""

from __future__ import annotations

import duckdb

from warehouse.literals import quoted
from warehouse.relations import ancestors, layer
from warehouse.sides import Side

READS = {
    "correctness": ("answers",),
    "consistency": ("answers",),
    "robustness": ("answers",),
    "coherence": ("traces", "equations", "step_pairs"),
    "efficiency": ("answers",),
    "stability": ("trace_pairs",),
}
"""Stages whose scorer must be the same on both sides: different fingerprints are never mixed."""


def copy_side(connection: duckdb.DuckDBPyConnection, side: Side, place: str, protocol: str) -> int:
    """Copy one side's evidence into the pair under the name `place`; returns the number of its items."""
    connection.execute(f"attach {quoted(str(side.warehouse))} as source (read_only)")
    if place == "baseline":
        for schema in ("staging", "dimensions", "marts", "seeds"):
            connection.execute(f"create schema {schema}")
        for (name,) in connection.execute("select table_name from duckdb_tables() where database_name = 'source' and schema_name = 'seeds'").fetchall():
            connection.execute(f'create table seeds."{name}" as from source.seeds."{name}"')
    mine = {"suite": side.suite_id, "configuration": side.configuration_id}
    kept = "suite_id = $suite and configuration_id = $configuration"
    named = f"* replace ('pair' as suite_id, '{place}' as configuration_id)"
    _append(
        connection,
        "dimensions.components",
        f"select {named} from source.dimensions.components where {kept} and protocol = $protocol",
        {**mine, "protocol": protocol},
    )
    _append(connection, "staging.stg_units", f"select {named} from source.staging.stg_units where {kept}", mine)
    configurations = f"select * replace ('{place}' as configuration_id) from source.staging.stg_configurations where configuration_id = $configuration"
    _append(connection, "staging.stg_configurations", configurations, {"configuration": side.configuration_id})
    of_suite = {"suite": side.suite_id}
    _append(
        connection,
        "staging.stg_active_scorers",
        f"select * replace ('{place}' as suite_id) from source.staging.stg_active_scorers where suite_id = $suite",
        of_suite,
    )
    if place == "baseline":
        rates = "select * replace ('pair' as suite_id) from source.staging.stg_judge_rates where suite_id = $suite"
        _append(connection, "staging.stg_judge_rates", rates, of_suite)
    connection.execute("detach source")
    return _count(connection, f"select count(distinct item_id) from staging.stg_units where configuration_id = '{place}'")


def _append(connection: duckdb.DuckDBPyConnection, relation: str, sql: str, parameters: dict[str, str]) -> None:
    """Add the rows of `sql` to a relation of the pair; of a file built by other definitions, the columns that both have."""
    schema, name = relation.split(".")
    listed = f"select column_name from duckdb_columns() where database_name = 'memory' and schema_name = '{schema}' and table_name = '{name}'"
    known = {column for (column,) in connection.execute(listed).fetchall()}
    if not known:
        connection.execute(f"create table {relation} as {sql}", parameters)
        return
    offered = [column[0] for column in connection.execute(f"select * from ({sql}) limit 0", parameters).description or ()]
    columns = ", ".join(f'"{column}"' for column in offered if column in known)
    connection.execute(f"insert into {relation} ({columns}) select {columns} from ({sql})", parameters)


def keep_shared(connection: duckdb.DuckDBPyConnection) -> int:
    """Leave only what both sides were asked; returns the number of shared items."""
    both = "select item_id from staging.stg_units group by item_id having count(distinct configuration_id) = 2"
    connection.execute(f"create temp table shared as {both}")
    for relation in ("staging.stg_units", "dimensions.components"):
        connection.execute(f"delete from {relation} where item_id not in (from shared)")
    return _count(connection, "select count(*) from shared")


def keep_same_scorers(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave out the dimensions whose evidence the sides' suites had scored by different scorers."""
    rows = connection.execute("select stage from staging.stg_active_scorers group by stage having count(distinct scorer) > 1 or count(*) = 1").fetchall()
    mixed = {stage for (stage,) in rows}
    for dimension, stages in READS.items():
        if mixed & set(stages):
            connection.execute("delete from dimensions.components where dimension = ?", [dimension])


def build_pair(connection: duckdb.DuckDBPyConnection) -> None:
    """Build `marts.comparisons` and the marts it reads, by their own files."""
    wanted = ancestors("marts.comparisons")
    connection.execute("create table staging.stg_suite_items as select distinct suite_id, item_id, dataset, cluster, stratum from staging.stg_units")
    for relation in layer("marts"):
        if relation.full_name in wanted:
            connection.execute(f"create table {relation.full_name} as {relation.sql}")


def _count(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    found = connection.execute(sql).fetchone()
    return int(found[0]) if found else 0
