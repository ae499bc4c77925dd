"""Calibration rows to text: accuracy, confusion table, rates with Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

from tasks.scorers.nli import LABELS

Z95 = 1.959963984540054


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95 % Wilson interval of a proportion; (0, 1) where nothing was counted."""
    if n == 0:
        return 0.0, 1.0
    share, z2 = hits / n, Z95 * Z95
    middle, half = share + z2 / (2 * n), Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def report(rows: Sequence[Mapping[str, object]], *, name: str, seconds: float) -> str:
    """A few lines on how right the judge is on `rows`."""
    lines = [f"judge {name}: {len(rows)} pairs in {seconds:.1f} s, {len(rows) / max(seconds, 1e-9):.0f} pairs/s"]
    cut = sum(bool(row["truncated_pair"]) for row in rows)
    if cut:
        lines.append(f"{cut} pairs were cut to the judge's window")
    for role, title in (("nli", "accuracy"), ("false_alarm", "false alarms on consistent neighbouring gold steps"), ("detection", "detection")):
        chosen = [row for row in rows if row["role"] == role]
        if chosen:
            lines += _section(role, title, chosen)
    return "\n".join(lines)


def _section(role: str, title: str, rows: Sequence[Mapping[str, object]]) -> list[str]:
    if role == "nli":
        return [_rate(title, sum(row["label"] == row["gold_label"] for row in rows), len(rows)), *_confusion(rows)]
    if role == "false_alarm":
        return [_rate(title, _contradictions(rows), len(rows))]
    kinds = Counter(str(row["alteration"]) for row in rows)
    lines = [_rate(f"{title}: {kind}", _contradictions([row for row in rows if row["alteration"] == kind]), n) for kind, n in kinds.items()]
    return [*lines, _rate(f"{title}: all", _contradictions(rows), len(rows))]


def _contradictions(rows: Sequence[Mapping[str, object]]) -> int:
    return sum(row["label"] == "contradiction" for row in rows)


def _rate(title: str, hits: int, n: int) -> str:
    low, high = wilson(hits, n)
    return f"{title:<52} {hits:>5} of {n:<5} {hits / n:7.2%}  [{low:.2%}, {high:.2%}]"


def _confusion(rows: Sequence[Mapping[str, object]]) -> list[str]:
    count = Counter((row["gold_label"], row["label"]) for row in rows)
    head = "gold \\ judged   "
    return [head + "".join(f"{label:>15}" for label in LABELS), *(f"{gold:<16}" + "".join(f"{count[gold, label]:>15}" for label in LABELS) for gold in LABELS)]
