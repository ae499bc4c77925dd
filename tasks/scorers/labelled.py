"""The extractor against labelled answers: JSONL rows with id, answer_type, gold, response and the expected correct, status, value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.errors import BadRow, InputError
from schemas.records import ANSWER_TYPES, Extraction
from tasks.scorers.answers import extract

_TEXT_FIELDS = ("id", "answer_type", "gold", "response")


@dataclass(frozen=True)
class Miss:
    """A row on which extractor and label differ."""

    id: str
    answer_type: str
    gold: str
    differs: tuple[str, ...]
    expected: str
    got: str
    extracted: str | None
    strategy: str | None
    response: str


@dataclass(frozen=True)
class Agreement:
    """Rows and agreeing rows per answer type, and every miss."""

    rows: dict[str, int]
    agreed: dict[str, int]
    misses: tuple[Miss, ...]

    @property
    def share(self) -> float:
        """Agreeing rows / rows over all types."""
        return sum(self.agreed.values()) / sum(self.rows.values())


def check(path: Path) -> Agreement:
    """Run the extractor over the labelled file `path`.

    Raises:
        BadRow: a row that is no labelled answer; names file and line.
        InputError: the file cannot be read or holds no row.
    """
    rows: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    misses: list[Miss] = []
    for row in read(path):
        found = extract(
            row["response"],
            answer_type=row["answer_type"],
            gold=row["gold"],
            choices=row.get("choices") or (),
            finish_reason=row.get("finish_reason"),
            question=row.get("question") or "",
        )
        differs = tuple(name for name in ("correct", "status", "value") if name in row and getattr(found, name) != row[name])
        rows[row["answer_type"]] += 1
        agreed[row["answer_type"]] += not differs
        if differs:
            misses.append(_miss(row, found, differs))
    if not rows:
        raise InputError(f"{path}: no labelled answers; write one JSON object per line with id, answer_type, gold, response, correct")
    return Agreement(dict(rows), dict(agreed), tuple(misses))


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Labelled rows of `path`, checked, each id once; a missing response (null) is an empty one."""
    seen: dict[str, int] = {}
    try:
        with path.open("rb") as handle:
            for line, raw in enumerate(handle, start=1):
                if raw.strip():
                    row = _row(path, line, raw)
                    if (first := seen.setdefault(row["id"], line)) != line:
                        raise BadRow(path, line, f"id {row['id']!r} is the id of line {first} too; give each answer its own, or drop the repeated row")
                    yield row
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a JSONL file of labelled answers") from error


def _row(path: Path, line: int, raw: bytes) -> dict[str, Any]:
    try:
        row = json.loads(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise BadRow(path, line, f"no JSON ({error}); write one object per line") from error
    if not isinstance(row, dict):
        raise BadRow(path, line, "no JSON object; write one object per line")
    if row.get("response", "") is None:
        row["response"] = ""
    for name in ("id", "gold"):
        if isinstance(row.get(name), bool | int | float):
            row[name] = str(row[name])
    for name in _TEXT_FIELDS:
        if not isinstance(row.get(name), str):
            raise BadRow(path, line, f"field {name!r} is {'missing' if name not in row else 'no text'}")
    if row["answer_type"] not in ANSWER_TYPES:
        raise BadRow(path, line, f"answer_type {row['answer_type']!r} is none of {', '.join(ANSWER_TYPES)}")
    if not isinstance(row.get("correct"), bool):
        raise BadRow(path, line, "field 'correct' must be true or false")
    _optional(path, line, row)
    return row


def _optional(path: Path, line: int, row: dict[str, Any]) -> None:
    choices = row.get("choices") or []
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices) or len(choices) > 26:
        raise BadRow(path, line, "field 'choices' must be a list of at most 26 texts")
    for name in ("question", "finish_reason", "status", "value"):
        if not isinstance(row.get(name), str | None):
            raise BadRow(path, line, f"field {name!r} must be a text or null")
    if row.get("status", "scored") not in ("scored", "empty", "truncated", "unparsed"):
        raise BadRow(path, line, f"status {row['status']!r} is none of scored, empty, truncated, unparsed")


def _miss(row: dict[str, Any], found: Extraction, differs: tuple[str, ...]) -> Miss:
    expected = " ".join(f"{name}={row[name]}" for name in differs)
    got = " ".join(f"{name}={getattr(found, name)}" for name in differs)
    return Miss(row["id"], row["answer_type"], row["gold"], differs, expected, got, found.extracted, found.strategy, row["response"])
