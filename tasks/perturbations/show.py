"""What `sextant perturb` prints: each question, its rewordings with the changed words marked, and the gate's verdict."""

from __future__ import annotations

import difflib
import io
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from schemas.config import Dataset
from schemas.errors import ConfigError, UnknownName
from schemas.printable import json_shown, printable
from schemas.records import OPERATORS, Item, Rewording
from tasks.datasets import load
from tasks.perturbations import PERTURBATIONS, known_operators, reword_all

FORMATS = ("table", "jsonl")
OPENS, CLOSES = "«", "»"


def showing(spec: Dataset, form: str, seed: int, operators: Sequence[str] = ()) -> str:
    """Rewordings of a dataset's items in drawing order, as a table to read or as one JSON object a line.

    Args:
        spec: the dataset, its limit set.
        form: table or jsonl.
        seed: the suite's seed.
        operators: operators to apply; the suite's default ones, and the items' own, when empty.

    Raises:
        ConfigError: `form` is neither table nor jsonl; see also `tasks.datasets.load`.
        UnknownName: no such operator.
    """
    if form not in FORMATS:
        raise ConfigError(f"--format {form!r}: must be one of {', '.join(FORMATS)}")
    items = load(spec, Path(), seed).items
    known = known_operators(items)
    for name in operators:
        if name not in known:
            raise UnknownName("operator", name, known)
    reworded = [(item, reword_all(item, _wanted(item, operators), seed)) for item in items]
    if form == "jsonl":
        return "\n".join(json_shown(row(item, rewording)) for item, rewordings in reworded for rewording in rewordings)
    return "\n".join([*(_block(item, rewordings) for item, rewordings in reworded), _foot([r for _, rewordings in reworded for r in rewordings], len(items))])


def row(item: Item, rewording: Rewording) -> dict[str, object]:
    """One line of JSONL: what was made of `item`; question and choices are null where nothing was applied."""
    return {
        "item_id": item.item_id,
        "source_id": item.source_id,
        "operator": rewording.operator,
        "status": rewording.status,
        "reason": rewording.reason,
        "question": rewording.question,
        "choices": list(rewording.choices) if rewording.question is not None else None,
    }


def marked(before: str, after: str) -> str:
    """`after` with the words that are new or elsewhere between marks; the text between the marks is `after`, nothing else."""
    old, new = re.findall(r"\S+|\s+", before), re.findall(r"\S+|\s+", after)
    out = ""
    for action, _, _, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        words = "".join(new[start:end])
        core = words.strip()
        if action in {"equal", "delete"} or not core:
            out += words
        else:
            at = words.index(core)
            out += f"{words[:at]}{OPENS}{core}{CLOSES}{words[at + len(core) :]}"
    return out


def _wanted(item: Item, operators: Sequence[str]) -> list[str]:
    """Those of `operators` that `item` can have: a name of the user's own stands only on the items that were given one."""
    own = [name for name, _ in item.perturbations if name not in PERTURBATIONS]
    return [name for name in operators or (*OPERATORS, *own) if name in PERTURBATIONS or name in own]


def _block(item: Item, rewordings: Sequence[Rewording]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=True, title=Text(printable(f"{item.dataset} {item.source_id}  {item.item_id}")), title_justify="left")
    for title in ("operator", "gate", "question"):
        table.add_column(title, overflow="fold")
    options = "".join(f"\n{letter}. {text}" for letter, text in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", item.choices, strict=False))
    table.add_row("original", "", Text(printable(item.question + options)))
    for rewording in rewordings:
        verdict = rewording.status if rewording.reason is None else f"{rewording.status}: {rewording.reason}"
        table.add_row(rewording.operator, Text(printable(verdict)), Text(printable(marked(item.question, rewording.question)) if rewording.question else ""))
    out, terminal = io.StringIO(), Console()
    Console(file=out, width=terminal.width if terminal.is_terminal else 140).print(table)
    return out.getvalue().rstrip()


def _foot(rewordings: Sequence[Rewording], items: int) -> str:
    lines = [f"{items} items; the rule gate's verdicts (the NLI gate is run with the prompts of an evaluation):"]
    for name in dict.fromkeys(r.operator for r in rewordings):
        counts = Counter(r.status for r in rewordings if r.operator == name)
        lines.append(f"  {name}: {counts['applied']} applied, {counts['rejected']} rejected, {counts['unavailable']} unavailable")
    return "\n".join(lines)
