"""GSM8K from the real file and from the hub's layout."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.config import Dataset
from schemas.errors import BadRow, ConfigError, Unavailable
from tasks.datasets import DATASETS, load
from tests.hub_server import HubServer


def _rows(path: Path, count: int) -> list[dict[str, str]]:
    with path.open() as handle:
        return [json.loads(line) for _, line in zip(range(count), handle, strict=False)]


def _parquet(rows: list[dict[str, str]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def test_all_1319_test_rows_are_read_with_a_number_as_gold(shared_data: Path) -> None:
    loaded = load(Dataset(name="gsm8k", path=str(shared_data / "gsm8k" / "test.jsonl")), Path(), 42)
    assert len(loaded.items) == 1319 == DATASETS["gsm8k"].size
    for item in loaded.items:
        float(item.gold)
    by_source = {item.source_id: item for item in loaded.items}
    assert by_source["0"].question.startswith("Janet") and by_source["0"].gold == "18"


def test_the_solution_keeps_its_equations_and_loses_marks_and_final_line(shared_data: Path) -> None:
    loaded = load(Dataset(name="gsm8k", path=str(shared_data / "gsm8k")), Path(), 42)
    solution = {item.source_id: item for item in loaded.items}["0"].solution
    assert solution == "Janet sells 16 - 3 - 4 = 9 duck eggs a day.\nShe makes 9 * 2 = $18 every day at the farmer\u2019s market."
    assert not any("<<" in (item.solution or "") or "####" in (item.solution or "") for item in loaded.items)


def test_hub_and_file_give_the_same_items(shared_data: Path, hub: HubServer) -> None:
    rows = _rows(shared_data / "gsm8k" / "test.jsonl", 40)
    pinned = str(DATASETS["gsm8k"].revision)
    hub.add("dataset", "openai/gsm8k", pinned, {"main/test-00000-of-00001.parquet": _parquet(rows), "README.md": b"x"})
    from_hub = load(Dataset(name="gsm8k", limit=10), Path(), 42)
    whole = load(Dataset(name="gsm8k", path=str(shared_data / "gsm8k")), Path(), 42)
    assert {item.item_id for item in from_hub.items} <= {item.item_id for item in whole.items}
    assert from_hub.version == pinned and from_hub.source == f"hub openai/gsm8k@{pinned[:12]}"
    assert not any("README" in request for request in hub.requests)


def test_the_pinned_revision_is_asked_for_though_main_moved_on(hub: HubServer) -> None:
    pinned = str(DATASETS["gsm8k"].revision)
    old = [{"question": "Old?", "answer": "#### 1"}]
    hub.add("dataset", "openai/gsm8k", pinned, {"main/test-00000-of-00001.parquet": _parquet(old)})
    hub.add("dataset", "openai/gsm8k", "c" * 40, {"main/test-00000-of-00001.parquet": _parquet([{"question": "New?", "answer": "#### 2"}])})
    assert load(Dataset(name="gsm8k"), Path(), 42).items[0].question == "Old?"
    moved = load(Dataset(name="gsm8k", revision="main"), Path(), 42)
    assert moved.items[0].question == "New?" and moved.version == "c" * 40


def test_a_split_the_hub_does_not_hold_is_unavailable(hub: HubServer) -> None:
    hub.add("dataset", "openai/gsm8k", str(DATASETS["gsm8k"].revision), {"main/test-00000-of-00001.parquet": _parquet([{"question": "q", "answer": "#### 1"}])})
    with pytest.raises(Unavailable, match="holds no file like main/dev-"):
        load(Dataset(name="gsm8k", split="dev"), Path(), 42)


@pytest.mark.parametrize(
    ("answer", "gold"), [("#### 1,080", "1080"), ("so\n#### -3", "-3"), ("####7", "7"), ("#### $90", "90"), ("#### 0.50", "0.50"), ("#### step\n#### 42", "42")]
)
def test_the_final_number_in_every_form_found(tmp_path: Path, answer: str, gold: str) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"question": "q", "answer": answer}))
    assert load(Dataset(name="gsm8k", path="rows.jsonl"), tmp_path, 42).items[0].gold == gold


@pytest.mark.parametrize("answer", ["18", "#### ", "#### eighteen", "#### 1 2", "####"])
def test_an_answer_without_a_final_number_is_a_bad_row(tmp_path: Path, answer: str) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"question": "q", "answer": answer}))
    with pytest.raises(BadRow, match="rows.jsonl:1: answer: must end with `#### number`"):
        load(Dataset(name="gsm8k", path="rows.jsonl"), tmp_path, 42)


def test_a_folder_without_the_split_says_what_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"holds none of test.jsonl"):
        load(Dataset(name="gsm8k", path=str(tmp_path)), Path(), 42)
    with pytest.raises(ConfigError, match="no such file or folder; paths are relative to the run file"):
        load(Dataset(name="gsm8k", path="nowhere"), tmp_path, 42)
