"""The SQL relations as files: folder = schema, file = relation, comment block = documentation.

A file starts with `-- description`, then `-- grain: one row per ...`, then `-- parts: key` where its rows are kept from build to build
(warehouse/parts.py), then `-- columns:` and one line `--   name [unit]: text` for each column that neither `sql/columns.csv` (shared by several
relations) nor `schemas.columns` (raw) describes already.
"""

from __future__ import annotations

import csv
import functools
import graphlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from schemas.columns import COLUMNS
from schemas.errors import StoreError
from schemas.tables import TABLES

SQL = Path(__file__).parent / "sql"
SEEDS = Path(__file__).parent / "seeds"
LAYERS = ("staging", "dimensions", "marts", "report")
"""Built in this order, after `raw` and `seeds`."""
COMPONENTS = "dimensions.components"
"""View of all relations of the folder `dimensions`, made by the build."""

_REFERENCE = re.compile(r"\b(raw|seeds|staging|dimensions|marts|report)\.([a-z_][a-z0-9_]*)")
_COLUMN = re.compile(r"--\s{2,}(\w+) \[([^\]]*)\]: (.+)")


@dataclass(frozen=True)
class Relation:
    """One relation: where it lives, what one row is, and the columns its own file documents as (name, unit, text)."""

    schema: str
    name: str
    description: str
    grain: str
    documented: tuple[tuple[str, str, str], ...]
    sql: str
    parts: str = ""
    """The key that its rows are kept by from build to build (see warehouse/parts.py); empty where it is built whole each time."""

    @property
    def full_name(self) -> str:
        """`schema.name`."""
        return f"{self.schema}.{self.name}"

    @property
    def references(self) -> tuple[str, ...]:
        """Full names of the relations it reads, in order of appearance."""
        code = "\n".join(line for line in self.sql.splitlines() if not line.lstrip().startswith("--"))
        return tuple(dict.fromkeys(f"{schema}.{name}" for schema, name in _REFERENCE.findall(code)))

    def describe(self, column: str) -> tuple[str, str] | None:
        """(unit, text) of `column`: its own words, else the shared ones, else those of a relation it reads; None where nobody describes it."""
        own = {name: (unit, text) for name, unit, text in self.documented}
        if column in own:
            return own[column]
        if column in shared_columns():
            return shared_columns()[column]
        read = (catalog()[name].describe(column) for name in self.references if name in catalog())
        return next((told for told in read if told), None)


@functools.cache
def shared_columns() -> dict[str, tuple[str, str]]:
    """(unit, text) of the columns that several relations have: `sql/columns.csv`, then the raw columns."""
    with (SQL / "columns.csv").open(encoding="utf-8", newline="") as handle:
        shared = {row["column"]: (row["unit"], row["text"]) for row in csv.DictReader(handle)}
    return {name: (column.unit, column.text) for name, column in COLUMNS.items()} | shared


@functools.cache
def catalog() -> dict[str, Relation]:
    """Every relation by full name."""
    return {relation.full_name: relation for relation in all_relations()}


def components(built: Iterable[Relation]) -> str:
    """SQL of the view `COMPONENTS` over those of `built` that are dimensions."""
    return " union all by name ".join(f"select '{r.name}' as dimension, * from {r.full_name}" for r in built if r.schema == "dimensions")


def ancestors(name: str) -> frozenset[str]:
    """The relation `name` and everything it reads, however far back."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current == COMPONENTS:
            waiting += [full for full in catalog() if full.startswith("dimensions.")]
        elif current in catalog() and current not in found:
            found.add(current)
            waiting += catalog()[current].references
    return frozenset(found)


def parse(schema: str, path: Path) -> Relation:
    """Read one SQL file.

    Raises:
        StoreError: the comment block lacks its description or its grain.
    """
    sql = path.read_text(encoding="utf-8")
    head = []
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        head.append(line)
    text = [line[2:].strip() for line in head if not _COLUMN.match(line)]
    grain = next((line.removeprefix("grain:").strip() for line in text if line.startswith("grain:")), "")
    parts = next((line.removeprefix("parts:").strip() for line in text if line.startswith("parts:")), "")
    description = " ".join(line for line in text if line and not line.startswith(("grain:", "parts:", "columns:")))
    if not grain or not description:
        raise StoreError(f"{path}: the comment block at the top needs a description and a line `-- grain: one row per ...`")
    columns = tuple((match[1], match[2], match[3]) for line in head if (match := _COLUMN.match(line)))
    return Relation(schema, path.stem, description, grain, columns, sql, parts)


def layer(schema: str) -> list[Relation]:
    """Relations of one folder, each after those it reads.

    Raises:
        StoreError: two relations read each other, or one reads a layer that is built later.
    """
    found = {r.full_name: r for r in (parse(schema, path) for path in sorted((SQL / schema).glob("*.sql")))}
    later = LAYERS[LAYERS.index(schema) + 1 :]
    graph: dict[str, set[str]] = {}
    for name, relation in found.items():
        ahead = sorted(r for r in relation.references if r.split(".")[0] in later)
        if ahead:
            raise StoreError(f"{name} reads {ahead[0]}, which is built after it; layers are {' -> '.join(LAYERS)}")
        graph[name] = {r for r in relation.references if r in found and r != name}
    try:
        return [found[name] for name in graphlib.TopologicalSorter(graph).static_order()]
    except graphlib.CycleError as error:
        raise StoreError(f"relations read each other in a circle: {' -> '.join(error.args[1])}") from error


def raw_relations() -> list[Relation]:
    """The raw tables, described from `schemas.tables`."""
    return [
        Relation("raw", table.name, f"Evidence as stored: {table.grain}.", table.grain, tuple((c.name, c.unit, c.text) for c in table.columns), "")
        for table in TABLES.values()
    ]


def all_relations() -> list[Relation]:
    """Every relation of the warehouse in building order, the generated `dimensions.components` excepted."""
    return raw_relations() + [relation for schema in LAYERS for relation in layer(schema)]


def create_macros(connection: duckdb.DuckDBPyConnection, replicates: int) -> None:
    """Make the macros of `macros.sql`, and `replicate_count()`, in the current database."""
    connection.execute((SQL / "macros.sql").read_text(encoding="utf-8"))
    connection.execute(f"create or replace macro replicate_count() as {int(replicates)}")
