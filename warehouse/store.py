"""The Parquet store: the only reader and writer of evidence.

A file's name holds the digest of its content, so a file is either whole and right, or damaged and set aside; writing the same
rows twice gives the same file once. Files appear by rename, after fsync.

A store on object storage (`s3://bucket/prefix`) is the same folder on this machine, its mirror, kept equal to the bucket: a file is evidence once it is
in the bucket, what could not be sent yet waits in `unsent/`, and readers read the mirror. Journals and Prefect's home stay local.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from schemas.errors import StoreError
from schemas.tables import TABLES, Table
from warehouse.lease import Lease, held
from warehouse.mirror import Mirror
from warehouse.remote import SCHEME, Remote

FAILED = ("error", "error_permanent")
UNFIT = (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError)
"""What polars raises for a value that is not of its column's type."""
_held: dict[Path, Lease | None] = {}
"""Stores whose writer lock this process holds; the lease of one on object storage."""


@dataclass(frozen=True)
class Asset:
    """A stored file: path relative to the store, rows, sha256 (32 hex digits, as in its name)."""

    path: str
    rows: int
    digest: str


@dataclass
class Store:
    """Everything one run file's runs write lies below `root`."""

    root: Path
    mirror: Mirror | None = None
    _verified: set[Path] = field(default_factory=set, repr=False)

    @property
    def address(self) -> str:
        """What names this store to another process: the bucket's address or the folder."""
        return self.mirror.remote.address if self.mirror else str(self.root.resolve())

    @property
    def warehouse(self) -> Path:
        """The published DuckDB file."""
        return self.root / "warehouse.duckdb"

    @property
    def journals(self) -> Path:
        """Folder of the generation journals."""
        return self.root / "journal"

    def open(self) -> Store:
        """Create the folders.

        Raises:
            StoreError: the folder cannot be written.
        """
        try:
            for folder in (self.root / "evidence", self.journals):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot write the store {self.root}: {error.strerror}; choose another with --store") from error
        if not os.access(self.root, os.W_OK):
            raise StoreError(f"cannot write the store {self.root}: it is read-only; mend that, or choose another with --store")
        return self

    def write(self, table: str, rows: Iterable[Mapping[str, Any]] | pl.DataFrame) -> Asset:
        """Append `rows` to `table` as one file, schema enforced.

        Raises:
            StoreError: a value does not fit its column, or the disk refuses.
        """
        data = _typed(TABLES[table], rows)
        lease = _held.get(self.root.resolve())
        if lease:
            lease.mind()
        content = io.BytesIO()  # not to the file itself: polars says of a full disk only that the Parquet is wrong
        data.write_parquet(content, compression="zstd")
        name = hashlib.sha256(content.getbuffer()).hexdigest()[:32]
        folder = self.root / ("unsent" if self.mirror else "evidence") / table
        temporary, final = folder / f".{uuid.uuid4().hex}.tmp", folder / f"{name}.parquet"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as handle:
                handle.write(content.getbuffer())
                handle.flush()
                os.fsync(handle.fileno())
            temporary.replace(final)
            _fsync_folder(folder)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise StoreError(f"cannot write {table} below {self.root}: {error.strerror}; free the disk or mend its permissions, then run again") from error
        if self.mirror:
            final = self.mirror.send(final)
        self._verified.add(final)
        return Asset(str(final.relative_to(self.root)), data.height, name)

    def remove(self, path: Path) -> None:
        """Let a file of evidence go."""
        if self.mirror:
            self.mirror.delete(path)
        path.unlink()

    def refresh(self) -> None:
        """Make the mirror of a store on object storage equal to its bucket.

        Raises:
            StoreError: the bucket cannot be reached, or has lost what it held.
        """
        if self.mirror:
            self.open()
            self.mirror.refresh()

    def files(self, table: str) -> list[Path]:
        """Whole files of `table`, oldest name first. Damaged ones are left out; `set_aside_damaged` names them."""
        return [path for path in sorted((self.root / "evidence" / table).glob("*.parquet")) if self._whole(path)]

    def holds(self, asset: Asset) -> bool:
        """Whether the file of `asset` is there and whole."""
        path = self.root / asset.path
        return path.exists() and _sha256(path) == asset.digest

    def set_aside_damaged(self) -> list[Path]:
        """Move every damaged file to `damaged/` and return where they went. Their work is planned again."""
        moved = []
        for path in sorted((self.root / "evidence").glob("*/*.parquet")):
            if not self._whole(path) and not self._whole_again(path):
                target = self.root / "damaged" / path.parent.name / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                path.replace(target)
                if self.mirror:
                    self.mirror.delete(path)
                moved.append(target)
        return moved

    def scan(self, table: str) -> pl.LazyFrame:
        """All rows of `table`, lazily; an empty frame of the right schema where there are none."""
        files = self.files(table)
        if not files:
            return pl.LazyFrame(schema=TABLES[table].schema)
        return pl.scan_parquet(files)

    def newest(self, table: str) -> pl.LazyFrame:
        """The newest row of each key of `table`: what counts. A valid answer beats a failure, whatever the clock said."""
        order = ["recorded_at"] if table != "generations" else [~pl.col("status").is_in(FAILED), "recorded_at"]
        return self.scan(table).sort(order).unique(TABLES[table].key, keep="last", maintain_order=True)

    @contextmanager
    def writing(self, waiting: Callable[[str], None] = lambda _: None) -> Iterator[None]:
        """Hold the store's writer lock; another process waits, after telling `waiting` who holds it.

        The kernel drops the lock when its holder dies, however it dies. Within one process the lock may be taken again.
        """
        self.open()
        root = self.root.resolve()
        if root in _held:
            yield
            return
        with (self.root / ".lock").open("a+") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                handle.seek(0)
                waiting(f"another run (process {handle.read().strip() or 'unknown'}) is writing to {self.root}; waiting for it")
                fcntl.flock(handle, fcntl.LOCK_EX)
            handle.seek(0)
            handle.truncate()
            handle.write(str(os.getpid()))
            handle.flush()
            with held(self.mirror, waiting) if self.mirror else nullcontext() as lease:
                _held[root] = lease
                try:
                    if self.mirror:
                        self.mirror.send_unsent()
                        self.mirror.refresh()
                    yield
                finally:
                    del _held[root]

    @property
    def is_held(self) -> bool:
        """Whether this process holds the writer lock."""
        return self.root.resolve() in _held

    def _whole(self, path: Path) -> bool:
        if path not in self._verified and _sha256(path) == path.stem:
            self._verified.add(path)
        return path in self._verified

    def _whole_again(self, path: Path) -> bool:
        """Whether a damaged file of the mirror is whole in the bucket."""
        if self.mirror:
            self.mirror.fetch_again(path)
        return self._whole(path)


