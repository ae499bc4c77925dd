"""Builds the DuckDB warehouse from stored evidence: a file beside the old one, checked, then swapped in whole.

The file begins as a copy of the old one, whose parts are kept where their evidence is unchanged (warehouse/parts.py); what comes out is what a whole
build would give.

raw.* are views of the Parquet files (absolute paths); seeds.* are the CSV files; staging.*, dimensions.* and marts.* are tables, so that the
published file answers on its own from any folder and while a run is writing; report.* are views of marts.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from schemas.columns import BOOL, FLOAT, INT, TEXT, TEXTS, TIME
from schemas.errors import CheckFailed, StoreError
from schemas.tables import TABLES, Table
from warehouse.index import Index
from warehouse.literals import quoted, read_parquet
from warehouse.parts import Parts, file_digest, former, kept_relations, read_by_parts, seal_of
from warehouse.relations import COMPONENTS, LAYERS, SEEDS, Relation, ancestors, catalog, components, create_macros
from warehouse.store import Store

CHECKS = Path(__file__).parent / "checks"
REPLICATES = 1000
MEMORY = "2500MB"
"""What DuckDB may hold at once while it builds; the process needs about half a GiB more."""


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
    """Build the warehouse aside, run the SQL checks, swap it in. Readers see the last good one until then. Call while holding the writer lock.

    Returns:
        What the `-- warn:` checks found.

    Raises:
        CheckFailed: a `-- fail:` check found offenders; the published file is untouched.
        StoreError: the file cannot be written.
    """
    for left in store.root.glob(f".{store.warehouse.stem}.*.tmp*"):  # of a publish that was killed
        left.unlink(missing_ok=True)
    aside = store.warehouse.with_name(f".{store.warehouse.stem}.{uuid.uuid4().hex}.tmp")
    try:
        standing = former(store.warehouse, replicates)
        if standing:
            shutil.copyfile(standing, aside)
        build(store, aside, replicates=replicates)
        warnings = check(aside)
        _flush(aside)
        seal_of(store.warehouse).write_text(file_digest(aside))
        aside.replace(store.warehouse)
    except (OSError, duckdb.IOException) as error:
        raise StoreError(f"cannot publish {store.warehouse}: {error}") from error
    finally:
        for left in (aside, aside.with_name(aside.name + ".wal")):
            left.unlink(missing_ok=True)
    return warnings


def build(store: Store, target: Path, *, replicates: int = REPLICATES) -> dict[str, int]:
    """Build all relations over the evidence of `store` into the file `target`: a new one, or a former build with the same definitions.

    Returns:
        How many parts of each key were computed.

    Raises:
        StoreError: a relation cannot be built; the message names it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with duckdb.connect(str(target)) as connection:
        _limit(connection)
        _clear(connection)
        _begin(connection, store, replicates)
        first = read_by_parts()
        try:
            _create(connection, [relation for relation in catalog().values() if relation.full_name in first])
            computed = Parts(connection, Index(connection, store), replicates).bring_up_to_date()
        except duckdb.Error as error:
            raise StoreError(f"building {target}: {error}") from error
        connection.execute(f"create view {COMPONENTS} as {components(catalog().values())}")
        _create(connection, [relation for relation in catalog().values() if relation.sql and relation.full_name not in first | kept_relations()])
        _comments(connection)
    return computed


def populate(connection: duckdb.DuckDBPyConnection, store: Store, *, replicates: int = REPLICATES, only: Collection[str] | None = None) -> None:
    """Create the relations in an empty database, all at once; with `only`, those and what they read.

    Raises:
        StoreError: a relation cannot be built; the message names it.
    """
    wanted = frozenset().union(*map(ancestors, only)) if only else catalog().keys()
    _begin(connection, store, replicates)
    built = [relation for relation in catalog().values() if relation.sql and relation.full_name in wanted]
    _create(connection, [relation for relation in built if relation.schema in ("staging", "dimensions")])
    if any(relation.schema == "dimensions" for relation in built):
        connection.execute(f"create view {COMPONENTS} as {components(built)}")
    _create(connection, [relation for relation in built if relation.schema not in ("staging", "dimensions")])


