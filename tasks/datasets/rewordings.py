"""A user's own rewordings in a file of their own: `item_id` (or `source_id`), `operator`, `question`, as `sextant perturb --format jsonl` prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from schemas.errors import BadRow
from schemas.records import Item
from tasks.datasets.fields import RESERVED
from tasks.datasets.readers import read
from tasks.datasets.rows import Row


def with_rewordings(items: Sequence[Item], path: Path, on_bad_row: str) -> tuple[list[Item], list[BadRow]]:
    """`items` with the rewordings of the file at `path`, and the rows set aside. A row without a question that says why it has none is passed over.

    Raises:
        ConfigError: no such file, or one that nobody reads.
        BadRow: the first row that cannot be used, unless `on_bad_row` is `skip`.
    """
    known = {item.item_id: item for item in items} | {item.source_id: item for item in items}
    own = {item.item_id: dict(item.perturbations) for item in items}
    lines: dict[tuple[str, str], int] = {}
    skipped: list[BadRow] = []
    for row in read(path):
        try:
            if isinstance(row, BadRow):
                raise row
            if row.values.get("status") in {"rejected", "unavailable"} and not row.values.get("question"):
                continue
            item, operator = _item(row, known), row.text("operator")
            if operator in RESERVED:
                raise row.bad(f"operator: {operator!r} is a name of ours; give another")
            if operator in own[item.item_id]:
                line = lines.get((item.item_id, operator))
                raise row.bad(f"operator: {operator!r} is given twice for this item, first {f'on line {line}' if line else 'with the item itself'}")
            choices = row.values.get("choices")
            if choices and choices != list(item.choices):
                raise row.bad("choices: differ from the item's; options stay as they are")
            own[item.item_id][operator] = row.text("question")
            lines[item.item_id, operator] = row.line
        except BadRow as finding:
            if on_bad_row == "error":
                raise
            skipped.append(finding)
    return [replace(item, perturbations=tuple(own[item.item_id].items())) for item in items], skipped


def _item(row: Row, known: dict[str, Item]) -> Item:
    key = "item_id" if row.values.get("item_id") else "source_id"
    name = row.values.get(key)
    found = known.get(name if isinstance(name, str) else str(name) if isinstance(name, int) else row.text(key))
    if found is None:
        raise row.bad(f"{key}: {str(name)[:60]!r} is no item of this dataset; an id changes with question, options and answer")
    return found
