"""The journal: whole lines only, each key once, on disk before it counts."""

from __future__ import annotations

import asyncio
import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from schemas.errors import StoreError
from tasks.engine import journal
from tasks.engine.journal import Writer, read

NOW = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def record(i: int, status: str = "answered", text: str = "x", attempt: int = 1) -> tuple[dict[str, Any], dict[str, Any]]:
    shared = {"generation_id": f"g{i}", "status": status, "started_at": NOW, "recorded_at": NOW}
    return {"attempt_id": f"a{i}-{attempt}", **shared}, {**shared, "text": text}


def write(path: Path, *records: tuple[dict[str, Any], dict[str, Any] | None]) -> list[int]:
    durable: list[int] = []

    async def go() -> None:
        writer = Writer(path, window_s=0.001)
        for i, (attempt, generation) in enumerate(records):
            writer.append(attempt, generation, lambda i=i: durable.append(i))  # type: ignore[misc]
        await writer.close()

    asyncio.run(go())
    return durable


def test_rows_come_back_as_they_were_times_and_odd_characters_included(tmp_path: Path) -> None:
    attempt, generation = record(1, text="línea\n\u2028\x00 \U0001f600 ≤")
    assert write(tmp_path / "j", (attempt, generation)) == [0]
    found = read(tmp_path / "j")
    assert found.attempts == [attempt]
    assert found.generations == [generation]
    assert found.torn == 0


def test_a_missing_journal_is_an_empty_one(tmp_path: Path) -> None:
    assert read(tmp_path / "none") == journal.Journal()


def test_a_line_torn_at_any_byte_is_dropped_reported_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, record(1), record(2))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first + 1, len(whole) - 1):
        path.write_bytes(whole[:cut])
        write(path, record(3))
        found = read(path)
        assert {row["generation_id"] for row in found.generations} == {"g1", "g3"}
        assert found.torn == 1


def test_a_flipped_bit_anywhere_is_found(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, record(1, text="The answer is 42."), record(2))
    whole = bytearray(path.read_bytes())
    for place in range(0, whole.index(b"\n"), 3):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        found = read(path)
        assert [row["generation_id"] for row in found.generations] == ["g2"]
        assert found.torn >= 1


def test_a_journal_of_garbage_is_all_torn(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(b"\xff\xfe\n\n{}\n00000000 {}\n" + os.urandom(1000).replace(b"\n", b""))
    found = read(tmp_path / "j")
    assert (found.generations, found.attempts) == ([], [])
    assert found.torn == 4


def test_reading_is_idempotent_and_an_error_never_replaces_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "j"
    write(path, record(1, "error", "no"), record(1, "answered", "yes", 2), record(1, "error", "no", 3), record(2, "error", "a"), record(2, "error", "b", 2))
    path.write_bytes(path.read_bytes() * 2)
    found = read(path)
    assert [(row["generation_id"], row["text"]) for row in found.generations] == [("g1", "yes"), ("g2", "b")]
    assert len(found.attempts) == 5


def test_nothing_is_told_durable_before_its_fsync_and_fsyncs_come_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    real = os.fdatasync
    monkeypatch.setattr(os, "fdatasync", lambda handle: (real(handle), events.append("fsync"))[0])

    async def go() -> None:
        writer = Writer(tmp_path / "j", window_s=0.02)
        events.clear()
        for i in range(300):
            writer.append(*record(i), lambda: events.append("durable"))
            await asyncio.sleep(0)
        assert len((tmp_path / "j").read_bytes().splitlines()) == 300, "appended lines must not wait in memory"
        await writer.close()

    asyncio.run(go())
    assert events.count("durable") == 300
    assert events[0] == "fsync"
    assert events.count("fsync") <= 10


def test_a_full_disk_is_a_store_error_and_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def go() -> None:
        writer = Writer(tmp_path / "j", window_s=0.001)
        monkeypatch.setattr(os, "fdatasync", refuse)
        writer.append(*record(1), lambda: pytest.fail("told durable without fsync"))
        with pytest.raises(StoreError, match="No space left"):
            await writer.close()

    asyncio.run(go())


def test_a_journal_that_cannot_be_opened_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError):
        read(tmp_path / "folder")

    async def go() -> None:
        Writer(tmp_path / "folder")

    with pytest.raises(StoreError):
        asyncio.run(go())
