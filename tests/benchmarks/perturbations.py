"""Coverage, gate statistics and speed of the rewordings over the real benchmark items, re-checked by rules that share no code with the gate.

Run: `python tests/benchmarks/perturbations.py ../shared/data [--write] [--sample N FILE]`; `--write` renews `perturbations_result.json` beside this script, `--sample` writes N
rewordings to read, stratified over operator and dataset. What was judged by eye is in `perturbations_read.jsonl`, one line per
rewording as it read when drawn; its original is found by `source_id`. Verdicts: ok; awkward, which keeps the meaning and is grammatical but no editor would sign it; wrong. `rate` is the share that
keeps the meaning and is grammatical, `natural` the share that is ok besides (the first three samples did not tell awkward from ok or wrong, so theirs are one).
Each sample is fresh and was read before what it showed was mended, by a language model at work as reader: rules were tuned on `tuning`; since `fresh, seed
20261130` the readers had built none of the rules. `fresh, seed 20261201` is the rate to quote; the last sample holds only what the synonyms added after it made.
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from schemas.config import Dataset  # noqa: E402
from schemas.records import OPERATORS, Item, Rewording  # noqa: E402
from tasks.datasets import load  # noqa: E402
from tasks.perturbations import reword_all  # noqa: E402

RESULT = Path(__file__).with_name("perturbations_result.json")
READ = Path(__file__).with_name("perturbations_read.jsonl")
SPECS = {"gsm8k": "gsm8k/test.jsonl", "mmlu": "mmlu", "strategyqa": "strategyqa/dev.jsonl", "synthetic": None}
BARS = {"gsm8k": 0.95, "mmlu": 0.90, "strategyqa": 0.90, "synthetic": 0.90}
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy "  # noqa: E501
    "eighty ninety hundred thousand million billion half third quarter twice thrice double triple dozen first second"
)
NEGATING = "no not never none neither nor nothing nobody without cannot except unless"


def recheck(item: Item, text: str, others: list[str]) -> list[str]:
    """What an independent reader of characters finds wrong with a rewording: an empty list where nothing."""
    found = []
    if sorted(re.findall(r"[0-9]+", item.question)) != sorted(re.findall(r"[0-9]+", text)):
        found.append("digits")
    for word in WORDS.split():
        if len(re.findall(rf"(?i)\b{word}\b", item.question)) != len(re.findall(rf"(?i)\b{word}\b", text)):
            found.append(f"number word {word}")
    for word in NEGATING.split():
        if len(re.findall(rf"(?i)\b{word}\b", item.question)) != len(re.findall(rf"(?i)\b{word}\b", text)):
            found.append(f"negation {word}")
    if len(re.findall("n[’']t\\b", item.question)) != len(re.findall("n[’']t\\b", text)):
        found.append("negation n't")
    if any(item.question.count(mark) != text.count(mark) for mark in '?$%€\\^_=<>[]{}"“”∨∧⊃≡∀∃~'):
        found.append("symbol")
    if "".join(item.question.lower().split()) == "".join(text.lower().split()):
        found.append("unchanged")
    if "".join(text.lower().split()) in {"".join(other.lower().split()) for other in others}:
        found.append("duplicate")
    return found


def measure(name: str, items: list[Item]) -> tuple[dict[str, object], list[tuple[Item, Rewording]]]:
    """Statistics of one dataset, and its applied rewordings."""
    counts: dict[str, Counter[str]] = {operator: Counter() for operator in OPERATORS}
    reasons: Counter[str] = Counter()
    offenders, every, applied = [], 0, []
    started = time.process_time()
    reworded = [(item, reword_all(item, OPERATORS, 42)) for item in items]
    seconds = time.process_time() - started
    for item, rewordings in reworded:
        texts = [r.question for r in rewordings if r.question is not None]
        every += len(texts) == len(OPERATORS)
        for rewording in rewordings:
            counts[rewording.operator][rewording.status] += 1
            if rewording.status == "rejected":
                reasons[f"{rewording.operator}: {str(rewording.reason).split(':')[0]}"] += 1
            if rewording.question is not None:
                applied.append((item, rewording))
                wrong = recheck(item, rewording.question, [t for t in texts if t is not rewording.question])
                wrong += ["options"] if rewording.choices != item.choices else []
                offenders += [f"{item.source_id} {rewording.operator}: {', '.join(wrong)}"] if wrong else []
    coverage = {operator: round(counts[operator]["applied"] / len(items), 4) for operator in OPERATORS}
    return {
        "items": len(items),
        "coverage": coverage,
        "all_three": round(every / len(items), 4),
        "bar": BARS[name],
        "status": {operator: dict(counts[operator]) for operator in OPERATORS},
        "rejections": dict(reasons.most_common()),
        "recheck_offenders": offenders,
        "items_per_cpu_second": round(len(items) / seconds, 1),
    }, applied


def sampled(applied: dict[str, list[tuple[Item, Rewording]]], n: int) -> list[dict[str, object]]:
    """`n` applied rewordings, as many per operator and dataset."""
    cells: dict[tuple[str, str], list[tuple[Item, Rewording]]] = defaultdict(list)
    for name, pairs in applied.items():
        for item, rewording in pairs:
            cells[name, rewording.operator].append((item, rewording))
    rng = random.Random(20261130)
    rows = []
    for (name, operator), pairs in sorted(cells.items()):
        for item, rewording in rng.sample(pairs, min(len(pairs), -(-n // len(cells)))):
            rows.append({"dataset": name, "operator": operator, "source_id": item.source_id, "question": item.question, "reworded": rewording.question})
    return rows


def rates(read: list[dict[str, object]]) -> dict[str, object]:
    """[not wrong, ok, read] of a sample: all, and per dataset and operator."""
    cells: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in read:
        for name in ("all", f"{row['dataset']} {row['operator']}"):
            for at, counts in enumerate((row["verdict"] != "wrong", row["verdict"] == "ok", True)):
                cells[name][at] += counts
    sound, ok, n = cells["all"]
    return {**cells, "rate": round(sound / n, 4), "natural": round(ok / n, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--sample", nargs=2, metavar=("N", "FILE"))
    options = parser.parse_args()
    results, applied = {}, {}
    for name, place in SPECS.items():
        items = load(Dataset(name=name, path=None if place is None else str(options.data.resolve() / place)), Path(), 42).items
        results[name], applied[name] = measure(name, items)
        print(name, json.dumps({k: v for k, v in results[name].items() if k not in {"status"}}, ensure_ascii=False))
    if READ.exists():
        read = [json.loads(line) for line in READ.read_text(encoding="utf-8").splitlines()]
        results["read_by_eye"] = {name: rates([row for row in read if row["sample"] == name]) for name in dict.fromkeys(row["sample"] for row in read)}
        print("read by eye", results["read_by_eye"])
    if options.sample:
        Path(options.sample[1]).write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in sampled(applied, int(options.sample[0]))), encoding="utf-8"
        )
    if options.write:
        RESULT.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
