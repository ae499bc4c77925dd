"""StrategyQA from the authors' file and from the hub's layouts."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.config import Dataset
from schemas.errors import BadRow
from tasks.datasets import DATASETS, load
from tests.hub_server import HubServer

ROWS = [{"qid": f"id{n}", "term": "t", "question": f"Is {n} odd?", "answer": n % 2 == 1, "facts": "f"} for n in range(6)]


def _parquet(rows: list[dict[str, object]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return sink.getvalue()


def test_the_real_dev_rows_become_yes_or_no(shared_data: Path) -> None:
    loaded = load(Dataset(name="strategyqa", path=str(shared_data / "strategyqa")), Path(), 42)
    items = {item.source_id: item for item in loaded.items}
    assert len(items) == 229 and {item.gold for item in loaded.items} == {"yes", "no"}
    assert items["e0044a7b4d146d611e73"].gold == "no" and items["e0044a7b4d146d611e73"].answer_type == "boolean"


def test_the_train_split_of_a_folder_is_another_file(shared_data: Path) -> None:
    assert len(load(Dataset(name="strategyqa", path=str(shared_data / "strategyqa"), split="train"), Path(), 42).items) == 2061


@pytest.mark.parametrize("name", ["data/test-00000-of-00001-abc.parquet", "test.json"])
def test_both_layouts_of_the_hub_are_read(hub: HubServer, name: str) -> None:
    content = _parquet(ROWS) if name.endswith("parquet") else json.dumps(ROWS).encode()
    hub.add("dataset", "ChilleD/StrategyQA", str(DATASETS["strategyqa"].revision), {name: content, "train.json": b"[]"})
    loaded = load(Dataset(name="strategyqa"), Path(), 42)
    assert {item.source_id: item.gold for item in loaded.items} == {f"id{n}": "yes" if n % 2 else "no" for n in range(6)}


@pytest.mark.parametrize("answer", ["yes", 1, None, "true"])
def test_an_answer_that_is_no_boolean_is_a_bad_row(tmp_path: Path, answer: object) -> None:
    (tmp_path / "dev.jsonl").write_text(json.dumps({"qid": "a", "question": "q?", "answer": answer}))
    with pytest.raises(BadRow, match="dev.jsonl:1: answer: must be true or false"):
        load(Dataset(name="strategyqa", path="dev.jsonl"), tmp_path, 42)
