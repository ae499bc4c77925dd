"""Sextant's own synthetic items, generated from a seed (MIT, no download)."""

from __future__ import annotations

import random
from pathlib import Path

from schemas.config import Dataset
from schemas.records import Item
from tasks.datasets.base import DatasetEntry, Loaded, identified

VERSION = "0"


def load(spec: Dataset, path: Path | None) -> Loaded:
    """First light: one template of one-step sums."""
    rng = random.Random(spec.seed)
    items = []
    for n in range(40):
        a, b = rng.randint(2, 60) + n, rng.randint(2, 60)
        question = f"Maria has {a} marbles. She buys {b} more. How many marbles does Maria have now?"
        items.append(
            identified(Item("", spec.name, f"sum-{n}", question, "number", str(a + b), subject="easy", template="sum", solution=f"{a} + {b} = {a + b}"))
        )
    return Loaded(items, f"synthetic {VERSION} seed {spec.seed}", "generated", "MIT")


ENTRY = DatasetEntry("synthetic", "generated reasoning items", "MIT", "", ("number",), 40, load)
