"""Whether the published warehouse is what a build of today's evidence with today's definitions would be."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from schemas.keys import digest
from schemas.tables import TABLES
from warehouse.store import Store

_HERE = Path(__file__).parent
UNREAD = ("probes",)
"""Tables that no score reads: a night that only probed has nothing to publish."""


def is_current(store: Store) -> bool:
    """Whether nothing would change by publishing again."""
    try:
        published = json.loads(_mark(store).read_text())
    except (FileNotFoundError, ValueError):
        return False
    return bool(published == _state(store)) and store.warehouse.exists()


def mark_current(store: Store) -> None:
    """Remember what has just been published. Call while holding the store's writer lock."""
    temporary = _mark(store).with_suffix(".tmp")
    temporary.write_text(json.dumps(_state(store)))
    temporary.replace(_mark(store))


def _mark(store: Store) -> Path:
    return store.root / "published.json"


def _state(store: Store) -> dict[str, str]:
    evidence = [path.stem for table in TABLES if table not in UNREAD for path in store.files(table)]
    definitions = hashlib.sha256()
    for path in sorted(path for folder in ("sql", "seeds", "checks", "report") for path in (_HERE / folder).rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            definitions.update(path.read_bytes())
    return {"evidence": digest(evidence), "definitions": definitions.hexdigest()[:32]}
