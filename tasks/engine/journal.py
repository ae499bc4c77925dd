"""The journal of one shard: a paid answer is appended as it arrives, and fsynced in groups before it is counted as done.

One record a line: `<crc32 of the rest, 8 hex digits> {"attempt": {...}, "generation": {...} | null}`. A line is written by one system call, so a
killed process loses none that was appended; a machine that loses power loses at most the commit window and the fsync under way.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from schemas.errors import StoreError

_TIMES = ("started_at", "recorded_at")
FINAL = frozenset({"answered", "empty", "truncated", "error_permanent"})
"""Statuses that are not asked again; `error` is."""


@dataclass
class Journal:
    """What a journal holds: rows of raw.generations and raw.attempts, each key once, and how many unreadable lines were dropped."""

    generations: list[dict[str, Any]] = field(default_factory=list)
    attempts: list[dict[str, Any]] = field(default_factory=list)
    torn: int = 0


def read(path: Path) -> Journal:
    """Read a journal back; a missing file is an empty one. Of one generation the answer counts, else its newest row.

    Raises:
        StoreError: the file cannot be read.
    """
    generations: dict[str, dict[str, Any]] = {}
    attempts: dict[str, dict[str, Any]] = {}
    torn = 0
    try:
        with path.open("rb") as handle:
            for line in handle:
                record = _record(line)
                if record is None:
                    torn += bool(line.strip())
                    continue
                attempts[record["attempt"]["attempt_id"]] = record["attempt"]
                row = record["generation"]
                if row and not (row["status"] == "error" and generations.get(row["generation_id"], row)["status"] in FINAL):
                    generations[row["generation_id"]] = row
    except FileNotFoundError:
        return Journal()
    except OSError as error:
        raise StoreError(f"cannot read the journal {path}: {error.strerror}") from error
    return Journal(list(generations.values()), list(attempts.values()), torn)


class Writer:
    """Appends to one journal. `append` writes at once; `on_durable` callbacks run after the group's fsync."""

    def __init__(self, path: Path, window_s: float = 0.05) -> None:
        self._path, self._window = path, window_s
        self._waiting: list[Callable[[], None]] = []
        self._closing = asyncio.Event()
        self._committer: asyncio.Task[None] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            _fsync_folder(path.parent)
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")  # a torn last line stays one bad line
        except OSError as error:
            raise StoreError(f"cannot write the journal {path}: {error.strerror}; free the disk or mend its permissions, then run again") from error

    def append(self, attempt: Mapping[str, Any], generation: Mapping[str, Any] | None, on_durable: Callable[[], None]) -> None:
        """Append one record.

        Raises:
            StoreError: the disk refuses.
        """
        self._raise_failed()
        line = _line({"attempt": attempt, "generation": generation})
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise self._refused(error) from error
        if written != len(line):
            raise StoreError(f"cannot write the journal {self._path}: the disk is full; free it and run again")
        self._waiting.append(on_durable)
        if self._committer is None:
            self._committer = asyncio.create_task(self._commit())

    async def close(self) -> None:
        """Commit what is left, without waiting for the window, and close.

        Raises:
            StoreError: the disk refuses; what was not committed is asked again by the next run.
        """
        self._closing.set()
        try:
            if self._committer is not None:
                await self._committer
        finally:
            os.close(self._file)

    async def _commit(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            began = time.monotonic()
            try:
                await asyncio.to_thread(_sync, self._file)
            except OSError as error:
                raise self._refused(error) from error
            for tell in group:
                tell()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), max(0.0, began + self._window - time.monotonic()))
        self._committer = None

    def _raise_failed(self) -> None:
        if self._committer is not None and self._committer.done():
            self._committer.result()

    def _refused(self, error: OSError) -> StoreError:
        return StoreError(f"cannot write the journal {self._path}: {error.strerror}; free the disk and run again, nothing that was committed is lost")


def _sync(handle: int) -> None:
    (os.fdatasync if hasattr(os, "fdatasync") else os.fsync)(handle)


def _line(record: Mapping[str, Any]) -> bytes:
    body = _ENCODER.encode(record).encode("ascii")
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _record(line: bytes) -> dict[str, Any] | None:
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    if b"%08x" % zlib.crc32(body) != checksum:
        return None
    record: dict[str, Any] = json.loads(body)
    for row in (record["attempt"], record["generation"] or {}):
        for name in _TIMES:
            if name in row:
                row[name] = datetime.fromisoformat(row[name]).astimezone(UTC)
    return record


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"no JSON form for {type(value).__name__}")


_ENCODER = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"), default=_plain)


def _fsync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
