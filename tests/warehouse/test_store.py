from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from schemas.errors import StoreError
from schemas.tables import TABLES
from tests.warehouse.rows import fill
from warehouse.store import Store


def active(suite: str = "s", scorer: str = "c", at: int = 1) -> dict[str, object]:
    return {"suite_id": suite, "stage": "answers", "scorer": scorer, "recorded_at": datetime.fromtimestamp(at, UTC)}


def pair(**values: object) -> dict[str, object]:
    row = {"generation_id_a": "a", "generation_id_b": "b", "scorer": "x", "kind": "within", "configuration_id": "c", "dataset": "d", "draw": None}
    row |= {"status": "scored", "reason": None, "precision": 0.7, "recall": 0.7, "f1": 0.7, "chunked": False, "recorded_at": datetime.now(UTC)}
    return row | values


def test_the_same_rows_written_twice_are_one_file(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    assert store.write("active_scorers", [active()]) == store.write("active_scorers", [active()])
    assert len(store.files("active_scorers")) == 1


def test_the_newest_row_of_a_key_counts_whatever_the_order_of_files(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    for at in (3, 1, 2):
        store.write("active_scorers", [active(scorer=f"c{at}", at=at)])
    assert store.newest("active_scorers").collect()["scorer"].to_list() == ["c3"]


def test_an_integer_score_does_not_turn_its_column_into_integers(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    store.write("trace_pairs", [pair(f1=1)])
    store.write("trace_pairs", [pair(generation_id_a="z", f1=0.7)])
    assert sorted(store.scan("trace_pairs").collect()["f1"].to_list()) == [0.7, 1.0]


WRONG = [
    ({"f1": float("nan")}, "NaN"),
    ({"scorer": None}, "NULL"),
    ({"f1": "high"}, "schema: f1"),
    ({"f1": True}, "schema: f1"),
    ({"scorer": 7}, "schema: scorer"),
    ({"scorer": "half a pair \ud83d"}, "schema: scorer"),
    ({"chunked": 1}, "schema: chunked"),
]


@pytest.mark.parametrize(("values", "finding"), WRONG)
def test_a_row_that_is_not_what_its_column_says_is_refused(tmp_path: Path, values: dict[str, object], finding: str) -> None:
    with pytest.raises(StoreError, match=finding):
        Store(tmp_path).open().write("trace_pairs", [pair(**values)])


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied"])
def test_a_damaged_file_is_named_set_aside_and_read_by_nobody(tmp_path: Path, damage: str) -> None:
    store = Store(tmp_path).open()
    path = tmp_path / store.write("active_scorers", [active()]).path
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes({"cut": path.read_bytes()[:-9], "flipped": bytes(content), "emptied": b""}[damage])
    again = Store(tmp_path)
    assert again.newest("active_scorers").collect().height == 0
    (moved,) = again.set_aside_damaged()
    assert moved.read_bytes() != b"" or damage == "emptied"
    assert moved.parent == tmp_path / "damaged" / "active_scorers"
    assert again.set_aside_damaged() == []


def test_half_written_files_of_a_killed_writer_are_not_evidence(tmp_path: Path) -> None:
    store = Store(tmp_path).open()
    store.write("active_scorers", [active()])
    (tmp_path / "evidence" / "active_scorers" / ".abc.tmp").write_bytes(b"PAR1 half")
    assert store.scan("active_scorers").collect().height == 1


@pytest.mark.parametrize(("value", "found"), [("abc", "'abc'"), (["a", 1], "Int64")])
def test_a_text_is_not_taken_for_a_list_of_one(tmp_path: Path, value: object, found: str) -> None:
    with pytest.raises(StoreError, match=f"choices.*{found}"):
        Store(tmp_path).open().write("items", fill("items", [{"choices": value}]))


@pytest.mark.parametrize(("column", "value"), [("n_steps", 1.5), ("n_steps", True), ("n_steps", 2**63)])
def test_what_is_no_whole_number_of_64_bits_is_not_stored_as_one(tmp_path: Path, column: str, value: object) -> None:
    table = next(name for name, table in TABLES.items() if column in table.schema)
    with pytest.raises(StoreError, match=column):
        Store(tmp_path).open().write(table, fill(table, [{column: value}]))


def test_a_frame_whose_column_is_of_another_type_is_not_converted_in_silence(tmp_path: Path) -> None:
    frame = pl.DataFrame(fill("traces", [{}]), schema=TABLES["traces"].schema).with_columns(n_steps=pl.lit(1.7))
    with pytest.raises(StoreError, match="n_steps is Int64, found Float64"):
        Store(tmp_path).open().write("traces", frame)


def _write_on_a_full_disk(root: str) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
    try:
        Store(Path(root)).open().write("active_scorers", [active()])
    except StoreError as error:
        if "free the disk" in str(error):
            os._exit(7)


def test_a_disk_that_takes_half_a_file_is_named_and_leaves_no_piece_behind(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_write_on_a_full_disk, args=(str(tmp_path),))
    process.start()
    process.join(60)
    assert process.exitcode == 7
    assert [path for path in (tmp_path / "evidence").rglob("*") if path.is_file()] == []


def test_a_store_that_cannot_be_written_says_where_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="--store"):
        Store(tmp_path / "file").open()


def _hold(root: str, ready: object) -> None:
    with Store(Path(root)).writing():
        ready.set()  # type: ignore[attr-defined]
        time.sleep(60)


def test_a_second_writer_is_told_who_holds_the_store_and_takes_over_after_kill_9(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=_hold, args=(str(tmp_path), ready), daemon=True)
    holder.start()
    assert ready.wait(30)
    said: list[str] = []

    def told(line: str) -> None:
        said.append(line)
        os.kill(holder.pid or 0, signal.SIGKILL)

    with Store(tmp_path).writing(waiting=told):
        assert str(holder.pid) in said[0]
    holder.join()
    holder.close()


def test_a_valid_answer_beats_a_failure_stamped_in_the_future_when_the_clock_is_moved_back(tmp_path: Path) -> None:
    from tests.warehouse.rows import fill

    store = Store(tmp_path).open()
    late, early = datetime(2030, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    store.write("generations", fill("generations", [{"generation_id": "g", "status": "error", "reason": "server_fault", "recorded_at": late}]))
    store.write("generations", fill("generations", [{"generation_id": "g", "status": "answered", "text": "4", "recorded_at": early}]))
    assert store.newest("generations").collect()["status"].to_list() == ["answered"]
