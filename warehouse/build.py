"""Builds the DuckDB warehouse from stored evidence: a new file beside the old one, checked, then swapped in whole.

raw.* are views of the Parquet files (absolute paths); seeds.* are the CSV files; staging.*, dimensions.* and marts.* are tables, so that the
published file answers on its own from any folder and while a run is writing; report.* are views of marts.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from schemas.errors import CheckFailed, StoreError
from schemas.tables import TABLES, Table
from warehouse.relations import COMPONENTS, LAYERS, SEEDS, SQL, ancestors, catalog, layer
from warehouse.reuse import KEPT, Reuse
from warehouse.store import Store

CHECKS = Path(__file__).parent / "checks"
REPLICATES = 1000


@dataclass(frozen=True)
class Finding:
    """Rows that a SQL check returned: check name, its text, how many, the first three."""

    check: str
    text: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.check}: {self.text} ({self.count} rows; first: {'; '.join(self.examples)})"


def publish(store: Store, *, replicates: int = REPLICATES) -> list[Finding]:
    """Build the warehouse aside, run the SQL checks, swap it in. Readers see the last good one until then.

    Returns:
        What the `-- warn:` checks found.

    Raises:
        CheckFailed: a `-- fail:` check found offenders; the published file is untouched.
        StoreError: the file cannot be written.
    """
    aside = store.warehouse.with_name(f".{store.warehouse.stem}.{uuid.uuid4().hex}.tmp")
    reuse = Reuse(store.root / "marts", replicates)
    try:
        build(store, aside, replicates=replicates, reuse=reuse)
        warnings = check(aside)
        _flush(aside)
        aside.replace(store.warehouse)
        reuse.tidy()
    except (OSError, duckdb.IOException) as error:
        raise StoreError(f"cannot publish {store.warehouse}: {error}") from error
    finally:
        for left in (aside, aside.with_name(aside.name + ".wal")):
            left.unlink(missing_ok=True)
    return warnings


def build(store: Store, target: Path, *, replicates: int = REPLICATES, reuse: Reuse | None = None) -> None:
    """Build all relations over the evidence of `store` into the new file `target`; with `reuse`, kept parts are read and new ones kept.

    Raises:
        StoreError: a relation cannot be built; the message names it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(target)) as connection:
        populate(connection, store, replicates=replicates, reuse=reuse)
        _comments(connection)


def populate(
    connection: duckdb.DuckDBPyConnection,
    store: Store,
    *,
    replicates: int = REPLICATES,
    only: Collection[str] | None = None,
    reuse: Reuse | None = None,
) -> None:
    """Create the relations in an empty database; with `only`, those and what they read.

    Raises:
        StoreError: a relation cannot be built; the message names it.
    """
    wanted = frozenset().union(*map(ancestors, only)) if only else None
    connection.execute("set enable_progress_bar = false; set preserve_insertion_order = false; set timezone = 'UTC'")
    connection.execute((SQL / "macros.sql").read_text(encoding="utf-8"))
    connection.execute(f"create or replace macro replicate_count() as {int(replicates)}")
    _raw(connection, store)
    _seeds(connection)
    for schema in LAYERS:
        _layer(connection, schema, wanted, reuse)


def check(path: Path) -> list[Finding]:
    """Run `checks/*.sql` on a built file; a row returned is an offender.

    Raises:
        CheckFailed: a `-- fail:` check returned rows.
    """
    failures: list[Finding] = []
    warnings: list[Finding] = []
    with duckdb.connect(str(path), read_only=True) as connection:
        for file in sorted(CHECKS.glob("*.sql")):
            sql = file.read_text(encoding="utf-8")
            first = sql.splitlines()[0]
            offenders = connection.execute(sql).fetchall()
            if offenders:
                finding = Finding(file.stem, first.split(":", 1)[1].strip(), len(offenders), tuple(str(row) for row in offenders[:3]))
                (failures if first.startswith("-- fail:") else warnings).append(finding)
    if failures:
        raise CheckFailed("nothing was published: " + " | ".join(str(finding) for finding in failures))
    return warnings


def _raw(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    connection.execute("create schema raw")
    connection.execute("create table raw.stored_files (table_name varchar, path varchar)")
    for table in TABLES.values():
        files = [str(path.resolve()) for path in store.files(table.name)]
        for path in files:
            connection.execute("insert into raw.stored_files values (?, ?)", [table.name, path])
        if files:
            listed = ", ".join("'" + path.replace("'", "''") + "'" for path in files)
            connection.execute(f"create view raw.{table.name} as select * from read_parquet([{listed}], union_by_name = true)")
        else:
            _empty(connection, table)


def _empty(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    columns = ", ".join(f'"{column.name}" {_sql_type(column.type)}' for column in table.columns)
    connection.execute(f"create table raw.{table.name} ({columns})")


def _sql_type(arrow: pa.DataType) -> str:
    if pa.types.is_list(arrow):
        return f"{_sql_type(arrow.value_type)}[]"
    if pa.types.is_timestamp(arrow):
        return "timestamptz"
    return {"string": "varchar", "int64": "bigint", "double": "double", "bool": "boolean"}[str(arrow)]


def _seeds(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create schema seeds")
    for path in sorted(SEEDS.glob("*.csv")):
        connection.execute(f"create table seeds.{path.stem} as select * from read_csv(?, header = true, sample_size = -1)", [str(path)])


def _layer(connection: duckdb.DuckDBPyConnection, schema: str, wanted: frozenset[str] | None, reuse: Reuse | None) -> None:
    connection.execute(f"create schema {schema}")
    relations = [relation for relation in layer(schema) if wanted is None or relation.full_name in wanted]
    kind = "view" if schema == "report" else "table"
    for relation in relations:
        try:
            if reuse and relation.full_name in KEPT:
                reuse.create(connection, relation)
            else:
                connection.execute(f"create {kind} {relation.full_name} as {relation.sql}")
        except duckdb.Error as error:
            raise StoreError(f"building {relation.full_name}: {error}") from error
    if schema == "dimensions" and relations:
        parts = " union all by name ".join(f"select '{r.name}' as dimension, * from {r.full_name}" for r in relations)
        connection.execute(f"create view {COMPONENTS} as {parts}")


def _comments(connection: duckdb.DuckDBPyConnection) -> None:
    """Descriptions of relations and columns, for every SQL tool that shows them. One transaction: it is 900 statements."""
    kinds = "select schema_name || '.' || table_name, 'table' from duckdb_tables() union all select schema_name || '.' || view_name, 'view' from duckdb_views()"
    there = dict(connection.execute(kinds).fetchall())
    columns = connection.execute("select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal").fetchall()
    connection.execute("begin")
    for name, relation in catalog().items():
        if name in there:
            connection.execute(f"comment on {there[name]} {name} is {_quoted(f'{relation.description} Grain: {relation.grain}.')}")
    for name, column in columns:
        told = catalog()[name].describe(column) if name in catalog() else None
        if told:
            connection.execute(f'comment on column {name}."{column}" is {_quoted(f"{told[1]} [{told[0]}]")}')
    connection.execute("commit")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _flush(path: Path) -> None:
    with path.open("rb") as handle:
        os.fsync(handle.fileno())
