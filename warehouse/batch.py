"""Computes some parts of the warehouse (see warehouse/parts.py) in a database in memory that shows their evidence and nothing else."""

from __future__ import annotations

from collections.abc import Collection

import duckdb

from warehouse.index import BY_CONFIGURATION, BY_GENERATION, Index
from warehouse.literals import read_parquet
from warehouse.relations import COMPONENTS, Relation, catalog, components, create_macros

OWNERS = "staging.stg_generation_configurations"
WEIGHTS = "marts.bootstrap_weights"
SHARED = {
    "staging.stg_suites": ("suite_id", "operators", "seed", "reference_tokens"),
    "staging.stg_active_scorers": ("suite_id", "stage", "scorer"),
    "staging.stg_configurations": ("configuration_id", "configuration", "model_version_id", "template_digest", "temperature"),
    "staging.stg_schemes": ("weight_set", "scheme", "dimension", "weight"),
    "staging.stg_suite_items": ("suite_id", "item_id", "dataset", "cluster", "stratum", "answer_type", "magnitude"),
    "staging.stg_suite_prompts": ("suite_id", "item_id", "operator", "template_digest", "seed", "status", "reason"),
    "marts.judge_replicates": ("suite_id", "replicate", "false_alarm", "detection"),
}
"""The relations and columns that a part may read beside its own evidence; no others are there while it is computed."""


def relations(key: str) -> list[Relation]:
    """The relations that fall into parts by `key`, in building order."""
    return [relation for relation in catalog().values() if relation.parts == key]


def compute(connection: duckdb.DuckDBPyConnection, key: str, values: list[str], index: Index, replicates: int) -> None:
    """Compute the parts of `values` and insert them into the tables of `connection`; makes the tables where there are none.

    Raises:
        duckdb.Error: the SQL fails, or reads what a part may not read.
    """
    run = connection.execute
    files = {table: index.listed(table, values) for table in (*BY_CONFIGURATION, *BY_GENERATION)}
    row = run("select current_database()").fetchone()
    published = '"' + str(row[0] if row else "").replace('"', '""') + '"'
    run("attach ':memory:' as batch")
    run("use batch")
    try:
        create_macros(connection, replicates)
        for schema in ("raw", "seeds", "staging", "dimensions", "marts"):
            run(f"create schema {schema}")
        _shared(connection, key, values, published)
        if key == "suite_id":
            _build(connection, relations(key))
        else:
            _build_configurations(connection, files, published, orphans=values == [""])
        for relation in relations(key):
            run(f"create table if not exists {published}.{relation.full_name} as from {relation.full_name} limit 0")
            run(f"insert into {published}.{relation.full_name} by name from {relation.full_name}")
    finally:
        run(f"use {published}")
        run("detach batch")


def _shared(connection: duckdb.DuckDBPyConnection, key: str, values: Collection[str], published: str) -> None:
    """Views of what the parts may read beside their evidence: only the rows and columns that their names are made of."""
    run = connection.execute
    run("create table raw.keys as select unnest(?::varchar[]) as value", [list(values)])
    of_configurations = f"select distinct suite_id from {published}.raw.evaluation_units where configuration_id in (from raw.keys)"
    run(f"create table raw.suites as {of_configurations if key == 'configuration_id' else 'select value as suite_id from raw.keys'}")
    for name, columns in SHARED.items():
        where = {"suite_id": "where suite_id in (from raw.suites)", "configuration_id": "where configuration_id in (from raw.keys)"}.get(columns[0], "")
        run(f"create view {name} as select {', '.join(columns)} from {published}.{name} {where}")
    if key == "configuration_id":
        run(f"create view {WEIGHTS} as select * from {published}.{WEIGHTS} where suite_id in (from raw.suites)")
    seeds = "select table_name from duckdb_tables() where schema_name = 'seeds'"
    for (name,) in run(seeds).fetchall():
        run(f'create view seeds."{name}" as from {published}.seeds."{name}"')


def _build_configurations(connection: duckdb.DuckDBPyConnection, files: dict[str, list[str]], published: str, *, orphans: bool) -> None:
    """Build the parts of configurations from their evidence; of `orphans`, from the unit scores of generations that belong to nobody."""
    for table in BY_CONFIGURATION:
        _evidence(connection, table, files[table], published, "where coalesce(configuration_id, '') in (from raw.keys)")
    built = relations("configuration_id")
    _build(connection, [relation for relation in built if relation.full_name == OWNERS])
    for table in BY_GENERATION:
        mine = f"anti join {published}.{OWNERS} using (generation_id)" if orphans else f"semi join {OWNERS} using (generation_id)"
        _evidence(connection, table, files[table], published, mine)
    _build(connection, [relation for relation in built if relation.schema == "staging" and relation.full_name != OWNERS])
    _build(connection, [relation for relation in built if relation.schema == "dimensions"])
    connection.execute(f"create view {COMPONENTS} as {components(built)}")
    _build(connection, [relation for relation in built if relation.schema == "marts"])


def _evidence(connection: duckdb.DuckDBPyConnection, table: str, files: Collection[str], published: str, mine: str) -> None:
    source = read_parquet(files) if files else f"(from {published}.raw.{table} limit 0)"
    connection.execute(f"create view raw.{table} as select * from {source} {mine}")


def _build(connection: duckdb.DuckDBPyConnection, built: Collection[Relation]) -> None:
    for relation in built:
        connection.execute(f"create table {relation.full_name} as {relation.sql}")
