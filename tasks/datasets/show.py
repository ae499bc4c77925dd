"""What `sextant datasets` prints: the registry, or the items of one dataset."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import ConfigError
from schemas.printable import json_shown, printable
from schemas.records import Item
from tasks.datasets import DATASETS, DatasetEntry, Loaded, load

FORMATS = ("table", "jsonl")


def listing(form: str) -> str:
    """All known datasets: items, answer types, licence, source, and where they are read from without a `path`.

    Raises:
        ConfigError: `form` is neither table nor jsonl.
    """
    rows = [_entry(entry) for entry in DATASETS.values()]
    if _checked(form) == "jsonl":
        return "\n".join(json_shown(row) for row in rows)
    table = _table([[str(value) for value in row.values()] for row in rows], ["dataset", "about", "items", "answers", "licence", "source", "read from"])
    return f"{table}\nAny name of your own together with `path` reads your JSONL, JSON, CSV, TSV or Parquet file; see `fields` in the run file."


def described(name: str, path: Path | None, subjects: str | None, pairs: Sequence[str]) -> Dataset:
    """The dataset that command line options describe; `pairs` are `our=theirs` with several columns separated by commas.

    Raises:
        ConfigError: a pair without `=`.
    """
    fields: dict[str, str | list[str]] = {}
    for pair in pairs:
        ours, equals, theirs = pair.partition("=")
        if not equals or not theirs:
            raise ConfigError(f"--field {pair!r}: must be our=theirs, e.g. question=Body,Question")
        columns = theirs.split(",")
        fields[ours] = columns if len(columns) > 1 else theirs
    kept = tuple(subjects.split(",")) if subjects else None
    return Dataset(name=name, path=None if path is None else str(path), subjects=kept, fields=fields or None)


def showing(spec: Dataset, form: str, seed: int = 42) -> str:
    """Items of one dataset in drawing order, as a table or as one JSON object a line.

    Raises:
        ConfigError: `form` is neither table nor jsonl; see also `tasks.datasets.load`.
    """
    _checked(form)
    loaded = load(spec, Path(), seed)
    if form == "jsonl":
        return "\n".join(json_shown(_row(item)) for item in loaded.items)
    table = _table([[item.source_id, item.subject or "", item.answer_type, _asked(item), item.gold] for item in loaded.items])
    return "\n".join([table, _foot(spec.name, loaded)])


def _checked(form: str) -> str:
    if form not in FORMATS:
        raise ConfigError(f"--format {form!r}: must be one of {', '.join(FORMATS)}")
    return form


def _entry(entry: DatasetEntry) -> dict[str, object]:
    read_from = f"hub {entry.repo}@{entry.revision[:12]}, or a local path" if entry.repo and entry.revision else "generated"
    return {
        "dataset": entry.name,
        "about": entry.about,
        "items": entry.size,
        "answer_types": ", ".join(entry.answer_types),
        "licence": entry.licence,
        "source": entry.url,
        "read_from": read_from,
    }


def _row(item: Item) -> dict[str, object]:
    return {
        "item_id": item.item_id,
        "dataset": item.dataset,
        "source_id": item.source_id,
        "subject": item.subject,
        "template": item.template,
        "answer_type": item.answer_type,
        "question": item.question,
        "choices": list(item.choices),
        "gold": item.gold,
        "perturbations": dict(item.perturbations),
        "solution": item.solution,
    }


def _asked(item: Item) -> str:
    return item.question + "".join(f"\n{letter}. {text}" for letter, text in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", item.choices, strict=False))


def _foot(name: str, loaded: Loaded) -> str:
    lines = [f"{name}: {len(loaded.items)} of {loaded.total} items, {loaded.licence or 'licence not stated'}; read from {loaded.source} ({loaded.version})"]
    if loaded.skipped:
        lines += [f"{len(loaded.skipped)} rows set aside:", *(f"  {printable(str(finding))}" for finding in loaded.skipped[:20])]
    return "\n".join(lines)


def _table(rows: list[list[str]], header: list[str] | None = None) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=header is None)
    for title in header or ["source_id", "subject", "type", "question", "gold"]:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    out = io.StringIO()
    terminal = Console()
    Console(file=out, width=terminal.width if terminal.is_terminal else 140).print(table)
    return out.getvalue().rstrip()
