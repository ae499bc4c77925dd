"""StrategyQA: yes/no questions whose steps are implicit.

https://huggingface.co/datasets/ChilleD/StrategyQA (MIT; the authors' own test labels are hidden, this is the usual split of their train set: train 1,603, test
687 rows). Local: the authors' JSONL (dev.jsonl 229, train.jsonl 2,061) or a folder with the hub's files. A row has `qid`, `term`, `question`, a boolean
`answer`, and `facts`. The first dev row asks whether the Albany in Georgia will reach a hundred thousand people before the one in New York (it will not).
Gold: yes or no.
"""

from __future__ import annotations

from pathlib import Path

from schemas.config import Dataset
from schemas.records import Item
from tasks.datasets.base import DatasetEntry, Loaded, collect, from_hub, from_path
from tasks.datasets.readers import read
from tasks.datasets.rows import Row

REPO, REVISION = "ChilleD/StrategyQA", "705562638fe1d8ca6bb98c66fc8f94d45fda8c83"


def load(spec: Dataset, path: Path | None) -> Loaded:
    """All rows of the split, in source order.

    Raises:
        Unavailable: the hub cannot serve it.
        ConfigError: no such file.
        BadRow: a row without question or boolean answer.
    """
    split = spec.split or "test"
    names = [f"data/{split}-*.parquet", f"{split}-*.parquet", f"{split}.json", f"{split}.jsonl"]
    dev = [] if spec.split else ["dev.jsonl", "dev.json"]
    place = from_hub(REPO, spec.revision or REVISION, names) if path is None else from_path(path, names + dev)
    items, skipped = collect(read(place.files[0]), lambda row: _item(row, spec.name), spec.on_bad_row)
    return Loaded(items, place.version, place.source, ENTRY.licence, skipped)


def _item(row: Row, dataset: str) -> Item:
    answer = row.value("answer")
    if not isinstance(answer, bool):
        raise row.bad(f"answer: must be true or false, is {answer!r}")
    source_id = row.text("qid") if row.values.get("qid") else str(row.index)
    return Item("", dataset, source_id, row.text("question"), "boolean", "yes" if answer else "no")


ENTRY = DatasetEntry(
    "strategyqa", "yes/no questions with implicit steps", "MIT", f"https://huggingface.co/datasets/{REPO}", ("boolean",), 687, load, REPO, REVISION
)
