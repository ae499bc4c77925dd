"""The warehouse that was published last, on this machine. One from a bucket was built on another: its raw.* views are turned to the files here."""

from __future__ import annotations

from pathlib import Path

from warehouse.current import mark_current
from warehouse.literals import read_parquet
from warehouse.mirror import BUILT, MARK
from warehouse.store import Store


def bring(store: Store) -> Path:
    """Where the published warehouse lies, fetched first where the store is on object storage and it has changed.

    Raises:
        StoreError: the bucket cannot be reached.
    """
    if store.mirror:
        store.refresh()
        store.mirror.fetch_published(lambda path: _turn(path, store))
    return store.warehouse


def share(store: Store) -> None:
    """Let others see what was just built, and mark it as current once they do. Call while holding the writer lock.

    Raises:
        StoreError: the bucket cannot be reached; the next run publishes again.
    """
    if store.mirror:
        store.mirror.send_published(BUILT)
    mark_current(store)
    if store.mirror:
        store.mirror.send_published((MARK,))


def _turn(path: Path, store: Store) -> None:
    import duckdb

    from warehouse.parts import file_digest, seal_of

    with duckdb.connect(str(path)) as connection:
        files: dict[str, list[str]] = {}
        for table, elsewhere in connection.execute("select table_name, path from raw.stored_files order by all").fetchall():
            here = store.root / "evidence" / table / Path(elsewhere).name
            if here.exists():  # else pruned since; the publication that follows a prune will not name it
                files.setdefault(table, []).append(str(here))
        connection.execute("delete from raw.stored_files")
        for table, paths in files.items():
            connection.executemany("insert into raw.stored_files values (?, ?)", [[table, each] for each in paths])
            connection.execute(f"create or replace view raw.{table} as select * from {read_parquet(paths)}")
    seal_of(store.warehouse).write_text(file_digest(path))  # else the next build would take it for damaged and keep nothing
