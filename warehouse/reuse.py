"""Keeps what a build computes per suite or configuration as Parquet below `<store>/marts`, so that the next build computes only what is new.

A kept part (the rows of one key of one relation) is named by a digest of everything it is computed from: the SQL, the macros, the number of
replicates, DuckDB's version, and the rows of its inputs that have this key. Anything that changes a number changes the name, so nothing is ever
invalidated by hand, and a build that finds nothing kept is a full build. Parts that a build did not use are removed after it was published.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from schemas.errors import StoreError
from warehouse.relations import SQL, Relation

Key = tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """How a relation falls into parts: its key, and each relation it reads with the columns it reads (none named: all)."""

    key: tuple[str, ...]
    inputs: dict[str, tuple[str, ...]]


CONFIGURATION = ("suite_id", "configuration_id")
KEPT = {
    "marts.bootstrap_weights": Kept(("suite_id",), {"staging.stg_units": ("suite_id", "dataset", "cluster", "stratum")}),
    "marts.replicates": Kept(CONFIGURATION, {"marts.cluster_sums": (), "marts.bootstrap_weights": (), "marts.judge_replicates": (), "seeds.estimators": ()}),
    "marts.quality_replicates": Kept(CONFIGURATION, {"marts.replicates": (), "seeds.estimators": (), "staging.stg_schemes": ()}),
}
"""The first input names the keys. A part may depend on rows of its own key only; `tests/warehouse/test_reuse.py` compares with full builds."""


@dataclass
class Reuse:
    """The kept parts of one store during one build."""

    folder: Path
    replicates: int
    _names: dict[str, dict[Key, str]] = field(default_factory=dict)
    """Of each kept relation built so far: digest of each key."""
    _used: set[Path] = field(default_factory=set)
    computed: dict[str, int] = field(default_factory=dict)
    """Of each kept relation built so far: how many parts were computed rather than read."""

    def create(self, connection: duckdb.DuckDBPyConnection, relation: Relation) -> None:
        """Create the table `relation` from kept parts, and compute and keep the others.

        Raises:
            StoreError: a part cannot be written, or the relation reads what `KEPT` does not name.
            duckdb.Error: the SQL fails.
        """
        kept = KEPT[relation.full_name]
        unnamed = set(relation.references) - set(kept.inputs)
        if unnamed:
            raise StoreError(f"{relation.full_name} reads {', '.join(sorted(unnamed))}, which warehouse/reuse.py does not name as its input")
        names = self._digests(connection, relation, kept)
        found = {key: path for key, name in names.items() if (path := self._whole(relation, name))}
        missing = [key for key in names if key not in found]
        _compute(connection, relation, kept, missing)
        for key in missing:
            self._keep(connection, relation, dict(zip(kept.key, key, strict=True)), names[key])
        if found:
            paths = ", ".join(_quoted(str(path)) for path in found.values())
            connection.execute(f"insert into {relation.full_name} by name select * from read_parquet([{paths}])")
        self._used.update(found.values())
        self._names[relation.full_name] = names
        self.computed[relation.full_name] = len(missing)

    def tidy(self) -> None:
        """Remove the parts that this build did not use."""
        for path in self.folder.glob("*/*"):
            if path not in self._used:
                path.unlink(missing_ok=True)

    def _digests(self, connection: duckdb.DuckDBPyConnection, relation: Relation, kept: Kept) -> dict[Key, str]:
        """Name of the part of each key."""
        definition = [relation.sql, (SQL / "macros.sql").read_text(encoding="utf-8"), self.replicates, duckdb.__version__]
        inputs = []
        for name, columns in kept.inputs.items():
            shared = _shared_key(connection, name, kept.key)
            inputs.append((shared, self._names[name] if name in self._names else _row_digests(connection, name, shared, columns)))
        parts: dict[Key, str] = {}
        for key in inputs[0][1]:
            named = dict(zip(kept.key, key, strict=True))
            told = [digests.get(tuple(named[column] for column in shared)) for shared, digests in inputs]
            parts[key] = hashlib.sha256(json.dumps([definition, key, told]).encode()).hexdigest()[:32]
        return parts

    def _whole(self, relation: Relation, name: str) -> Path | None:
        """The kept file of that name whose content is what it was when it was written."""
        for path in sorted((self.folder / relation.name).glob(f"{name}-*.parquet")):
            if path.stem == f"{name}-{_sha256(path)}":
                return path
        return None

    def _keep(self, connection: duckdb.DuckDBPyConnection, relation: Relation, key: dict[str, str], name: str) -> None:
        folder = self.folder / relation.name
        temporary = folder / f".{uuid.uuid4().hex}.tmp"
        where = " and ".join(f'"{column}" = {_quoted(value)}' for column, value in key.items())
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection.execute(f"copy (select * from {relation.full_name} where {where}) to {_quoted(str(temporary))} (format parquet, compression zstd)")
            final = folder / f"{name}-{_sha256(temporary)}.parquet"
            temporary.replace(final)
        except (OSError, duckdb.IOException) as error:
            temporary.unlink(missing_ok=True)
            raise StoreError(f"cannot keep {relation.full_name} below {self.folder}: {error}; free the disk or mend its permissions") from error
        self._used.add(final)


def _compute(connection: duckdb.DuckDBPyConnection, relation: Relation, kept: Kept, missing: Collection[Key]) -> None:
    """Create the table with the parts of `missing` only: its SQL over views of its inputs that show no other key."""
    connection.execute("create schema reuse")
    try:
        columns = ", ".join(f'"{column}" varchar' for column in kept.key)
        connection.execute(f"create table reuse.missing ({columns})")
        if missing:
            connection.executemany(f"insert into reuse.missing values ({', '.join('?' * len(kept.key))})", [list(key) for key in missing])
        sql = relation.sql
        for name in kept.inputs:
            view = f"reuse.{name.replace('.', '_')}"
            shared = ", ".join(_shared_key(connection, name, kept.key))
            connection.execute(f"create view {view} as select * from {name}" + (f" semi join reuse.missing using ({shared})" if shared else ""))
            sql = re.sub(rf"\b{re.escape(name)}\b", view, sql)
        connection.execute(f"create table {relation.full_name} as {sql}")
    finally:
        connection.execute("drop schema reuse cascade")


def _shared_key(connection: duckdb.DuckDBPyConnection, name: str, key: tuple[str, ...]) -> tuple[str, ...]:
    """Those columns of `key` that the relation `name` has."""
    there = {row[0] for row in connection.execute(f"describe {name}").fetchall()}
    return tuple(column for column in key if column in there)


def _row_digests(connection: duckdb.DuckDBPyConnection, name: str, key: tuple[str, ...], columns: Iterable[str]) -> dict[Key, str]:
    """Digest of the distinct rows of each key, whatever their order. Doubles count to 1e-12, below which the order of summation decides."""
    types = {row[0]: row[1] for row in connection.execute(f"describe {name}").fetchall()}
    read = [f'round("{c}", 12)' if types[c] == "DOUBLE" else f'"{c}"' for c in (tuple(columns) or types)]
    keyed = ", ".join(f'"{column}"' for column in key) or "''"
    rows = f"select distinct {keyed}, {', '.join(f'{value} as v{i}' for i, value in enumerate(read))} from {name}"
    values = ", ".join(f"v{i}" for i in range(len(read)))
    sums = f"count(*) || '|' || sum(hash({values})::hugeint) || '|' || sum(hash('second', {values})::hugeint)"
    found = connection.execute(f"select {keyed}, {sums} from ({rows}) group by all").fetchall()
    return {row[: len(key)]: row[-1] for row in found}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()[:32]
