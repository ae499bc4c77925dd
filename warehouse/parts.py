"""Builds over the warehouse published before: what its evidence has not changed is kept in place, the rest is computed again.

Relations with a line `-- parts: key` fall into parts, the rows of one configuration (or, for bootstrap weights, of one suite). A part has a name: the
digest of all it is computed from (the SQL, the seeds, the number of replicates, DuckDB's version, the evidence files that hold rows of it, and the
rows of the shared relations below). A part whose name is the former one is kept; the others are deleted, computed a few at a time in a database
in memory that sees nothing else, and inserted. A whole build is the same with nothing kept. All other relations are built anew each time.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb

from warehouse.batch import OWNERS, SHARED, compute, relations
from warehouse.index import Index
from warehouse.relations import SEEDS, SQL, ancestors, catalog

ABREAST = 16
"""Parts computed at once: bounds the memory of a whole build."""
KEYS = ("suite_id", "configuration_id")
"""Suites first: a configuration reads the weights of its suites."""


def read_by_parts() -> frozenset[str]:
    """What has to be built before any part: the shared relations and what they read."""
    return frozenset().union(*map(ancestors, SHARED)) & {name for name, relation in catalog().items() if relation.sql}


def kept_relations() -> frozenset[str]:
    """The relations that fall into parts."""
    return frozenset(relation.full_name for key in KEYS for relation in relations(key))


def definition(replicates: int) -> str:
    """Digest of everything but evidence that the rows of a part depend on."""
    told = [duckdb.__version__, str(replicates), (SQL / "macros.sql").read_text(encoding="utf-8"), json.dumps(SHARED)]
    told += [relation.sql for key in KEYS for relation in relations(key)]
    told += [path.read_text(encoding="utf-8") for path in sorted(SEEDS.glob("*.csv"))]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]


def former(published: Path, replicates: int) -> Path | None:
    """The warehouse published before, if it is whole (as `seal` left it) and its parts are of today's definitions."""
    try:
        if seal_of(published).read_text() != file_digest(published):
            return None
        with duckdb.connect(str(published), read_only=True) as connection:
            known = connection.execute("select definition from parts.definition").fetchall()
    except (FileNotFoundError, duckdb.Error):
        return None
    return published if known == [(definition(replicates),)] else None


def seal_of(published: Path) -> Path:
    """The file that holds the digest of the published one."""
    return published.with_name(f"{published.name}.sha256")


def file_digest(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


@dataclass
class Parts:
    """The parts of one warehouse file during one build. The shared relations are built before `bring_up_to_date`."""

    connection: duckdb.DuckDBPyConnection
    index: Index
    replicates: int

    def bring_up_to_date(self) -> dict[str, int]:
        """Delete, compute and insert what is not as it was; returns how many parts of each key were computed.

        Raises:
            duckdb.Error: the SQL fails.
        """
        run = self.connection.execute
        run("create schema if not exists parts")
        run("create or replace table parts.definition as select ? as definition", [definition(self.replicates)])
        run("create table if not exists parts.names (key varchar, value varchar, name varchar)")
        self.index.refresh()
        shared = {name: self._row_digests(name, columns) for name, columns in SHARED.items()}
        suites = {suite: _digest(told) for (suite,), told in shared["staging.stg_suite_items"].items()}
        return {"suite_id": self._refresh("suite_id", suites), "configuration_id": self._refresh("configuration_id", self._configurations(shared))}

    def _refresh(self, key: str, names: dict[str, str]) -> int:
        run = self.connection.execute
        former = dict(run("select value, name from parts.names where key = ?", [key]).fetchall())
        gone = [value for value, name in former.items() if names.get(value) != name]
        missing = [value for value, name in names.items() if former.get(value) != name]
        if gone:
            self._delete(key, gone)
        for batch in _batches(missing) if missing or not former else ():
            compute(self.connection, key, batch, self.index, self.replicates)
        run("delete from parts.names where key = ?", [key])
        run("insert into parts.names select ?, unnest(?::varchar[]), unnest(?::varchar[])", [key, list(names), list(names.values())])
        return len(missing)

    def _configurations(self, shared: dict[str, dict[tuple[str, ...], str]]) -> dict[str, str]:
        """Name of the part of every configuration; `shared` holds the digests of the shared relations."""
        suites: dict[str, list[str]] = {}
        rows = "select distinct configuration_id, suite_id from raw.evaluation_units order by all"
        for configuration, suite in self.connection.execute(rows).fetchall():
            suites.setdefault(configuration, []).append(suite)
        names = {}
        for configuration, files in self.index.files_of().items():
            mine = [(configuration,), *((suite,) for suite in suites.get(configuration, ())), ()]
            told = [(name, of, digests[of]) for name, digests in shared.items() for of in mine if of in digests]
            # whose generations nobody knew may be known now: never kept
            names[configuration] = _digest(*files, *told) if configuration else uuid.uuid4().hex
        return names

    def _row_digests(self, name: str, columns: tuple[str, ...]) -> dict[tuple[str, ...], str]:
        """Digest of the rows of each suite or configuration, whatever their order. Doubles count to 1e-12, below which summation order decides."""
        types = {row[0]: row[1] for row in self.connection.execute(f"describe {name}").fetchall()}
        key = tuple(column for column in columns[:1] if column in KEYS)
        read = ", ".join(f'round("{column}", 12)' if types[column] == "DOUBLE" else f'"{column}"' for column in columns)
        keyed = "".join(f"{column}, " for column in key)
        sums = f"count(*) || '|' || sum(hash({read})::hugeint) || '|' || sum(hash('second', {read})::hugeint)"
        found = self.connection.execute(f"select {keyed}{sums} from {name} group by all").fetchall()
        return {row[:-1]: row[-1] for row in found}

    def _delete(self, key: str, gone: list[str]) -> None:
        run = self.connection.execute
        run("create or replace temp table gone as select unnest(?::varchar[]) as value", [gone])
        if key == "configuration_id":
            # also what belonged to no configuration: it may belong to one now
            run(f"create or replace temp table stays as select generation_id from {OWNERS} where configuration_id not in (from gone)")
        for relation in relations(key):
            of_key = key in {row[0] for row in run(f"describe {relation.full_name}").fetchall()}
            where = f"{key} in (from gone)" if of_key else f"not exists (from stays where stays.generation_id = {relation.name}.generation_id)"
            run(f"delete from {relation.full_name} where {where}")
        run("drop table gone; drop table if exists stays")


def _batches(missing: list[str]) -> Iterator[list[str]]:
    """At most `ABREAST` at once; what belongs to no configuration alone and last, when all owners are known. None missing: one empty batch."""
    owned = sorted(value for value in missing if value)
    for first in range(0, len(owned), ABREAST):
        yield owned[first : first + ABREAST]
    if "" in missing or not missing:
        yield [""] if missing else []


def _digest(*told: object) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]
