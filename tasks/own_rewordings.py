"""What is said before a run about a user's own rewordings that will not be asked as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from schemas.config import Suite
from schemas.records import Item
from tasks.perturbations import outside
from warehouse.store import Store


def remarks(items: Sequence[Item], suite: Suite, store: Store) -> Iterator[str]:
    """One line per operator that the suite does not ask for, and one for texts that came after a prompt was frozen."""
    given = [(item, name, text) for item in items for name, text in item.perturbations]
    for name, count in sorted(Counter(name for _, name, _ in given if name not in suite.operators).items()):
        yield f"{count} rewordings of your own are not asked: {name!r} is not among suite.operators ({', '.join(suite.operators)})"
    wanted = {(item.item_id, name): (item, text) for item, name, text in given if name in suite.operators}
    if not wanted:
        return
    operators = {name for _, name in wanted}
    frozen = (
        store.scan("prompts")
        .filter(pl.col("seed") == suite.seed, pl.col("operator").is_in(operators))
        .sort("recorded_at")
        .unique(["item_id", "operator"], keep="first")
    )
    rows = frozen.select("item_id", "operator", "operator_version", "status", "reason", "question").collect().iter_rows(named=True)
    late = [wanted[key][0] for row in rows if (key := (row["item_id"], row["operator"])) in wanted and _differs(row, *wanted[key])]
    if late:
        yield (
            f"{len(late)} rewordings of your own came after these prompts were planned with another text, which stays (the first: item {late[0].source_id}); "
            "another suite.seed plans anew"
        )


def _differs(row: dict[str, Any], item: Item, text: str) -> bool:
    if row["operator_version"] != "user":
        return True
    if row["status"] == "applied":
        return bool(row["question"] != text)
    return row["reason"] != "nli_contradiction" and outside.verdict(item, text) is None