def check(path: Path) -> list[Finding]:
    """Run `checks/*.sql` on a built file; a row returned is an offender.

    Raises:
        CheckFailed: a `-- fail:` check returned rows.
    """
    failures: list[Finding] = []
    warnings: list[Finding] = []
    with duckdb.connect(str(path), read_only=True) as connection:
        _limit(connection)
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


def _limit(connection: duckdb.DuckDBPyConnection) -> None:
    """Hold a build within its memory; what does not fit goes to a folder beside the file."""
    connection.execute(f"set memory_limit = '{MEMORY}'")


def _begin(connection: duckdb.DuckDBPyConnection, store: Store, replicates: int) -> None:
    """Settings, macros, schemas, evidence and seeds."""
    connection.execute("set enable_progress_bar = false; set preserve_insertion_order = false; set timezone = 'UTC'")
    create_macros(connection, replicates)
    for schema in LAYERS:
        connection.execute(f"create schema if not exists {schema}")
    _raw(connection, store)
    _seeds(connection)


def _clear(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop what a former build left, the parts excepted."""
    kept = kept_relations()
    for schema in ("report", "raw", "seeds"):
        connection.execute(f"drop schema if exists {schema} cascade")
    connection.execute("create schema if not exists dimensions")
    connection.execute(f"drop view if exists {COMPONENTS}")
    for (name,) in connection.execute("select schema_name || '.' || table_name from duckdb_tables() where schema_name <> 'parts'").fetchall():
        if name not in kept:
            connection.execute(f"drop table {name}")


def _raw(connection: duckdb.DuckDBPyConnection, store: Store) -> None:
    connection.execute("create schema raw")
    connection.execute("create table raw.stored_files (table_name varchar, path varchar)")
    for table in TABLES.values():
        files = [str(path.resolve()) for path in store.files(table.name)]
        connection.execute("insert into raw.stored_files select ?, unnest(?::varchar[])", [table.name, files])
        if files:
            connection.execute(f"create view raw.{table.name} as select * from {read_parquet(files)}")
        else:
            _empty(connection, table)


def _empty(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    columns = ", ".join(f'"{column.name}" {_sql_type(column.type)}' for column in table.columns)
    connection.execute(f"create table raw.{table.name} ({columns})")


def _sql_type(kind: pl.DataType) -> str:
    return {TEXT: "varchar", INT: "bigint", FLOAT: "double", BOOL: "boolean", TIME: "timestamptz", TEXTS: "varchar[]"}[kind]


def _seeds(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create schema seeds")
    for path in sorted(SEEDS.glob("*.csv")):
        connection.execute(f"create table seeds.{path.stem} as select * from read_csv(?, header = true, sample_size = -1)", [str(path)])


def _create(connection: duckdb.DuckDBPyConnection, built: Collection[Relation]) -> None:
    for relation in built:
        kind = "view" if relation.schema == "report" else "table"
        try:
            connection.execute(f"create {kind} {relation.full_name} as {relation.sql}")
        except duckdb.Error as error:
            raise StoreError(f"building {relation.full_name}: {error}") from error


def _comments(connection: duckdb.DuckDBPyConnection) -> None:
    """Descriptions of relations and columns, for every SQL tool that shows them. One transaction: it is 900 statements."""
    kinds = "select schema_name || '.' || table_name, 'table' from duckdb_tables() union all select schema_name || '.' || view_name, 'view' from duckdb_views()"
    there = dict(connection.execute(kinds).fetchall())
    columns = connection.execute("select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal").fetchall()
    connection.execute("begin")
    for name, relation in catalog().items():
        if name in there:
            connection.execute(f"comment on {there[name]} {name} is {quoted(f'{relation.description} Grain: {relation.grain}.')}")
    for name, column in columns:
        told = catalog()[name].describe(column) if name in catalog() else None
        if told:
            connection.execute(f'comment on column {name}."{column}" is {quoted(f"{told[1]} [{told[0]}]")}')
    connection.execute("commit")


def _flush(path: Path) -> None:
    with path.open("rb") as handle:
        os.fsync(handle.fileno())
