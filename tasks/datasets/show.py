"""What `sextant datasets` prints."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from schemas.config import Dataset
from tasks.datasets import DATASETS, load


def listing(form: str) -> str:
    """All known datasets, one line each."""
    return "\n".join(f"{entry.name}\t{entry.size}\t{entry.licence}\t{entry.url}" for entry in DATASETS.values())


def showing(name: str, path: Path | None, limit: int, form: str) -> str:
    """The first items of one dataset, in drawing order."""
    loaded = load(Dataset(name=name, path=None if path is None else str(path.resolve()), limit=limit), Path(), 42)
    return "\n".join(json.dumps(asdict(item), ensure_ascii=False) for item in loaded.items)
