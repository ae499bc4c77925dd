"""The reference of all relations, derived from the SQL files: what `sextant schema` prints and `docs/references/relations.md` holds."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb

from schemas.errors import UnknownName
from warehouse.build import build
from warehouse.relations import LAYERS, Relation, all_relations
from warehouse.store import Store

LAYER_TEXTS = {
    "raw": "Evidence as stored: views of the Parquet files. The newest row of a key counts.",
    "staging": "One relation per raw table (newest valid row per key) and the units each suite wants.",
    "dimensions": "One relation per dimension: its whole definition under both protocols, as numerators and denominators per item. "
    "`dimensions.components` is all of them together with the column `dimension`.",
    "marts": "What Sextant says.",
    "report": "The contract for your own SQL: stable views with display names.",
}


@dataclass(frozen=True)
class Described:
    """A relation with its columns as they are: (name, SQL type, unit, text)."""

    relation: Relation
    columns: tuple[tuple[str, str, str, str], ...]


def described() -> list[Described]:
    """Every relation with its real columns, found by building an empty warehouse."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "empty.duckdb"
        build(Store(Path(folder)).open(), target, replicates=1)
        with duckdb.connect(str(target), read_only=True) as connection:
            return [_described(connection, relation) for relation in all_relations()]


def text(name: str | None = None) -> str:
    """The list of relations, or one relation with its columns.

    Raises:
        UnknownName: no relation of that name; `marts.` may be left out.
    """
    if name is None:
        relations = all_relations()
        width = max(len(r.full_name) for r in relations)
        return "\n".join(f"{r.full_name.ljust(width)}  {r.description.split('. ')[0].rstrip('.')}" for r in relations)
    known = {d.relation.full_name: d for d in described()}
    found = next((known[full] for full in (name, *(f"{schema}.{name}" for schema in reversed(LAYERS)), f"raw.{name}") if full in known), None)
    if found is None:
        raise UnknownName("relation", name, known)
    lines = [found.relation.full_name, found.relation.description, f"Grain: {found.relation.grain}", ""]
    width = max(len(column[0]) for column in found.columns)
    kinds = max(len(column[1]) for column in found.columns)
    return "\n".join([*lines, *(f"  {column.ljust(width)}  {kind.ljust(kinds)}  {words} [{unit}]" for column, kind, unit, words in found.columns)])


def markdown() -> str:
    """The reference page of all relations."""
    parts = ["# Relations", "", "Generated from the SQL files by `make docs`; do not edit. `sextant schema RELATION` prints the same."]
    shown = None
    for item in described():
        relation = item.relation
        if relation.schema != shown:
            shown = relation.schema
            parts += ["", f"## {shown}", "", LAYER_TEXTS[shown]]
        parts += ["", f"### {relation.full_name}", "", relation.description, "", f"Grain: {relation.grain}.", ""]
        parts += ["| column | type | unit | meaning |", "|---|---|---|---|"]
        parts += [f"| {column} | {kind} | {unit} | {words.replace('|', '&#124;')} |" for column, kind, unit, words in item.columns]
    return "\n".join(parts) + "\n"


def _described(connection: duckdb.DuckDBPyConnection, relation: Relation) -> Described:
    rows = connection.execute(
        "select column_name, lower(data_type) from duckdb_columns() where schema_name = ? and table_name = ? order by column_index",
        [relation.schema, relation.name],
    ).fetchall()
    return Described(relation, tuple((name, kind, *(relation.describe(name) or ("", ""))) for name, kind in rows))
