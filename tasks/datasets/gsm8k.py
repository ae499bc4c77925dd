"""GSM8K: grade-school word problems with worked solutions.

https://huggingface.co/datasets/openai/gsm8k (MIT). Test split 1,319 rows, train 7,473; the default is test.
A row has `question`, a story that ends by asking for one number, and `answer`, a solution of a few lines with calculator marks `<<16-3-4=9>>` and a last line
`#### 18`. The first test row asks what Janet earns a day from the duck eggs she does not eat or bake. Gold: what follows `####`, without thousands commas.
"""

from __future__ import annotations

import re
from pathlib import Path

from schemas.config import Dataset
from schemas.records import Item
from tasks.datasets.base import DatasetEntry, Loaded, collect, from_hub, from_path
from tasks.datasets.numbers import plain
from tasks.datasets.readers import read
from tasks.datasets.rows import Row

REPO, REVISION = "openai/gsm8k", "740312add88f781978c0658806c59bc2815b9866"
_MARK = re.compile(r"<<[^<>]*>>")


def load(spec: Dataset, path: Path | None) -> Loaded:
    """All rows of the split, in source order.

    Raises:
        Unavailable: the hub cannot serve it.
        ConfigError: no such file.
        BadRow: a row without question or `####` number.
    """
    split = spec.split or "test"
    if path is None:
        place = from_hub(REPO, spec.revision or REVISION, [f"main/{split}-*.parquet"])
    else:
        place = from_path(path, [f"{split}.jsonl", f"main/{split}-*.parquet", f"{split}-*.parquet"])
    items, skipped = collect(read(place.files[0]), lambda row: _item(row, spec.name), spec.on_bad_row)
    return Loaded(items, place.version, place.source, ENTRY.licence, skipped)


def _item(row: Row, dataset: str) -> Item:
    solution, mark, final = row.text("answer").rpartition("####")
    gold = plain(final)
    if not mark or gold is None:
        raise row.bad(f"answer: must end with `#### number`, ends with {final.strip()[-40:]!r}")
    worked = _MARK.sub("", solution).strip() or None
    return Item("", dataset, str(row.index), row.text("question"), "number", gold, solution=worked)


ENTRY = DatasetEntry("gsm8k", "grade-school word problems", "MIT", f"https://huggingface.co/datasets/{REPO}", ("number",), 1319, load, REPO, REVISION)
