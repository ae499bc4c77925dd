"""What `sextant steps` shows: steps, pairs and equations of one trace."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from schemas.config import Judges
from schemas.errors import InputError, UnknownName
from schemas.printable import json_shown, printable
from tasks.scorers.equations import verdicts
from tasks.scorers.nli import load_judge
from tasks.scorers.steps import adjacent, split


def explain(file: Path, judges: Judges | None, format: str) -> str:
    """How the trace in `file` is read, as text or as one JSON object per step.

    Raises:
        InputError: the file cannot be read or is blank.
        Unavailable: the judge cannot be had.
    """
    if format not in ("text", "jsonl"):
        raise UnknownName("format", format, ("text", "jsonl"))
    rows = read(_text(file), judges)
    if not rows:
        raise InputError(f"{file} is blank; give a file with a reasoning trace")
    return "\n".join(json_shown(row) if format == "jsonl" else _lines(row) for row in rows)


def read(text: str, judges: Judges | None) -> list[dict[str, Any]]:
    """One record per step: the step, its pair with the step before it, its equations."""
    steps = split(text)
    scores = load_judge(judges).score(adjacent(steps)) if judges is not None else []
    rows: list[dict[str, Any]] = []
    for index, step in enumerate(steps, start=1):
        row: dict[str, Any] = {"step_index": index, "step": step}
        if judges is not None and index > 1:
            score = scores[index - 2]
            row |= {"label": score.label, "p_entailment": score.p_entailment, "p_neutral": score.p_neutral, "p_contradiction": score.p_contradiction}
            row["truncated_pair"] = score.truncated
        row["equations"] = [{"equation": equation, "verdict": verdict} for equation, verdict in verdicts(step)]
        rows.append(row)
    return rows


def _lines(row: dict[str, Any]) -> str:
    lines = [f"{row['step_index']:>3}  {row['step']}"]
    if "label" in row:
        odds = "  ".join(f"{name} {row[f'p_{name}']:.3f}" for name in ("entailment", "neutral", "contradiction"))
        lines.append(f"     {row['step_index'] - 1} -> {row['step_index']}: {row['label']}  ({odds}){'  truncated' if row['truncated_pair'] else ''}")
    lines += [f"     {equation['verdict']}: {equation['equation']}" for equation in row["equations"]]
    return printable("\n".join(lines))


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {file}: {error}") from error
