"""`sextant query`: reads, and only reads; answers while a run is writing; says plainly what is wrong."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from schemas.errors import InputError
from tests.warehouse.rows import fill
from warehouse.build import publish
from warehouse.query import query
from warehouse.store import Store

RAW = {"items": [{"item_id": "i", "dataset": "d", "question": "one\ntwo", "gold": "1", "answer_type": "number", "cluster": "i"}]}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = Store(tmp_path_factory.mktemp("query") / "a store").open()
    for table, rows in RAW.items():
        store.write(table, fill(table, rows))
    publish(store, replicates=2)
    return store.warehouse


@pytest.mark.parametrize(
    "sql",
    [
        "copy (select 1) to '{folder}/out.csv'",
        "copy raw.items to '{evidence}'",
        "explain analyze copy raw.items to '{evidence}'",
        "explain analyze copy (select 1 as a) to '{evidence}' (format parquet, use_tmp_file false)",
        "/* pivot */ copy (pivot raw.items on dataset using count(*)) to '{evidence}' (format parquet, use_tmp_file false)",
        "-- from\nexplain analyze copy (from raw.items) to '{evidence}' (format parquet, use_tmp_file false)",
        "attach '{folder}/other.duckdb'",
        "export database '{folder}/out'",
        "create table t as select 1",
        "drop table marts.rankings",
        "set enable_external_access = true",
        "install httpfs",
        "pragma enable_profiling",
        "select * from read_text('/etc/passwd')",
        "select * from '{folder}/secret.csv'",
        "select 1; select 2",
        "",
    ],
)
def test_hostile_sql_neither_writes_nor_reads_other_files(warehouse: Path, sql: str) -> None:
    folder = warehouse.parent
    (folder / "secret.csv").write_text("a\n1\n")
    evidence = next((folder / "evidence" / "items").glob("*.parquet"))
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(InputError):
        query(warehouse, sql.format(folder=folder, evidence=evidence))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_raw_views_answer_with_external_access_off(warehouse: Path) -> None:
    assert query(warehouse, "select item_id, question from raw.items", "csv") == 'item_id,question\ni,"one\ntwo"'


def test_formats_hold_the_same_rows_and_a_newline_stays_in_its_cell(warehouse: Path, tmp_path: Path) -> None:
    sql = "select item_id, question, null as nothing, 0.5 as half from raw.items"
    assert json.loads(query(warehouse, sql, "json")) == [{"item_id": "i", "question": "one\ntwo", "nothing": None, "half": 0.5}]
    assert list(csv.reader(io.StringIO(query(warehouse, sql, "csv"))))[1] == ["i", "one\ntwo", "", "0.5"]
    table = query(warehouse, sql).splitlines()
    assert len(table) == 4
    assert table[-1] == "(1 row)"
    assert query(warehouse, sql, "parquet", tmp_path / "out.parquet") == ""
    assert pq.read_table(tmp_path / "out.parquet").num_rows == 1


def test_no_warehouse_yet_is_one_plain_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no warehouse at .* yet; run `sextant evaluate"):
        query(tmp_path / "warehouse.duckdb", "select 1")


def test_wrong_sql_is_one_line_with_the_finding(warehouse: Path) -> None:
    with pytest.raises(InputError, match=r"SQL: .*rankngs") as caught:
        query(warehouse, "select * from marts.rankngs")
    assert "\n" not in str(caught.value)


def test_query_imports_duckdb_alone() -> None:
    code = "import sys, warehouse.query; print([m for m in ('pyarrow', 'polars', 'pandas', 'torch', 'prefect', 'great_expectations') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_another_process_reads_the_old_file_while_a_new_one_is_published(warehouse: Path) -> None:
    """Last of the file: it adds an item to the store that the tests above share."""
    with duckdb.connect(str(warehouse), read_only=True) as reader:
        store = Store(warehouse.parent)
        store.write("items", fill("items", [{"item_id": "j", "dataset": "d"}]))
        publish(store, replicates=2)
        assert reader.execute("select count(*) from staging.stg_items").fetchone() == (1,)
    read = "query(Path(sys.argv[1]), 'select count(*) as n from staging.stg_items', 'csv')"
    code = f"import sys; from pathlib import Path; from warehouse.query import query; print({read})"
    told = subprocess.run([sys.executable, "-c", code, str(warehouse)], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["n", "2"]


def test_a_pivot_still_passes(warehouse: Path) -> None:
    sql = "/* by dataset */ pivot (from staging.stg_items where item_id = 'i') on dataset using count(*) group by gold"
    assert json.loads(query(warehouse, sql, "json")) == [{"gold": "1", "d": 1}]


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_an_output_in_a_folder_that_is_not_there_is_one_line(warehouse: Path, format: str) -> None:
    with pytest.raises(InputError, match="folder that exists"):
        query(warehouse, "select 1 as a", format, warehouse.parent / "none" / "x")
