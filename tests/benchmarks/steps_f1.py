"""Boundary F1 of the step splitter on hand-labelled traces. Run by hand: python -m tests.benchmarks.steps_f1

`steps_labelled.jsonl` holds 40 GSM8K gold solutions (test split, by row; the text is read from ../shared/data), 31 traces written by SmolLM2-135M-Instruct for
GSM8K, StrategyQA and MMLU questions (T = 0.7), and 18 written by hand in the manner of larger models (Markdown, LaTeX, code). A boundary is a place where a
step begins, counted in characters that are not white space; '¦' marks it in the stored texts. Labelled from all line ends, sentence ends and colons, before
the splitter's own output was looked at.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from tasks.scorers.steps import split

HERE = Path(__file__).parent
GSM8K = HERE.parents[1] / ".." / "shared" / "data" / "gsm8k" / "test.jsonl"


def starts(steps: list[str]) -> set[int]:
    """Where steps begin after the first, in characters that are not white space."""
    found, position = set(), 0
    for step in steps[:-1]:
        position += len(re.sub(r"\s", "", step))
        found.add(position)
    return found


def labelled() -> list[tuple[str, str, set[int]]]:
    """(kind, text, boundaries) of every labelled trace."""
    gold = [json.loads(line)["answer"] for line in GSM8K.read_text(encoding="utf-8").splitlines()] if GSM8K.exists() else []
    rows = []
    for line in (HERE / "steps_labelled.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        kind = row["id"].split("-")[0]
        if "marked" in row:
            rows.append((kind, row["marked"].replace("¦", ""), starts(row["marked"].split("¦"))))
        elif gold:
            rows.append((kind, gold[row["row"]], set(row["boundaries"])))
    return rows


def main() -> None:
    hits, said, wanted, exact, traces = Counter(), Counter(), Counter(), Counter(), Counter()
    for kind, text, right in labelled():
        found = starts(split(text))
        for name in (kind, "all"):
            hits[name] += len(found & right)
            said[name] += len(found)
            wanted[name] += len(right)
            exact[name] += found == right
            traces[name] += 1
        if found != right:
            squeezed = re.sub(r"\s", "", text)
            for place in sorted(found ^ right):
                print(f"  {'missed' if place in right else 'extra '} {kind}: {squeezed[max(0, place - 25) : place]}‖{squeezed[place : place + 25]}")
    for name in traces:
        precision, recall = hits[name] / said[name], hits[name] / wanted[name]
        f1 = 2 * precision * recall / (precision + recall)
        counts = f"{traces[name]:>3} traces {wanted[name]:>4} boundaries"
        print(f"{name:<10} {counts}  precision {precision:.4f}  recall {recall:.4f}  F1 {f1:.4f}  whole traces right {exact[name]}")


if __name__ == "__main__":
    main()