def store_at(address: str | Path) -> Store:
    """The store at a folder or at `s3://bucket/prefix`."""
    if str(address).startswith(SCHEME):
        remote = Remote(str(address).rstrip("/"))
        return Store(remote.mirror, Mirror(remote, remote.mirror))
    return Store(Path(address).absolute())


def _typed(table: Table, rows: Iterable[Mapping[str, Any]] | pl.DataFrame) -> pl.DataFrame:
    """`rows` as a frame of the schema of `table`; nothing is converted that would not be the same value."""
    schema = table.schema
    try:
        data = _same(rows, schema) if isinstance(rows, pl.DataFrame) else _frame(table, list(rows))
    except UNFIT as error:
        raise StoreError(f"rows for {table.name} do not fit its schema: {error}") from error
    for column in table.columns:
        values = data[column.name]
        if not column.nullable and values.null_count():
            raise StoreError(f"rows for {table.name}: column {column.name} holds NULL and must not")
        if values.dtype.is_float() and values.is_nan().any():
            raise StoreError(f"rows for {table.name}: column {column.name} holds NaN; a score is a value, or NULL with a reason")
    return data


def _same(rows: pl.DataFrame, schema: pl.Schema) -> pl.DataFrame:
    data = rows.select(schema.names())
    odd = next((name for name, kind in schema.items() if data.schema[name] not in (kind, pl.Null())), None)
    if odd is not None:
        raise TypeError(f"{odd} is {schema[odd]}, found {data.schema[odd]}")
    return data.cast(schema)  # columns of NULL alone


def _frame(table: Table, rows: list[Mapping[str, Any]]) -> pl.DataFrame:
    columns = []
    for column in table.columns:
        values = [row.get(column.name) for row in rows]
        # polars would take a text for a list of one and True for the number 1
        loose = (str,) if isinstance(column.type, pl.List) else (bool,) if column.type.is_numeric() else ()
        odd = next((value for value in values if isinstance(value, loose)), None)
        if odd is not None:
            raise TypeError(f"{column.name} is {column.type}, found {odd!r}")
        try:
            columns.append(pl.Series(column.name, values, dtype=column.type, strict=True))
        except UNFIT as error:
            raise TypeError(f"{column.name}: {error}") from error
    return pl.DataFrame(columns)


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()[:32]


def _fsync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
