"""Which configurations have rows in which evidence files, remembered in the warehouse file, so that a build reads only files that are new.

A file of unit scores names generations only; they are looked up among the stored and wanted ones. Generations nobody knows belong to the
configuration '': their files are looked at again by every build, until someone wants them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from warehouse.store import Store

BY_CONFIGURATION = ("generations", "evaluation_units", "attempts", "trace_pairs")
BY_GENERATION = ("answers", "traces", "step_pairs", "equations")
OWNERS = ("generations", "evaluation_units")
"""Tables that tell whose a generation is: where one of their files is gone, everything is looked up again."""


@dataclass
class Index:
    """The evidence files of `store` by configuration, as rows of `parts.files`."""

    connection: duckdb.DuckDBPyConnection
    store: Store
    paths: dict[tuple[str, str], Path] = field(default_factory=dict)
    """Where each (table, file digest) lies."""

    def refresh(self) -> None:
        """Look up the files that are new and forget those that are gone. Reads `raw.generations` and `raw.evaluation_units`."""
        run = self.connection.execute
        run("create table if not exists parts.files (table_name varchar, digest varchar, configuration_id varchar)")
        run("delete from parts.files where (table_name, digest) in (select (table_name, digest) from parts.files where configuration_id = '')")
        self.paths = {(table, path.stem): path for table in (*BY_CONFIGURATION, *BY_GENERATION) for path in self.store.files(table)}
        known = set(run("select distinct table_name, digest from parts.files").fetchall())
        gone = known - self.paths.keys()
        if any(table in OWNERS for table, _ in gone):
            run("delete from parts.files")
            known.clear()
        elif gone:
            run("delete from parts.files where (table_name, digest) in (select unnest(?::varchar[]), unnest(?::varchar[]))", _columns(gone))
        self._add(self.paths.keys() - known)

    def files_of(self) -> dict[str, list[tuple[str, str]]]:
        """The (table, digest) of the files of every configuration."""
        files: dict[str, list[tuple[str, str]]] = {}
        for configuration, table, digest in self.connection.execute("select configuration_id, table_name, digest from parts.files order by all").fetchall():
            files.setdefault(configuration, []).append((table, digest))
        return files

    def listed(self, table: str, configurations: Collection[str]) -> list[str]:
        """Paths of the files of `table` with rows of any of `configurations`."""
        sql = "select distinct digest from parts.files where table_name = ? and configuration_id in (select unnest(?::varchar[])) order by all"
        return [str(self.paths[table, digest].resolve()) for (digest,) in self.connection.execute(sql, [table, list(configurations)]).fetchall()]

    def _add(self, new: Collection[tuple[str, str]]) -> None:
        run = self.connection.execute
        run("create or replace temp table new_rows (table_name varchar, digest varchar, generation_id varchar)")
        for table in (*BY_CONFIGURATION, *BY_GENERATION):
            paths = [str(self.paths[key].resolve()) for key in sorted(new) if key[0] == table]
            if not paths:
                continue
            into, column = ("parts.files", "coalesce(configuration_id, '')") if table in BY_CONFIGURATION else ("new_rows", "generation_id")
            run(f"insert into {into} select distinct ?, parse_filename(filename, true), {column} from read_parquet(?, filename = true)", [table, paths])
        run(
            """
            insert into parts.files
            with owners as (
                select distinct generation_id, configuration_id
                from (
                    select generation_id, configuration_id from raw.generations
                    union all
                    select generation_id, configuration_id from raw.evaluation_units
                )
                semi join new_rows using (generation_id)
            )
            select distinct table_name, digest, coalesce(configuration_id, '') from new_rows left join owners using (generation_id)
            """
        )
        run("drop table new_rows")


def _columns(keys: Collection[tuple[str, str]]) -> list[list[str]]:
    return [[table for table, _ in keys], [digest for _, digest in keys]]
